/// A JSON value that is not what the format wants; the path grows as the error passes outwards.
struct ShapeProblem: Error {
    var path: [JSONPath.Component] = []
    var message: String
    var advice: String = ""

    /// Gives the problem its place in the text that was read.
    func located(file: String, octets: [UInt8]) -> FormatError {
        let path = JSONPath(path)
        let place = JSONText.position(of: path, in: octets) ?? (line: 1, column: 1)
        return FormatError(
            file: file, line: place.line, column: place.column, path: path.description, message: message,
            advice: advice)
    }
}

/// The members of one object of the format, taken one by one; what is left over is unknown.
struct ObjectReader {
    private let members: [JSONMember]
    private var taken: [Bool]

    /// Takes an object; a key that this version knows and that comes twice is refused by `take`.
    init(_ value: JSONValue, _ thing: String) throws(ShapeProblem) {
        guard case .object(let members) = value else {
            throw ShapeProblem(message: "\(thing) is \(value.kind) and must be an object")
        }
        self.members = members
        self.taken = Array(repeating: false, count: members.count)
    }

    /// The members that nobody took, in order.
    var unknown: [JSONMember] {
        members.indices.filter { !taken[$0] }.map { members[$0] }
    }

    /// Whether there is a member with this key.
    func has(_ key: String) -> Bool { members.contains { $0.key.isText(key) } }

    /// Reads the member with this key; nil if there is none.
    mutating func take<Value>(
        _ key: String, _ read: (JSONValue) throws(ShapeProblem) -> Value
    ) throws(ShapeProblem) -> Value? {
        guard let index = members.firstIndex(where: { $0.key.isText(key) }) else { return nil }
        guard !members[(index + 1)...].contains(where: { $0.key.isText(key) }) else {
            throw ShapeProblem(path: [.key(key)], message: "the key \"\(key)\" comes twice", advice: "Keep one")
        }
        taken[index] = true
        do throws(ShapeProblem) {
            return try read(members[index].value)
        } catch {
            throw error.within(.key(key))
        }
    }

    /// Reads the member with this key, which must be there.
    mutating func require<Value>(
        _ key: String, _ read: (JSONValue) throws(ShapeProblem) -> Value
    ) throws(ShapeProblem) -> Value {
        guard let value = try take(key, read) else {
            throw ShapeProblem(message: "the key \"\(key)\" is missing")
        }
        return value
    }
}

extension ShapeProblem {
    /// The same problem, seen from outside.
    func within(_ component: JSONPath.Component) -> ShapeProblem {
        ShapeProblem(path: [component] + path, message: message, advice: advice)
    }
}

/// Readers of single values of the format.
enum Shape {
    static func text(_ value: JSONValue) throws(ShapeProblem) -> String {
        guard case .string(let string) = value else { throw wrong(value, "a string") }
        return string.text
    }

    static func integer(_ value: JSONValue) throws(ShapeProblem) -> Int {
        guard let number = value.integer else { throw wrong(value, "a whole number") }
        return number
    }

    static func bool(_ value: JSONValue) throws(ShapeProblem) -> Bool {
        guard let bool = value.bool else { throw wrong(value, "true or false") }
        return bool
    }

    static func array<Element>(
        _ value: JSONValue, of read: (JSONValue) throws(ShapeProblem) -> Element
    ) throws(ShapeProblem) -> [Element] {
        guard case .array(let elements) = value else { throw wrong(value, "an array") }
        var result: [Element] = []
        result.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do throws(ShapeProblem) {
                result.append(try read(element))
            } catch {
                throw error.within(.index(index))
            }
        }
        return result
    }

    /// A whole number within bounds.
    static func integer(_ value: JSONValue, _ range: ClosedRange<Int>) throws(ShapeProblem) -> Int {
        let number = try integer(value)
        guard range.contains(number) else {
            throw ShapeProblem(message: "the number must lie between \(range.lowerBound) and \(range.upperBound)")
        }
        return number
    }

    /// Octets: a string, or `{"base64": …}` where they are not UTF-8.
    static func octets(_ value: JSONValue) throws(ShapeProblem) -> [UInt8] {
        switch value {
        case .string(let string): return string.octets
        case .object:
            var object = try ObjectReader(value, "the value")
            let octets = try object.require("base64", Shape.base64)
            guard object.unknown.isEmpty else {
                throw ShapeProblem(message: "only \"base64\" may stand in this object")
            }
            return octets
        default: throw wrong(value, "a string or {\"base64\": …}")
        }
    }

    static func base64(_ value: JSONValue) throws(ShapeProblem) -> [UInt8] {
        guard let octets = Base64Text.decode(try text(value)) else {
            throw ShapeProblem(message: "the text is not base64", advice: "Use the alphabet of RFC 4648 §4, padded")
        }
        return octets
    }

    static func wrong(_ value: JSONValue, _ wanted: String) -> ShapeProblem {
        ShapeProblem(message: "the value is \(value.kind) and must be \(wanted)")
    }

    /// Writes octets as a string, or as `{"base64": …}` where they are not UTF-8.
    static func value(_ octets: [UInt8]) -> JSONValue {
        isUTF8(octets)
            ? .text(String(decoding: octets, as: UTF8.self))
            : .object([JSONMember("base64", .text(Base64Text.encode(octets)))])
    }
}
