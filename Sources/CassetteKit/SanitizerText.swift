/// Text without structure of its own: shapes, `name=value`, `"name": "value"`, `<name>value</name>`, user names and
/// passwords in URLs, and known secrets in every spelling.
extension SanitizerPass {
    /// The edits for text, in order.
    mutating func text(_ octets: Octets, _ range: Range<Int>, _ location: SecretLocation) -> [SanitizerEdit] {
        guard range.count >= 4 else { return [] }
        var edits: [SanitizerEdit] = []
        words(octets, range, location, &edits)
        known(octets, range, location, &edits)
        followedSegments(octets, range, location, &edits)
        if !tables.expressions.isEmpty { expressions(octets, range, location, &edits) }
        guard !edits.isEmpty else { return [] }
        let ordered = SanitizerEdit.ordered(edits)
        return isKey ? Self.extended(ordered, octets, range.upperBound) : ordered
    }

    /// In a key a secret also takes the octets behind it that a placeholder could have, and secrets that follow at once,
    /// for where placeholders stand those can't be told apart.
    private static func extended(_ edits: [SanitizerEdit], _ octets: Octets, _ end: Int) -> [SanitizerEdit] {
        var joined: [SanitizerEdit] = []
        for edit in edits {
            if let last = joined.last, last.replacement == SecretPlaceholder.unnamed,
                edit.range.lowerBound <= last.range.upperBound
            {
                let upper = max(last.range.upperBound, edit.range.upperBound)
                joined[joined.count - 1].range = last.range.lowerBound..<upper
            } else {
                joined.append(edit)
            }
            guard let last = joined.last, last.replacement == SecretPlaceholder.unnamed else { continue }
            var upper = last.range.upperBound
            upper = SecretPlaceholder.end(octets, upper, end)
            joined[joined.count - 1].range = last.range.lowerBound..<upper
        }
        return joined
    }

    private mutating func words(
        _ octets: Octets, _ range: Range<Int>, _ location: SecretLocation, _ edits: inout [SanitizerEdit]
    ) {
        var at = range.lowerBound
        while at < range.upperBound {
            let octet = octets[at]
            guard SecretPlaceholder.isNameOctet(octet) else {
                if let edit = marked(octets, at, range, location, edits.last?.range.upperBound ?? range.lowerBound) {
                    edits.append(edit)
                    at = max(at + 1, edit.range.upperBound)
                } else {
                    at += 1
                }
                continue
            }
            at = word(octets, at, range, location, &edits)
        }
    }

    /// What an octet that is in no word shows: `:` a URL's user, `@` an e-mail address, `+` a telephone number.
    private mutating func marked(
        _ octets: Octets, _ at: Int, _ range: Range<Int>, _ location: SecretLocation, _ after: Int
    ) -> SanitizerEdit? {
        switch octets[at] {
        case UInt8(ascii: ":"): return userinfo(octets, at, range, location)
        case UInt8(ascii: "@"):
            guard let rule = tables.patterns[.email], at > after,
                let found = SecretPattern.email(octets, at: at, range, after: after)
            else { return nil }
            return personal(octets, found, rule, location)
        case UInt8(ascii: "+"):
            guard let rule = tables.patterns[.phone], let end = SecretPattern.phone(octets, at, range.upperBound) else {
                return nil
            }
            return personal(octets, at..<end, rule, location)
        default: return nil
        }
    }

    private mutating func personal(
        _ octets: Octets, _ range: Range<Int>, _ rule: Int, _ location: SecretLocation
    ) -> SanitizerEdit {
        let placeholder = hideFree(octets, range, rule: rule, known: nil, at: location)
        return SanitizerEdit(range: range, replacement: placeholder, rule: rule)
    }

    /// A number of a card or a bank account that begins a word.
    private mutating func account(
        _ octets: Octets, _ start: Int, _ end: Int, _ location: SecretLocation
    ) -> SanitizerEdit? {
        if octets[start] &- 0x30 < 10 {
            guard let rule = tables.patterns[.card], let upper = SecretPattern.card(octets, start, end) else {
                return nil
            }
            return personal(octets, start..<upper, rule, location)
        }
        guard octets[start] &- 0x41 < 26, let rule = tables.patterns[.iban],
            let upper = SecretPattern.iban(octets, start, end)
        else { return nil }
        return personal(octets, start..<upper, rule, location)
    }

    /// Looks at the word that begins at `start` and gives the offset to go on from.
    private mutating func word(
        _ octets: Octets, _ start: Int, _ range: Range<Int>, _ location: SecretLocation,
        _ edits: inout [SanitizerEdit]
    ) -> Int {
        if let edit = account(octets, start, range.upperBound, location) {
            edits.append(edit)
            return edit.range.upperBound
        }
        var end = start
        var isStart = true
        while end < range.upperBound {
            let octet = octets[end]
            guard SecretPlaceholder.isNameOctet(octet) else { break }
            if SecretPlaceholder.isStart(octet), SecretPlaceholder.begins(octets, end..<range.upperBound) {
                return placeholder(octets, end..<range.upperBound, location, &edits)
            }
            if isStart, tables.shapeStarts.contains(octet),
                let edit = shape(octets, end, range.upperBound, octet == UInt8(ascii: "e") && end > start, location)
            {
                edits.append(edit)
                return edit.range.upperBound
            }
            isStart = octet == UInt8(ascii: ".") || octet == UInt8(ascii: "-") || octet == UInt8(ascii: "_")
            end += 1
        }
        guard let edit = named(octets, start..<end, range, location) ?? encoded(octets, start..<end, range, location)
        else { return end }
        edits.append(edit)
        return max(end, edit.range.upperBound)
    }

    /// Leaves a placeholder as it is, but for a stem that holds a secret, and takes it out of a key. Gives the offset behind it.
    private mutating func placeholder(
        _ octets: Octets, _ range: Range<Int>, _ location: SecretLocation, _ edits: inout [SanitizerEdit]
    ) -> Int {
        let end = SecretPlaceholder.end(octets, range.lowerBound, range.upperBound)
        if !renames.isEmpty, let new = SecretPlaceholder.renamed(octets[range.lowerBound..<end], renames) {
            count(tables.trackedRule, location)
            edits.append(SanitizerEdit(range: range.lowerBound..<end, replacement: new, rule: tables.trackedRule))
        }
        if isKey {
            let marker = SecretPlaceholder.unnamed
            edits.append(SanitizerEdit(range: range.lowerBound..<end, replacement: marker, rule: tables.trackedRule))
        }
        return end
    }

    private mutating func shape(
        _ octets: Octets, _ at: Int, _ end: Int, _ isInner: Bool, _ location: SecretLocation
    ) -> SanitizerEdit? {
        // Within a word a token's parts are looked at behind a dot alone, else reading could become slow.
        if isInner, octets[at - 1] != UInt8(ascii: ".") { return nil }
        guard let match = SecretShape.match(octets, at, end), let rule = tables.shapes[match.shape] else { return nil }
        let range = at..<match.end
        let placeholder = hideFree(octets, range, rule: rule, known: nil, at: location)
        return SanitizerEdit(range: range, replacement: placeholder, rule: rule)
    }

    /// Name and password before a URL's host; `colon` stands before two slashes.
    private mutating func userinfo(
        _ octets: Octets, _ colon: Int, _ range: Range<Int>, _ location: SecretLocation
    ) -> SanitizerEdit? {
        let start = colon + 3
        guard let rule = tables.userinfo, start < range.upperBound, octets[colon + 1] == UInt8(ascii: "/"),
            octets[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        var at = start
        var sign: Int?
        scan: while at < range.upperBound {
            switch octets[at] {
            case ...0x20, UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""),
                UInt8(ascii: "<"),
                UInt8(ascii: ">"), UInt8(ascii: "\\"):
                break scan
            case UInt8(ascii: "@"): sign = at
            default: break
            }
            at += 1
        }
        guard let sign, sign > start,
            let placeholder = hide(octets, start..<sign, rule: rule, name: "userinfo", at: location)
        else { return nil }
        return SanitizerEdit(range: start..<sign, replacement: placeholder, rule: rule)
    }

    /// Known secrets and literals: as they are, then with each kind of escape undone that the text has.
    private mutating func known(
        _ octets: Octets, _ range: Range<Int>, _ location: SecretLocation, _ edits: inout [SanitizerEdit]
    ) {
        guard !tracked.isEmpty || !tables.literals.isEmpty else { return }
        matches(octets, range, location, nil, &edits)
        var hasPercent = false
        var hasBackslash = false
        var hasReference = false
        var hasPlus = false
        for at in range {
            switch octets[at] {
            case UInt8(ascii: "%"): hasPercent = true
            case UInt8(ascii: "\\"): hasBackslash = true
            case UInt8(ascii: "&"): hasReference = true
            case UInt8(ascii: "+"): hasPlus = true
            default: break
            }
        }
        if hasPercent || hasPlus { matches(octets, range, location, .percent, &edits) }
        if hasPlus { matches(octets, range, location, .percentAndPlus, &edits) }
        if hasBackslash { matches(octets, range, location, .json, &edits) }
        if hasReference { matches(octets, range, location, .html, &edits) }
    }

    private mutating func matches(
        _ octets: Octets, _ range: Range<Int>, _ location: SecretLocation, _ escapes: SanitizerView.Escapes?,
        _ edits: inout [SanitizerEdit]
    ) {
        guard let escapes else {
            matches(octets, range, location) { edits.append($0) }
            return
        }
        let view = SanitizerView(octets, range, undoing: escapes)
        guard view.isDecoded else { return }
        view.octets.withUnsafeBufferPointer { decoded in
            matches(decoded, 0..<decoded.count, location) { edits.append(view.original($0)) }
        }
    }

    private mutating func matches(
        _ octets: Octets, _ range: Range<Int>, _ location: SecretLocation, _ take: (SanitizerEdit) -> Void
    ) {
        matches(tracked.matches(in: octets, range), octets, tables.trackedRule, location, take)
        matches(tables.literals.matches(in: octets, range), octets, tables.literalsRule, location, take)
    }

    private mutating func matches(
        _ found: [SecretIndex.Match]?, _ octets: Octets, _ rule: Int, _ location: SecretLocation,
        _ take: (SanitizerEdit) -> Void
    ) {
        guard let found else {
            gaveUp = true
            return
        }
        for match in found {
            // What stands for Base64 is Base64, in a key too.
            let placeholder = hideFree(octets, match.range, rule: rule, known: match.replacement, at: location)
            let replacement = match.isFiller ? match.replacement : placeholder
            take(SanitizerEdit(range: match.range, replacement: replacement, rule: rule, isFiller: match.isFiller))
        }
    }
}
