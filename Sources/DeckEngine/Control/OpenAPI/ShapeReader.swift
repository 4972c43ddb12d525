/// Finds the shape of documents by decoding them from nothing: each member that a type asks for is noted, and gets a harmless
/// value.
final class ShapeReader {
    fileprivate(set) var shapes: [String: DocumentShape] = [:]

    /// The kind of a type's values; documents are noted in `shapes`.
    func kind(of type: any Decodable.Type) throws -> DocumentShape.Kind { try read(type).kind }

    fileprivate func read<Value: Decodable>(_ type: Value.Type) throws -> (kind: DocumentShape.Kind, value: Value) {
        if let words = type as? any CaseIterable.Type {
            let (words, first) = Self.words(of: words)
            if let first = first as? Value { return (.choice(words), first) }
        }
        if let list = type as? any ShapedList.Type, let none = list.none as? Value {
            return (.list(try kind(of: list.element)), none)
        }
        if let map = type as? any ShapedMap.Type, let none = map.none as? Value {
            return (.map(try kind(of: map.element)), none)
        }
        if let (kind, value) = Self.simple(type), let value = value as? Value { return (kind, value) }
        let name = String(describing: type)
        let members = Members()
        let value = try Value(from: ShapeDecoder(reader: self, members: members))
        shapes[name] = DocumentShape(members: members.all)
        return (.document(name), value)
    }

    private static func words<Choice: CaseIterable>(of type: Choice.Type) -> ([String], Any?) {
        let words = type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        return (words, type.allCases.first)
    }

    /// A value without members, where it stands in a list or an object.
    private static func simple(_ type: any Decodable.Type) -> (DocumentShape.Kind, any Sendable)? {
        if type == String.self { return (.text, "") }
        if type == Int.self { return (.integer, 0) }
        if type == Bool.self { return (.truth, false) }
        return type == Double.self ? (.number, 0.0) : nil
    }
}

private protocol ShapedList {
    static var element: any Decodable.Type { get }
    static var none: Self { get }
}

extension Array: ShapedList where Element: Decodable {
    static var element: any Decodable.Type { Element.self }
    static var none: Self { [] }
}

private protocol ShapedMap {
    static var element: any Decodable.Type { get }
    static var none: Self { get }
}

extension Dictionary: ShapedMap where Key == String, Value: Decodable {
    static var element: any Decodable.Type { Value.self }
    static var none: Self { [:] }
}

/// The members of one document while it is read.
private final class Members {
    var all: [DocumentShape.Member] = []
    /// The member that may be missing, as it was just asked.
    var optional: String?

    func add(_ name: String, _ kind: DocumentShape.Kind) {
        all.append(DocumentShape.Member(name: name, kind: kind, isOptional: optional == name))
    }
}

private struct ShapeDecoder: Decoder {
    let reader: ShapeReader
    let members: Members
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ShapeContainer<Key>(reader: reader, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw notShaped }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw notShaped }
}

private let notShaped = DecodingError.dataCorrupted(
    DecodingError.Context(codingPath: [], debugDescription: "this is no document with members"))

private struct ShapeContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let reader: ShapeReader
    let members: Members
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool {
        members.optional = key.stringValue
        return false
    }

    private func noted<Value>(_ value: Value, _ key: Key, _ kind: DocumentShape.Kind) -> Value {
        members.add(key.stringValue, kind)
        return value
    }

    func decode(_ type: Bool.Type, forKey key: Key) -> Bool { noted(false, key, .truth) }
    func decode(_ type: String.Type, forKey key: Key) -> String { noted("", key, .text) }
    func decode(_ type: Double.Type, forKey key: Key) -> Double { noted(0, key, .number) }
    func decode(_ type: Float.Type, forKey key: Key) -> Float { noted(0, key, .number) }
    func decode(_ type: Int.Type, forKey key: Key) -> Int { noted(0, key, .integer) }
    func decode(_ type: Int8.Type, forKey key: Key) -> Int8 { noted(0, key, .integer) }
    func decode(_ type: Int16.Type, forKey key: Key) -> Int16 { noted(0, key, .integer) }
    func decode(_ type: Int32.Type, forKey key: Key) -> Int32 { noted(0, key, .integer) }
    func decode(_ type: Int64.Type, forKey key: Key) -> Int64 { noted(0, key, .integer) }
    func decode(_ type: UInt.Type, forKey key: Key) -> UInt { noted(0, key, .natural) }
    func decode(_ type: UInt8.Type, forKey key: Key) -> UInt8 { noted(0, key, .natural) }
    func decode(_ type: UInt16.Type, forKey key: Key) -> UInt16 { noted(0, key, .natural) }
    func decode(_ type: UInt32.Type, forKey key: Key) -> UInt32 { noted(0, key, .natural) }
    func decode(_ type: UInt64.Type, forKey key: Key) -> UInt64 { noted(0, key, .natural) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let isOptional = members.optional
        let (kind, value) = try reader.read(type)
        members.optional = isOptional
        return noted(value, key, kind)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw notShaped }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw notShaped }

    func superDecoder() throws -> any Decoder { throw notShaped }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw notShaped }
}
