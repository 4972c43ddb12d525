/// Cookies: values are hidden, names and attributes stay (RFC 6265 §4).
extension SanitizerPass {
    /// The edits for a `Cookie` field's value.
    mutating func cookies(_ octets: Octets, _ range: Range<Int>, rule: Int) -> [SanitizerEdit] {
        var edits: [SanitizerEdit] = []
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start
            while end < range.upperBound, octets[end] != UInt8(ascii: ";") { end += 1 }
            edits += cookie(octets, start..<end, rule)
            start = end + 1
        }
        return edits
    }

    /// The edits for a `Set-Cookie` field's value.
    mutating func setCookie(_ octets: Octets, _ range: Range<Int>, rule: Int) -> [SanitizerEdit] {
        var end = range.lowerBound
        while end < range.upperBound, octets[end] != UInt8(ascii: ";") { end += 1 }
        return cookie(octets, range.lowerBound..<end, rule)
            + text(octets, end..<range.upperBound, location(.header, "Set-Cookie"))
    }

    private mutating func cookie(_ octets: Octets, _ pair: Range<Int>, _ rule: Int) -> [SanitizerEdit] {
        var lower = pair.lowerBound
        var upper = pair.upperBound
        while lower < upper, octets[lower] == 0x20 || octets[lower] == 0x09 { lower += 1 }
        while upper > lower, octets[upper - 1] == 0x20 || octets[upper - 1] == 0x09 { upper -= 1 }
        // A pair without `=` is a value without a name.
        let equals = octets[lower..<upper].firstIndex(of: UInt8(ascii: "="))
        var value = (equals.map { $0 + 1 } ?? lower)..<upper
        if value.count >= 2, octets[value.lowerBound] == UInt8(ascii: "\""), octets[upper - 1] == UInt8(ascii: "\"") {
            value = (value.lowerBound + 1)..<(upper - 1)
        }
        let name = octets[lower..<(equals ?? lower)]
        let placeholder = hide(
            octets, value, rule: rule, name: SecretPlaceholder.name(name), at: location(.cookie, name),
            isTracked: Self.looksRandom(octets, value))
        let inName = text(octets, lower..<(equals ?? lower), location(.cookie))
        return inName + (placeholder.map { [SanitizerEdit(range: value, replacement: $0, rule: rule)] } ?? [])
    }

    /// Whether a cookie's value is worth searching for elsewhere: `dark-mode` is not, it would be found in every page.
    private static func looksRandom(_ octets: Octets, _ range: Range<Int>) -> Bool {
        guard range.count >= 12 else { return false }
        var digits = 0
        var letters = 0
        for octet in octets[range] {
            if octet &- 0x30 < 10 { digits += 1 }
            if (octet | 0x20) &- 0x61 < 26 { letters += 1 }
        }
        return range.count >= 24 || digits >= 2 && letters >= 2
    }
}
