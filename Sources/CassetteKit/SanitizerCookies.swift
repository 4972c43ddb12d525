/// Cookies: values are hidden, names and attributes stay (RFC 6265 §4).
extension SanitizerPass {
    /// The edits for a `Cookie` field's value; nil if all of it is taken out.
    mutating func cookies(_ octets: Octets, _ range: Range<Int>) -> [SanitizerEdit]? {
        var edits: [SanitizerEdit] = []
        var removals = SanitizerRemovals()
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start
            while end < range.upperBound, octets[end] != UInt8(ascii: ";") { end += 1 }
            let pair = Self.trimmed(octets, start..<end)
            let found = cookie(octets, pair)
            if tables.removes { removals.member(pair, removedBy: found == nil ? tables.cookies ?? 0 : nil) }
            edits += found ?? []
            start = end + 1
        }
        if removals.end(range) { return nil }
        return removals.edits.isEmpty ? edits : SanitizerEdit.ordered(edits + removals.edits)
    }

    /// The edits for a `Set-Cookie` field's value; nil if it is taken out, with its attributes.
    mutating func setCookie(_ octets: Octets, _ range: Range<Int>) -> [SanitizerEdit]? {
        var end = range.lowerBound
        while end < range.upperBound, octets[end] != UInt8(ascii: ";") { end += 1 }
        guard let edits = cookie(octets, Self.trimmed(octets, range.lowerBound..<end)) else { return nil }
        return edits + text(octets, end..<range.upperBound, location(.header, "Set-Cookie"))
    }

    /// The edits for a pair; nil if it is taken out.
    private mutating func cookie(_ octets: Octets, _ pair: Range<Int>) -> [SanitizerEdit]? {
        // A pair without `=` is a value without a name.
        let equals = octets[pair].firstIndex(of: UInt8(ascii: "="))
        var value = (equals.map { $0 + 1 } ?? pair.lowerBound)..<pair.upperBound
        if value.count >= 2, octets[value.lowerBound] == UInt8(ascii: "\""),
            octets[value.upperBound - 1] == UInt8(ascii: "\"")
        {
            value = (value.lowerBound + 1)..<(value.upperBound - 1)
        }
        let name = pair.lowerBound..<(equals ?? pair.lowerBound)
        let place = location(.cookie, octets[name])
        guard let rule = cookieRule(octets, name, place) else { return text(octets, pair, place) }
        let inName = text(octets, name, location(.cookie))
        let word = SecretPlaceholder.name(octets[name])
        if takesOut(octets, value, rule: rule, name: word, at: place) { return nil }
        let placeholder = hide(
            octets, value, rule: rule, name: word, at: place, isTracked: Self.looksRandom(octets, value))
        return inName + (placeholder.map { [SanitizerEdit(range: value, replacement: $0, rule: rule)] } ?? [])
    }

    /// The rule for a cookie: that of the place, one for cookies of this name, or the one for all.
    private func cookieRule(_ octets: Octets, _ name: Range<Int>, _ place: SecretLocation) -> Int? {
        if let rule = local.items[place] ?? tables.names.cookies.rule(octets, name) { return rule }
        return tables.names.cookies.isOpen(octets, name) ? nil : tables.cookies
    }

    private static func trimmed(_ octets: Octets, _ range: Range<Int>) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, octets[lower] == 0x20 || octets[lower] == 0x09 { lower += 1 }
        while upper > lower, octets[upper - 1] == 0x20 || octets[upper - 1] == 0x09 { upper -= 1 }
        return lower..<upper
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
