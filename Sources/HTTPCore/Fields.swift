/// Field lines in wire order, with their case and their repeats (RFC 9110 §5).
///
/// All names and values lie in one buffer; an entry holds four offsets into it. Nothing in a value can end a line and
/// nothing in a name can end the name, whoever put it in: see `append(name:value:)`.
package struct Fields: Sendable {
    /// Where one name and its value lie in `octets`. Four gigabytes are out of reach: heads are limited on arrival.
    struct Entry: Sendable {
        var nameStart: UInt32
        var nameEnd: UInt32
        var valueStart: UInt32
        var valueEnd: UInt32

        @inline(__always) var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
        @inline(__always) var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }

        @inline(__always) init(name: Range<Int>, value: Range<Int>) {
            nameStart = UInt32(name.lowerBound)
            nameEnd = UInt32(name.upperBound)
            valueStart = UInt32(value.lowerBound)
            valueEnd = UInt32(value.upperBound)
        }
    }

    var octets: Bytes
    var entries: [Entry]

    package init() {
        octets = []
        entries = []
    }

    package init(_ pairs: [(String, String)]) {
        self.init()
        for (name, value) in pairs { append(name, value) }
    }

    /// Takes a checked buffer and the places in it.
    init(octets: Bytes, entries: [Entry]) {
        self.octets = octets
        self.entries = entries
    }

    package var count: Int { entries.count }

    package var isEmpty: Bool { entries.isEmpty }

    /// The name as spelled.
    package func name(at index: Int) -> ArraySlice<UInt8> { octets[entries[index].name] }

    /// The value without the white space around it, octet for octet otherwise.
    package func value(at index: Int) -> ArraySlice<UInt8> { octets[entries[index].value] }

    /// `Name: value` without a line end.
    package func line(at index: Int) -> Bytes {
        var line = Bytes()
        line.reserveCapacity(entries[index].name.count + entries[index].value.count + 2)
        line += name(at: index)
        line.append(Octet.colon)
        line.append(Octet.space)
        line += value(at: index)
        return line
    }

    /// Adds a line at the end. White space around the value is dropped. What no wire could carry is made harmless
    /// rather than written: a control character in a value becomes SP (RFC 9110 §5.5), and an octet of the name
    /// that is no token character becomes `_`.
    package mutating func append(name: some Collection<UInt8>, value: some Collection<UInt8>) {
        let nameRange = store(name) { OctetSet.token.contains($0) ? $0 : UInt8(ascii: "_") }
        let valueRange = storeValue(value)
        entries.append(Entry(name: nameRange, value: valueRange))
    }

    /// Adds a line at the end, as `append(name:value:)` does.
    package mutating func append(_ name: String, _ value: String) {
        append(name: name.utf8, value: value.utf8)
    }

    /// Gives the first line with this name the value, in its place and spelling, and drops the others; appends a line
    /// where there is none.
    package mutating func set(_ name: String, _ value: String) {
        let wanted = Bytes(name.utf8)
        var kept: Int?
        var rest: [Entry] = []
        rest.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            if isName(wanted, at: index) {
                if kept != nil { continue }
                kept = rest.count
            }
            rest.append(entry)
        }
        entries = rest
        if let kept {
            replaceValue(at: kept, with: value.utf8)
        } else {
            append(name, value)
        }
    }

    /// Puts another value in the place of one; the name keeps its spelling.
    package mutating func replaceValue(at index: Int, with value: some Collection<UInt8>) {
        let range = storeValue(value)
        entries[index] = Entry(name: entries[index].name, value: range)
    }

    /// The lines whose index `keep` accepts, in order.
    package func filtered(_ keep: (Int) -> Bool) -> Fields {
        var kept: [Entry] = []
        kept.reserveCapacity(entries.count)
        for index in entries.indices where keep(index) { kept.append(entries[index]) }
        return Fields(octets: octets, entries: kept)
    }

    private mutating func storeValue(_ value: some Collection<UInt8>) -> Range<Int> {
        let range = store(value) { $0.isFieldContent ? $0 : Octet.space }
        return octets.withUnsafeBufferPointer { trimmed($0, range) }
    }

    @inline(__always)
    private mutating func store(_ new: some Collection<UInt8>, _ harmless: (UInt8) -> UInt8) -> Range<Int> {
        let start = octets.count
        withOctets(new) { pointer in
            octets.append(contentsOf: pointer)
        }
        octets.withUnsafeMutableBufferPointer { all in
            for index in start..<all.count { all[index] = harmless(all[index]) }
        }
        return start..<octets.count
    }

    private func isName(_ name: Bytes, at index: Int) -> Bool {
        octets.withUnsafeBufferPointer { all in
            name.withUnsafeBufferPointer {
                equalIgnoringCase(UnsafeBufferPointer(rebasing: all[entries[index].name]), $0)
            }
        }
    }
}

extension Fields: Hashable {
    /// Same lines in the same order, names and values octet for octet.
    package static func == (left: Fields, right: Fields) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.entries.indices {
            guard left.name(at: index) == right.name(at: index), left.value(at: index) == right.value(at: index) else {
                return false
            }
        }
        return true
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for index in entries.indices {
            hasher.combine(name(at: index))
            hasher.combine(value(at: index))
        }
    }
}

extension Fields: CustomStringConvertible {
    /// The names and the lengths of the values: a value may be a secret.
    package var description: String {
        let lines = entries.indices.map { index in
            "\(String(decoding: name(at: index), as: UTF8.self)) (\(entries[index].value.count) octets)"
        }
        return "[" + lines.joined(separator: ", ") + "]"
    }
}
