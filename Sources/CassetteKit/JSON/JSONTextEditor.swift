package import HTTPCore

/// Adds to a JSON text that people write: comments, order and spelling of all that is there stay.
///
/// The text must be one that ``JSONText`` reads with relaxed options, with an object at its root.
package struct JSONTextEditor: Sendable {
    package private(set) var octets: Bytes

    package init(_ octets: Bytes) { self.octets = octets }

    /// Adds values to the list at a path of keys, but for those that it has; a single value there becomes the first of a list.
    package mutating func append(_ values: [JSONValue], at path: [String]) {
        guard let place = range(of: path), let old = value(at: path) else {
            return add(.array(values), at: path)
        }
        let present = old.elements ?? [old]
        let new = values.filter { !present.contains($0) }
        if old.elements == nil {
            let list = Self.spell(.array(new)).dropFirst()
            let inner = new.isEmpty ? Bytes("]".utf8) : Bytes(", ".utf8) + list
            octets.replaceSubrange(place, with: Bytes("[".utf8) + octets[place] + inner)
        } else {
            for value in new { insert(Self.spell(value), at: path) }
        }
    }

    /// Adds a member at a path of keys, with the objects that lead there. What stands there already stays.
    package mutating func add(_ value: JSONValue, at path: [String]) {
        guard self.value(at: path) == nil else { return }
        var value = value
        var (parent, rest) = (path, [String]())
        while let key = parent.popLast() {
            rest.insert(key, at: 0)
            if self.value(at: parent)?.members != nil { break }
        }
        for key in rest.dropFirst().reversed() { value = .object([JSONMember(key, value)]) }
        guard let key = rest.first else { return }
        insert(Self.spell(.text(key)) + Bytes(": ".utf8) + Self.spell(value), at: parent)
    }

    private func value(at path: [String]) -> JSONValue? {
        guard let root = try? JSONText.parse(octets, options: .relaxed) else { return nil }
        return path.reduce(root) { value, key in value?[key] }
    }

    private static func spell(_ value: JSONValue) -> Bytes { JSONText.write(value, layout: JSONLayout(.spaced)) }

    /// Puts an element or a member behind the last one of a container.
    private mutating func insert(_ text: Bytes, at path: [String]) {
        guard let whole = range(of: path), whole.count >= 2 else { return }
        let close = whole.upperBound - 1
        let scan = JSONTextGaps(octets, whole)
        let isEmpty = scan.lastSignificant == whole.lowerBound
        let endsWithComma = octets[scan.lastSignificant] == UInt8(ascii: ",")
        let isTall = octets[whole].contains(0x0A)
        var piece = text
        // Where the new text goes: behind what is there, comments too.
        var place = isEmpty && !isTall ? close : scan.lastOctet + 1
        if isTall {
            let indent = scan.indent ?? indent(of: whole.lowerBound) + Bytes(repeating: 0x20, count: 2)
            piece = [0x0A] + indent + piece + (endsWithComma ? [UInt8(ascii: ",")] : [])
            if octets[place..<close].allSatisfy({ $0 == 0x20 }) { piece += [0x0A] + self.indent(of: whole.lowerBound) }
        } else if !isEmpty {
            piece = [0x20] + piece
            if endsWithComma { place = scan.lastSignificant + 1 }
        }
        octets.insert(contentsOf: piece, at: place)
        if !isEmpty, !endsWithComma { octets.insert(UInt8(ascii: ","), at: scan.lastSignificant + 1) }
    }

    /// The white space that the line of an octet begins with.
    private func indent(of offset: Int) -> Bytes {
        let start = octets[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return Bytes(octets[start...].prefix { $0 == 0x20 || $0 == 0x09 })
    }

    /// Where the value at a path stands.
    private func range(of path: [String]) -> Range<Int>? {
        let place = JSONPath(path.map { .key($0) })
        guard let position = JSONText.position(of: place, in: octets, options: .relaxed) else { return nil }
        var start = 0
        for _ in 1..<position.line { start = (octets[start...].firstIndex(of: 0x0A) ?? start) + 1 }
        start += position.column - 1
        return start..<JSONTextGaps.end(of: octets, from: start)
    }
}

/// What stands between the values of a container: white space, commas, comments.
private struct JSONTextGaps {
    /// The last octet before the closing bracket that is neither white space nor part of a comment; the opening one if there is none.
    private(set) var lastSignificant: Int
    /// The last octet before the closing bracket that is no white space.
    private(set) var lastOctet: Int
    /// The white space before the first element where that begins a line.
    private(set) var indent: Bytes?

    init(_ octets: Bytes, _ container: Range<Int>) {
        lastSignificant = container.lowerBound
        lastOctet = container.lowerBound
        var at = container.lowerBound + 1
        var lineStart: Int?
        while at < container.upperBound - 1 {
            if Self.isSpace(octets[at]) {
                if octets[at] == 0x0A { lineStart = at + 1 }
                at += 1
                continue
            }
            if let start = lineStart, indent == nil { indent = Bytes(octets[start..<at]) }
            let end = Self.token(octets, at)
            lastOctet = end - 1
            if !Self.isComment(octets, at) { lastSignificant = end - 1 }
            at = end
        }
    }

    /// The offset behind the value that begins at `start`.
    static func end(of octets: Bytes, from start: Int) -> Int {
        var depth = 0
        var at = start
        while at < octets.count {
            let octet = octets[at]
            let end = token(octets, at)
            if octet == UInt8(ascii: "{") || octet == UInt8(ascii: "[") { depth += 1 }
            if octet == UInt8(ascii: "}") || octet == UInt8(ascii: "]") { depth -= 1 }
            at = end
            if depth == 0 { return at }
        }
        return octets.count
    }

    /// The offset behind a string, comment, word, or single octet.
    private static func token(_ octets: Bytes, _ start: Int) -> Int {
        switch octets[start] {
        case UInt8(ascii: "\""):
            var at = start + 1
            while at < octets.count, octets[at] != UInt8(ascii: "\"") {
                at += octets[at] == UInt8(ascii: "\\") ? 2 : 1
            }
            return min(at + 1, octets.count)
        case UInt8(ascii: "/") where isComment(octets, start):
            if octets[start + 1] == UInt8(ascii: "/") { return octets[start...].firstIndex(of: 0x0A) ?? octets.count }
            var at = start + 2
            while at + 1 < octets.count, octets[at] != UInt8(ascii: "*") || octets[at + 1] != UInt8(ascii: "/") {
                at += 1
            }
            return min(at + 2, octets.count)
        case UInt8(ascii: "-"), 0x30...0x39, UInt8(ascii: "a")...UInt8(ascii: "z"):
            return octets[start...].firstIndex { isSpace($0) || ",]}/".utf8.contains($0) } ?? octets.count
        default: return start + 1
        }
    }

    private static func isComment(_ octets: Bytes, _ at: Int) -> Bool {
        octets[at] == UInt8(ascii: "/") && at + 1 < octets.count
            && (octets[at + 1] == UInt8(ascii: "/") || octets[at + 1] == UInt8(ascii: "*"))
    }

    private static func isSpace(_ octet: UInt8) -> Bool {
        octet == 0x20 || octet == 0x09 || octet == 0x0A || octet == 0x0D
    }
}
