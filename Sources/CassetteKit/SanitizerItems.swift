/// Query items and form fields: `name=value` with `&` between.
extension SanitizerPass {
    /// The edits for a query or a form that fills `range`, in order; one that empties the range if all items are taken out.
    mutating func items(_ octets: Octets, _ range: Range<Int>, _ part: SecretLocation.Part) -> [SanitizerEdit] {
        var edits: [SanitizerEdit] = []
        var removals = SanitizerRemovals()
        var hasCompanion: Bool?
        var start = range.lowerBound
        while start <= range.upperBound {
            var end = start
            var equals: Int?
            while end < range.upperBound, octets[end] != UInt8(ascii: "&") {
                if equals == nil, octets[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            var removed: Int?
            if let equals {
                edits += item(octets, start..<equals, (equals + 1)..<end, part, &removed) {
                    if let hasCompanion { return hasCompanion }
                    let found = $0.hasCompanion(octets, range)
                    hasCompanion = found
                    return found
                }
            } else if start < end {
                removed = bare(octets, start..<end, part)
                edits += freeText(octets, start..<end, location(part))
            }
            if tables.removes { removals.member(start..<end, removedBy: removed) }
            start = end + 1
        }
        if removals.end(range) { return removals.edits.suffix(1) }
        return removals.edits.isEmpty ? edits : SanitizerEdit.ordered(edits + removals.edits)
    }

    /// The rule that takes out an item without a value.
    private mutating func bare(_ octets: Octets, _ name: Range<Int>, _ part: SecretLocation.Part) -> Int? {
        guard tables.removes, let rule = nameRule(octets, name, [], part), tables.secretNames(rule)?.condition == .any,
            takesOut(octets, name.upperBound..<name.upperBound, rule: rule, name: "", at: location(part, octets[name]))
        else { return nil }
        return rule
    }

    private mutating func item(
        _ octets: Octets, _ name: Range<Int>, _ value: Range<Int>, _ part: SecretLocation.Part, _ removed: inout Int?,
        hasCompanion: (borrowing SanitizerPass) -> Bool
    ) -> [SanitizerEdit] {
        let inName = name.count < 4 ? [] : freeText(octets, name, location(part))
        let plain = Self.isPlain(octets, name) ? nil : SanitizerView(octets, name, undoing: .percentAndPlus).octets
        let place = plain.map { location(part, $0) } ?? location(part, octets[name])
        var rule = local.items.isEmpty ? nil : local.items[place]
        if rule == nil, let found = nameRule(octets, name, inName, part) {
            let condition = tables.secretNames(found)?.condition ?? .any
            let isMet =
                condition == .oauth
                ? SecretPlaceholder.begins(octets, value) || hasCompanion(self)
                : isSecret(octets, value, condition)
            if isMet { rule = found }
        }
        if let rule, tables.removes,
            takesOut(octets, value, rule: rule, name: SecretPlaceholder.name(octets[name]), at: place)
        {
            removed = rule
            return []
        }
        guard !value.isEmpty else { return inName }
        if let rule { return inName + named(octets, value, rule, plain ?? Array(octets[name]), place) }
        if !tracked.wholes.isEmpty,
            let edit = whole(octets, value, SanitizerNames.folded(plain ?? Array(octets[name])), place)
        {
            return inName + [edit]
        }
        return value.count < 4 ? inName : inName + free(octets, value, place)
    }

    /// The rule for a name. Where secrets stand in it, what is behind them counts, whether they are hidden already or not.
    private func nameRule(
        _ octets: Octets, _ name: Range<Int>, _ secrets: [SanitizerEdit], _ part: SecretLocation.Part
    ) -> Int? {
        let names = part == .query ? tables.names.query : tables.names.form
        let start = secrets.last?.range.upperBound ?? name.lowerBound
        let tail = SecretPlaceholder.tail(octets, start..<name.upperBound)
        if Self.isPlain(octets, tail) { return names.rule(octets, tail) }
        return names.rule(SanitizerView(octets, tail, undoing: .percentAndPlus).octets)
    }

    private mutating func named(
        _ octets: Octets, _ value: Range<Int>, _ rule: Int, _ name: [UInt8], _ place: SecretLocation
    ) -> [SanitizerEdit] {
        let view = SanitizerView(octets, value, undoing: .percentAndPlus)
        let placeholder = view.octets.withUnsafeBufferPointer {
            hide($0, 0..<$0.count, rule: rule, name: SecretPlaceholder.name(name), at: place)
        }
        return placeholder.map {
            [SanitizerEdit(range: value, replacement: SanitizerView.spelled($0, .percent), rule: rule)]
        } ?? []
    }

    /// A name, or an item without a value.
    private mutating func freeText(_ octets: Octets, _ range: Range<Int>, _ place: SecretLocation) -> [SanitizerEdit] {
        if Self.isPlain(octets, range) { return text(octets, range, place) }
        let view = SanitizerView(octets, range, undoing: .percentAndPlus)
        return view.octets.withUnsafeBufferPointer { text($0, 0..<$0.count, place).map(view.original) }
    }

    /// A value under a name that no rule has.
    private mutating func free(
        _ octets: Octets, _ value: Range<Int>, _ place: SecretLocation
    ) -> [SanitizerEdit] {
        let edits =
            Self.isPlain(octets, value)
            ? leaf(octets, value, place, depth: 0).map { SanitizerView.spelled($0, .percent) }
            : escaped(octets, value, place, depth: 0)
        note(edits, fill: value, place)
        return edits
    }

    /// How often escapes of escapes are undone.
    private static let escapesLimit = 3

    /// A value with its escapes undone, and theirs in turn: a URL within a URL within a URL.
    private mutating func escaped(
        _ octets: Octets, _ value: Range<Int>, _ place: SecretLocation, depth: Int
    ) -> [SanitizerEdit] {
        let view = SanitizerView(octets, value, undoing: .percentAndPlus)
        return view.octets.withUnsafeBufferPointer { inner in
            let whole = 0..<inner.count
            var edits = leaf(inner, whole, place, depth: 0)
            if edits.isEmpty, depth < Self.escapesLimit, inner.contains(UInt8(ascii: "%")) {
                edits = escaped(inner, whole, place, depth: depth + 1)
            }
            return edits.map(view.original)
        }
    }

    private static func isPlain(_ octets: Octets, _ range: Range<Int>) -> Bool {
        for at in range where octets[at] == UInt8(ascii: "%") || octets[at] == UInt8(ascii: "+") { return false }
        return true
    }

    private func hasCompanion(_ octets: Octets, _ range: Range<Int>) -> Bool {
        var start = range.lowerBound
        while start <= range.upperBound {
            var end = start
            while end < range.upperBound, octets[end] != UInt8(ascii: "&") { end += 1 }
            var equals = start
            while equals < end, octets[equals] != UInt8(ascii: "=") { equals += 1 }
            if equals > start, tables.companions.rule(octets, start..<equals) != nil { return true }
            start = end + 1
        }
        return false
    }
}
