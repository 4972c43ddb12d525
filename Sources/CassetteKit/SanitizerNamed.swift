/// Values under a secret name in text: `name=value`, `"name": "value"`, `name: "value"`, `<name>value</name>`.
extension SanitizerPass {
    /// The edit for the value behind the word at `word`, if the word is a secret name.
    mutating func named(
        _ octets: Octets, _ word: Range<Int>, _ range: Range<Int>, _ location: SecretLocation
    ) -> SanitizerEdit? {
        guard (1...64).contains(word.count), word.upperBound < range.upperBound,
            let value = Self.valueRange(octets, word, range) ?? Self.attribute(octets, word, range), !value.isEmpty,
            let rule = tables.names.text.rule(octets, word) ?? itemRule(octets, word, range)
        else { return nil }
        guard isSecret(octets, value, tables.secretNames(rule)?.condition ?? .any),
            let placeholder = hide(
                octets, value, rule: rule, name: SecretPlaceholder.name(octets[word]), at: location)
        else { return nil }
        // A value before its name was looked at already: in a key it then counts as it did there.
        let isBefore = value.lowerBound < word.lowerBound
        let replacement = isKey && isBefore ? SecretPlaceholder.unnamed : placeholder
        return SanitizerEdit(range: value, replacement: replacement, rule: rule)
    }

    /// The rule for a word that is the name of a query item.
    private func itemRule(_ octets: Octets, _ word: Range<Int>, _ range: Range<Int>) -> Int? {
        guard Self.isItem(octets, word, range), !tables.names.text.isOpen(octets, word),
            let rule = tables.names.query.rule(octets, word)
        else { return nil }
        let needsCompanion = tables.secretNames(rule)?.condition == .oauth
        return !needsCompanion || hasCompanion(octets, word, range) ? rule : nil
    }

    /// Whether the word begins a query item: it stands at the start or behind `?`, `&`, `#` and before `=`.
    private static func isItem(_ octets: Octets, _ word: Range<Int>, _ range: Range<Int>) -> Bool {
        guard octets[word.upperBound] == UInt8(ascii: "=") else { return false }
        guard word.lowerBound > range.lowerBound else { return true }
        switch octets[word.lowerBound - 1] {
        case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"): return true
        default: return false
        }
    }

    /// Whether a name that goes along with an OAuth code stands in the same URL, at most 1,024 octets away.
    private func hasCompanion(_ octets: Octets, _ word: Range<Int>, _ range: Range<Int>) -> Bool {
        var lower = word.lowerBound
        while lower > range.lowerBound, word.lowerBound - lower < 1024, octets[lower - 1] > 0x20 { lower -= 1 }
        var upper = word.upperBound
        while upper < range.upperBound, upper - word.upperBound < 1024, octets[upper] > 0x20 { upper += 1 }
        var start = lower
        for at in lower..<upper {
            switch octets[at] {
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"): start = at + 1
            case UInt8(ascii: "="):
                if start < at, tables.companions.rule(octets, start..<at) != nil { return true }
                start = at + 1
            default: break
            }
        }
        return false
    }

    /// Where the value stands that belongs to the name at `word`.
    private static func valueRange(_ octets: Octets, _ word: Range<Int>, _ range: Range<Int>) -> Range<Int>? {
        var at = word.upperBound
        let end = range.upperBound
        switch octets[at] {
        case UInt8(ascii: "]"): at += 1
        case UInt8(ascii: "%"):
            // `user%5Bpassword%5D=`
            if at + 3 <= end, octets[at + 1] == UInt8(ascii: "5"), octets[at + 2] | 0x20 == UInt8(ascii: "d") {
                at += 3
            }
        default: break
        }
        guard at < end else { return nil }
        switch octets[at] {
        case UInt8(ascii: "="): return assigned(octets, at + 1, end)
        case UInt8(ascii: ">"):
            let opens = word.lowerBound > range.lowerBound && isTagOctet(octets[word.lowerBound - 1])
            return opens ? element(octets, at + 1, end) : nil
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let colon = spaces(octets, at + 1, end)
            guard colon < end, octets[colon] == UInt8(ascii: ":") else { return nil }
            return member(octets, colon + 1, end)
        case UInt8(ascii: "\\"):
            // A quotation mark that is escaped, as in JSON within broken JSON.
            guard at + 1 < end, octets[at + 1] == UInt8(ascii: "\"") else { return nil }
            let colon = spaces(octets, at + 2, end)
            guard colon < end, octets[colon] == UInt8(ascii: ":") else { return nil }
            return member(octets, colon + 1, end)
        case UInt8(ascii: ":"), UInt8(ascii: " "):
            let colon = spaces(octets, at, end)
            guard colon < end else { return nil }
            if octets[colon] == UInt8(ascii: ":") {
                let isLine = isLineStart(octets, word.lowerBound, range.lowerBound)
                return isLine ? line(octets, colon + 1, end) : quotedMember(octets, colon + 1, end)
            }
            guard octets[colon] == UInt8(ascii: "=") else { return nil }
            return assigned(octets, spaces(octets, colon + 1, end), end)
        default: return nil
        }
    }

    private static func isTagOctet(_ octet: UInt8) -> Bool { octet == UInt8(ascii: "<") || octet == UInt8(ascii: ":") }

    private static func spaces(_ octets: Octets, _ start: Int, _ end: Int) -> Int {
        var at = start
        while at < end, octets[at] == 0x20 || octets[at] == 0x09 || octets[at] == 0x0A || octets[at] == 0x0D { at += 1 }
        return at
    }

    /// What follows `=`: up to a separator, or what is between quotation marks.
    private static func assigned(_ octets: Octets, _ start: Int, _ end: Int) -> Range<Int>? {
        guard start < end else { return nil }
        if octets[start] == UInt8(ascii: "\"") || octets[start] == UInt8(ascii: "'") {
            return quoted(octets, start, end)
        }
        var at = start
        scan: while at < end {
            switch octets[at] {
            case ...0x20, UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "\""), UInt8(ascii: "'"),
                UInt8(ascii: "<"),
                UInt8(ascii: ">"), UInt8(ascii: "#"), UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: "\\"),
                UInt8(ascii: "`"), UInt8(ascii: "|"):
                break scan
            default: at += 1
            }
        }
        return start..<at
    }

    /// What follows a name in quotation marks and a colon: a string, or a word that is no literal name.
    private static func member(_ octets: Octets, _ start: Int, _ end: Int) -> Range<Int>? {
        let at = spaces(octets, start, end)
        if let quoted = quotedMember(octets, at, end) { return quoted }
        var upper = at
        while upper < end, SecretPlaceholder.isNameOctet(octets[upper]) { upper += 1 }
        let isLiteral = ["true", "false", "null"].contains { octets[at..<upper].elementsEqual($0.utf8) }
        return upper > at && !isLiteral ? at..<upper : nil
    }

    private static func quotedMember(_ octets: Octets, _ start: Int, _ end: Int) -> Range<Int>? {
        let at = spaces(octets, start, end)
        guard at < end else { return nil }
        if octets[at] == UInt8(ascii: "\\"), at + 1 < end, octets[at + 1] == UInt8(ascii: "\"") {
            var upper = at + 2
            while upper < end, octets[upper] != UInt8(ascii: "\\"), octets[upper] != UInt8(ascii: "\"") { upper += 1 }
            return (at + 2)..<upper
        }
        guard octets[at] == UInt8(ascii: "\"") || octets[at] == UInt8(ascii: "'") else { return nil }
        return quoted(octets, at, end)
    }

    /// What is between the quotation mark at `start` and the next one like it, or the end of the text.
    private static func quoted(_ octets: Octets, _ start: Int, _ end: Int) -> Range<Int>? {
        let mark = octets[start]
        var at = start + 1
        while at < end, octets[at] != mark { at += octets[at] == UInt8(ascii: "\\") ? 2 : 1 }
        return (start + 1)..<min(at, end)
    }

    private static func element(_ octets: Octets, _ start: Int, _ end: Int) -> Range<Int>? {
        var at = start
        while at < end, octets[at] != UInt8(ascii: "<") { at += 1 }
        return start..<at
    }

    /// Whether only spaces and a hyphen stand between the line's start and `at`, which is not the text's start.
    private static func isLineStart(_ octets: Octets, _ at: Int, _ lower: Int) -> Bool {
        var at = at
        while at > lower {
            switch octets[at - 1] {
            case 0x20, 0x09, UInt8(ascii: "-"): at -= 1
            case 0x0A, 0x0D: return true
            default: return false
            }
        }
        return true
    }

    /// What follows a name and a colon at the start of a line, to the line's end.
    private static func line(_ octets: Octets, _ start: Int, _ end: Int) -> Range<Int>? {
        var at = start
        while at < end, octets[at] == 0x20 || octets[at] == 0x09 { at += 1 }
        guard at < end else { return nil }
        if octets[at] == UInt8(ascii: "\"") || octets[at] == UInt8(ascii: "'") { return quoted(octets, at, end) }
        var upper = at
        while upper < end, octets[upper] != 0x0A, octets[upper] != 0x0D { upper += 1 }
        return at..<upper
    }
}
