/// What becomes of the values in JSON.
extension SanitizerPass {
    mutating func string(
        _ octets: Octets, _ cursor: JSONCursor, _ frames: inout [JSONFrame], _ outer: SecretLocation, _ depth: Int
    ) -> [SanitizerEdit] {
        let range = cursor.range
        guard !range.isEmpty else { return [] }
        guard let rule = rule(octets, frames) else {
            return free(octets, cursor, frames, outer, depth)
        }
        let condition = tables.secretNames(rule)?.condition ?? .any
        if condition == .oauth {
            frames[frames.count - 1].codes.append((frames[frames.count - 1].name, range, rule))
            return []
        }
        guard isSecret(octets, range, condition) else { return free(octets, cursor, frames, outer, depth) }
        let value = SanitizerCredentials.behindScheme(octets, range) ?? range
        return hide(octets, value, cursor.hasEscapes, rule, frames, outer).map { [$0] } ?? []
    }

    private mutating func hide(
        _ octets: Octets, _ range: Range<Int>, _ hasEscapes: Bool, _ rule: Int, _ frames: [JSONFrame],
        _ outer: SecretLocation
    ) -> SanitizerEdit? {
        let name = SecretPlaceholder.name(nearestName(octets, frames))
        let place = place(octets, frames, outer)
        let detail = { Self.detail(octets, frames) }
        let placeholder: [UInt8]?
        if hasEscapes {
            let view = SanitizerView(octets, range, undoing: .json)
            placeholder = view.octets.withUnsafeBufferPointer {
                hide($0, 0..<$0.count, rule: rule, name: name, at: place, detail: detail)
            }
        } else {
            placeholder = hide(octets, range, rule: rule, name: name, at: place, detail: detail)
        }
        return placeholder.map {
            SanitizerEdit(range: range, replacement: SanitizerView.spelled($0, .json), rule: rule)
        }
    }

    mutating func codes(
        _ frame: JSONFrame, _ octets: Octets, _ frames: [JSONFrame], _ outer: SecretLocation
    ) -> [SanitizerEdit] {
        frame.codes.compactMap { code in
            var named = frame
            named.name = code.name
            return hide(octets, code.value, true, code.rule, frames + [named], outer)
        }
    }

    /// A number stays a number, and keeps its link.
    mutating func number(
        _ octets: Octets, _ range: Range<Int>, _ frames: [JSONFrame], _ outer: SecretLocation
    ) -> SanitizerEdit? {
        // Nought tells nothing.
        guard range.count > 1 || octets[range.lowerBound] != UInt8(ascii: "0") else { return nil }
        guard let rule = rule(octets, frames) else { return freeNumber(octets, range, frames, outer) }
        let names = tables.secretNames(rule)
        guard names?.condition != .oauth, names == nil || isSecret(octets, range, names?.condition ?? .any) else {
            return nil
        }
        let name = SecretPlaceholder.name(nearestName(octets, frames))
        return number(octets, range, rule, name, frames, outer)
    }

    private mutating func number(
        _ octets: Octets, _ range: Range<Int>, _ rule: Int, _ name: String, _ frames: [JSONFrame],
        _ outer: SecretLocation
    ) -> SanitizerEdit? {
        let place = place(octets, frames, outer)
        let replacement = hideNumber(octets, range, rule: rule, name: name, at: place) { Self.detail(octets, frames) }
        return replacement.map { SanitizerEdit(range: range, replacement: $0, rule: rule) }
    }

    /// A number that no rule names by its place: a card's, one that a pattern finds, or a known secret.
    private mutating func freeNumber(
        _ octets: Octets, _ range: Range<Int>, _ frames: [JSONFrame], _ outer: SecretLocation
    ) -> SanitizerEdit? {
        if isKey, SecretPlaceholder.isNumber(octets, range) {
            return SanitizerEdit(range: range, replacement: [UInt8(ascii: "0")], rule: tables.trackedRule)
        }
        if let card = tables.patterns[.card],
            SecretPattern.card(octets, range.lowerBound, range.upperBound) == range.upperBound
        {
            return number(octets, range, card, tables.id(card), frames, outer)
        }
        for (pattern, rule) in tables.expressions where !pattern.matches(in: octets, range).isEmpty {
            return number(octets, range, rule, SecretPlaceholder.name(tables.id(rule).utf8), frames, outer)
        }
        return knownNumber(octets, range, frames, outer)
    }

    private mutating func knownNumber(
        _ octets: Octets, _ range: Range<Int>, _ frames: [JSONFrame], _ outer: SecretLocation
    ) -> SanitizerEdit? {
        if !tracked.wholes.isEmpty {
            let place = place(octets, frames, outer)
            if var edit = whole(octets, range, SanitizerNames.folded(nearestName(octets, frames)), place) {
                edit.replacement = isKey ? [UInt8(ascii: "0")] : numberInstead(octets, range, edit.replacement)
                return edit
            }
        }
        guard range.count >= 4 else { return nil }
        var rule = tables.trackedRule
        var match = tracked.matches(in: octets, range)?.first { !$0.isFiller }
        if match == nil {
            rule = tables.literalsRule
            match = tables.literals.matches(in: octets, range)?.first { !$0.isFiller }
        }
        guard let match else { return nil }
        let place = place(octets, frames, outer)
        if isKey { return SanitizerEdit(range: range, replacement: [UInt8(ascii: "0")], rule: rule) }
        count(rule, place)
        if outer.name.isEmpty { noteUnnamed(place) }
        let replacement = numberInstead(octets, range, match.replacement)
        return SanitizerEdit(range: range, replacement: replacement, rule: rule)
    }

    /// A string that no rule names.
    private mutating func free(
        _ octets: Octets, _ cursor: JSONCursor, _ frames: [JSONFrame], _ outer: SecretLocation, _ depth: Int
    ) -> [SanitizerEdit] {
        let range = cursor.range
        if !tracked.wholes.isEmpty {
            let place = place(octets, frames, outer)
            if let edit = whole(octets, range, SanitizerNames.folded(nearestName(octets, frames)), place) {
                return [edit]
            }
        }
        guard range.count >= 4 else { return [] }
        let place = place(octets, frames, outer)
        let edits: [SanitizerEdit]
        if cursor.hasEscapes {
            let view = SanitizerView(octets, range, undoing: .json)
            edits = view.octets.withUnsafeBufferPointer {
                leaf($0, 0..<$0.count, place, depth: depth + 1).map(view.original)
            }
        } else {
            edits = leaf(octets, range, place, depth: depth + 1).map { SanitizerView.spelled($0, .json) }
        }
        if outer.name.isEmpty { note(edits, fill: range, place) }
        return edits
    }

    /// A value without escapes of its own: JSON, Base64 of JSON, or text.
    mutating func leaf(
        _ octets: Octets, _ range: Range<Int>, _ place: SecretLocation, depth: Int
    ) -> [SanitizerEdit] {
        switch octets[range.lowerBound] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if depth < Self.stringDepth {
                isTooDeep = false
                if let edits = json(octets, range, place, depth: depth) { return edits }
            }
            if depth >= Self.stringDepth || isTooDeep {
                let placeholder = SecretPlaceholder.text("nested")
                return [SanitizerEdit(range: range, replacement: Array(placeholder.utf8), rule: tables.trackedRule)]
            }
        case UInt8(ascii: "e"), UInt8(ascii: "W"):
            if depth < Self.stringDepth, let edits = base64(octets, range, place, depth) { return edits }
        default: break
        }
        return text(octets, range, place)
    }

    /// Base64 of JSON that holds secrets, written anew.
    private mutating func base64(
        _ octets: Octets, _ range: Range<Int>, _ place: SecretLocation, _ depth: Int
    ) -> [SanitizerEdit]? {
        guard range.count >= 12, let decoded = Base64.decode(octets, range),
            decoded.first == UInt8(ascii: "{") || decoded.first == UInt8(ascii: "[")
        else { return nil }
        let edits = decoded.withUnsafeBufferPointer { json($0, 0..<$0.count, place, depth: depth + 1) }
        guard let edits, !edits.isEmpty else { return nil }
        let isURL = octets[range].contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let isPadded = octets[range.upperBound - 1] == UInt8(ascii: "=") || range.count % 4 == 0
        let encoded = Base64.encode(SanitizerEdit.apply(edits, to: decoded), isURL: isURL, pads: isPadded)
        return [SanitizerEdit(range: range, replacement: encoded, rule: edits[0].rule, isFiller: true)]
    }
}
