/// Walks JSON text (RFC 8259) token by token without building anything, and without recursion.
///
/// Strict: what it does not refuse is one whole JSON text. Octets within strings are taken as they are, so text that is
/// not UTF-8 passes. A byte order mark is refused.
struct JSONCursor {
    enum Token: Equatable {
        case beginObject, endObject, beginArray, endArray
        /// A member's name; the value's token follows.
        case name
        case string, number, bool, null
        /// The text is over.
        case end
        /// Nested deeper than the limit.
        case tooDeep
        /// Not JSON.
        case malformed
    }

    private enum Expected {
        case value, valueOrEnd, nameOrEnd, name, separator, end
    }

    /// Deeper text is not read as JSON, where nothing else is said.
    static let depthLimit = 512

    private let octets: UnsafeBufferPointer<UInt8>
    private let end: Int
    private let depthLimit: Int
    private var at: Int
    private var expected = Expected.value
    /// For each open container whether it is an object.
    private var open: [Bool] = []
    /// Where the token stands; of a string or name what is between the quotes.
    private(set) var range = 0..<0
    /// True if the string or name has escapes.
    private(set) var hasEscapes = false

    init(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, depthLimit: Int = Self.depthLimit) {
        self.octets = octets
        self.depthLimit = depthLimit
        at = range.lowerBound
        end = range.upperBound
    }

    mutating func next() -> Token {
        skipSpace()
        guard at < end else { return expected == .end ? .end : .malformed }
        if expected == .separator {
            switch octets[at] {
            case UInt8(ascii: ","):
                at += 1
                skipSpace()
                guard at < end else { return .malformed }
                expected = open[open.count - 1] ? .name : .value
            case UInt8(ascii: "]"), UInt8(ascii: "}"): return close()
            default: return .malformed
            }
        }
        switch expected {
        case .value: return value()
        case .valueOrEnd: return octets[at] == UInt8(ascii: "]") ? close() : value()
        case .nameOrEnd: return octets[at] == UInt8(ascii: "}") ? close() : name()
        case .name: return name()
        case .separator, .end: return .malformed
        }
    }

    private mutating func value() -> Token {
        let start = at
        switch octets[at] {
        case UInt8(ascii: "\""):
            guard string() else { return .malformed }
            return ended(.string)
        case UInt8(ascii: "{"): return begin(isObject: true)
        case UInt8(ascii: "["): return begin(isObject: false)
        case UInt8(ascii: "t"): return word("true") ? ended(.bool, from: start) : .malformed
        case UInt8(ascii: "f"): return word("false") ? ended(.bool, from: start) : .malformed
        case UInt8(ascii: "n"): return word("null") ? ended(.null, from: start) : .malformed
        default: return number() ? ended(.number, from: start) : .malformed
        }
    }

    private mutating func ended(_ token: Token, from start: Int) -> Token {
        range = start..<at
        return ended(token)
    }

    private mutating func ended(_ token: Token) -> Token {
        expected = open.isEmpty ? .end : .separator
        return token
    }

    private mutating func begin(isObject: Bool) -> Token {
        guard open.count < depthLimit else { return .tooDeep }
        range = at..<(at + 1)
        open.append(isObject)
        at += 1
        expected = isObject ? .nameOrEnd : .valueOrEnd
        return isObject ? .beginObject : .beginArray
    }

    private mutating func close() -> Token {
        guard let isObject = open.last, (octets[at] == UInt8(ascii: "}")) == isObject else { return .malformed }
        range = at..<(at + 1)
        open.removeLast()
        at += 1
        return ended(isObject ? .endObject : .endArray)
    }

    private mutating func name() -> Token {
        guard octets[at] == UInt8(ascii: "\""), string() else { return .malformed }
        skipSpace()
        guard at < end, octets[at] == UInt8(ascii: ":") else { return .malformed }
        at += 1
        expected = .value
        return .name
    }

    private mutating func string() -> Bool {
        at += 1
        let start = at
        hasEscapes = false
        while at < end {
            switch octets[at] {
            case UInt8(ascii: "\""):
                range = start..<at
                at += 1
                return true
            case UInt8(ascii: "\\"):
                hasEscapes = true
                guard escape() else { return false }
            case ..<0x20: return false
            default: at += 1
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        guard at + 1 < end else { return false }
        switch octets[at + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            at += 2
            return true
        case UInt8(ascii: "u"):
            guard at + 6 <= end else { return false }
            for offset in 2..<6 where hexDigit(octets[at + offset]) == nil { return false }
            at += 6
            return true
        default: return false
        }
    }

    private mutating func number() -> Bool {
        if octets[at] == UInt8(ascii: "-") { at += 1 }
        guard at < end else { return false }
        if octets[at] == UInt8(ascii: "0") {
            at += 1
        } else if !digits() {
            return false
        }
        if at < end, octets[at] == UInt8(ascii: ".") {
            at += 1
            guard digits() else { return false }
        }
        if at < end, octets[at] | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at < end, octets[at] == UInt8(ascii: "+") || octets[at] == UInt8(ascii: "-") { at += 1 }
            guard digits() else { return false }
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = at
        while at < end, octets[at] &- 0x30 < 10 { at += 1 }
        return at > start
    }

    private mutating func word(_ word: StaticString) -> Bool {
        guard at + word.utf8CodeUnitCount <= end else { return false }
        for offset in 0..<word.utf8CodeUnitCount where octets[at + offset] != word.utf8Start[offset] { return false }
        at += word.utf8CodeUnitCount
        return true
    }

    @inline(__always)
    private mutating func skipSpace() {
        while at < end {
            let octet = octets[at]
            guard octet == 0x20 || octet == 0x0A || octet == 0x0D || octet == 0x09 else { return }
            at += 1
        }
    }
}
