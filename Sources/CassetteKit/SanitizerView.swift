/// Octets with escapes undone, which remember where each one came from, so that an edit of the decoded octets can be
/// made in the original.
struct SanitizerView: Sendable {
    private(set) var octets: [UInt8] = []
    /// For each decoded octet, and for the end, the offset in the original.
    private var origin: [Int] = []
    /// True if anything was escaped.
    private(set) var isDecoded = false
    private let escapes: Escapes

    enum Escapes: Sendable { case json, percent, percentAndPlus, html }

    init(_ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, undoing escapes: Escapes) {
        self.escapes = escapes
        octets.reserveCapacity(range.count)
        origin.reserveCapacity(range.count + 1)
        var at = range.lowerBound
        while at < range.upperBound {
            let start = at
            let before = octets.count
            switch escapes {
            case .json: at = Self.json(source, at, range.upperBound, &octets)
            case .percent, .percentAndPlus:
                at = Self.percent(source, at, range.upperBound, escapes == .percentAndPlus, &octets)
            case .html: at = Self.html(source, at, range.upperBound, &octets)
            }
            if at != start + 1 || octets[octets.count - 1] != source[start] { isDecoded = true }
            for _ in before..<octets.count { origin.append(start) }
        }
        origin.append(range.upperBound)
    }

    /// An edit of the decoded octets as one of the original: it covers every escape that it touches.
    func original(_ edit: SanitizerEdit) -> SanitizerEdit {
        var edit = edit
        var upper = edit.range.upperBound
        while upper > edit.range.lowerBound, upper < origin.count - 1, origin[upper] == origin[upper - 1] { upper += 1 }
        edit.range = origin[edit.range.lowerBound]..<origin[upper]
        return Self.spelled(edit, escapes)
    }

    /// Decodes what starts at `at` and gives the offset behind it. A malformed escape stands for itself.
    private static func json(
        _ source: UnsafeBufferPointer<UInt8>, _ at: Int, _ end: Int, _ out: inout [UInt8]
    ) -> Int {
        let octet = source[at]
        guard octet == UInt8(ascii: "\\"), at + 1 < end else {
            out.append(octet)
            return at + 1
        }
        switch source[at + 1] {
        case UInt8(ascii: "n"): out.append(0x0A)
        case UInt8(ascii: "t"): out.append(0x09)
        case UInt8(ascii: "r"): out.append(0x0D)
        case UInt8(ascii: "b"): out.append(0x08)
        case UInt8(ascii: "f"): out.append(0x0C)
        case UInt8(ascii: "u"):
            guard let unit = hexadecimal(source, at + 2, 4, end) else {
                out.append(octet)
                return at + 1
            }
            if unit >> 10 == 0x36, let low = lowSurrogate(source, at + 6, end) {
                JSONSpelling.appendUTF8(0x10000 + ((unit & 0x3FF) << 10 | low), to: &out)
                return at + 12
            }
            JSONSpelling.appendUTF8(unit, to: &out)
            return at + 6
        case let other: out.append(other)
        }
        return at + 2
    }

    private static func lowSurrogate(_ source: UnsafeBufferPointer<UInt8>, _ at: Int, _ end: Int) -> UInt32? {
        guard at + 1 < end, source[at] == UInt8(ascii: "\\"), source[at + 1] == UInt8(ascii: "u"),
            let unit = hexadecimal(source, at + 2, 4, end), unit >> 10 == 0x37
        else { return nil }
        return unit & 0x3FF
    }

    private static func percent(
        _ source: UnsafeBufferPointer<UInt8>, _ at: Int, _ end: Int, _ plus: Bool, _ out: inout [UInt8]
    ) -> Int {
        let octet = source[at]
        if octet == UInt8(ascii: "%"), let value = hexadecimal(source, at + 1, 2, end) {
            out.append(UInt8(truncatingIfNeeded: value))
            return at + 3
        }
        out.append(plus && octet == UInt8(ascii: "+") ? UInt8(ascii: " ") : octet)
        return at + 1
    }

    /// The named references that stand for markup, and numeric ones (HTML standard §13.2.5.72).
    private static func html(
        _ source: UnsafeBufferPointer<UInt8>, _ at: Int, _ end: Int, _ out: inout [UInt8]
    ) -> Int {
        let octet = source[at]
        out.append(octet)
        guard octet == UInt8(ascii: "&"), at + 2 < end else { return at + 1 }
        var semicolon = at + 1
        let limit = min(end, at + 10)
        while semicolon < limit, source[semicolon] != UInt8(ascii: ";") { semicolon += 1 }
        guard semicolon < limit, semicolon > at + 1 else { return at + 1 }
        let name = UnsafeBufferPointer(rebasing: source[(at + 1)..<semicolon])
        guard let scalar = htmlScalar(name) else { return at + 1 }
        out.removeLast()
        JSONSpelling.appendUTF8(scalar, to: &out)
        return semicolon + 1
    }

    private static func htmlScalar(_ name: UnsafeBufferPointer<UInt8>) -> UInt32? {
        if name[0] == UInt8(ascii: "#") {
            let digits = String(decoding: name.dropFirst(), as: UTF8.self).lowercased()
            let isHexadecimal = digits.hasPrefix("x")
            let number = isHexadecimal ? digits.dropFirst() : Substring(digits)
            guard let first = number.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
                let value = UInt32(number, radix: isHexadecimal ? 16 : 10), value > 0, value < 0x11_0000
            else { return nil }
            return value
        }
        switch String(decoding: name, as: UTF8.self) {
        case "amp": return 0x26
        case "lt": return 0x3C
        case "gt": return 0x3E
        case "quot": return 0x22
        case "apos": return 0x27
        case "nbsp": return 0xA0
        default: return nil
        }
    }

    private static func hexadecimal(
        _ source: UnsafeBufferPointer<UInt8>, _ at: Int, _ count: Int, _ end: Int
    ) -> UInt32? {
        guard at + count <= end else { return nil }
        var value: UInt32 = 0
        for offset in 0..<count {
            guard let digit = hexDigit(source[at + offset]) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
