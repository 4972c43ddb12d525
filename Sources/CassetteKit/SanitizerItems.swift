/// Query items and form fields: `name=value` with `&` between.
extension SanitizerPass {
    /// The edits for a query or a form that fills `range`, in order.
    mutating func items(_ octets: Octets, _ range: Range<Int>, _ part: SecretLocation.Part) -> [SanitizerEdit] {
        var edits: [SanitizerEdit] = []
        var hasCompanion: Bool?
        var start = range.lowerBound
        while start <= range.upperBound {
            var end = start
            var equals: Int?
            while end < range.upperBound, octets[end] != UInt8(ascii: "&") {
                if equals == nil, octets[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if let equals {
                edits += item(octets, start..<equals, (equals + 1)..<end, part) {
                    if let hasCompanion { return hasCompanion }
                    let found = $0.hasCompanion(octets, range)
                    hasCompanion = found
                    return found
                }
            } else if start < end {
                edits += freeText(octets, start..<end, location(part))
            }
            start = end + 1
        }
        return edits
    }

    private mutating func item(
        _ octets: Octets, _ name: Range<Int>, _ value: Range<Int>, _ part: SecretLocation.Part,
        hasCompanion: (borrowing SanitizerPass) -> Bool
    ) -> [SanitizerEdit] {
        let inName = name.count < 4 ? [] : freeText(octets, name, location(part))
        guard !value.isEmpty else { return inName }
        let plain = Self.isPlain(octets, name) ? nil : SanitizerView(octets, name, undoing: .percentAndPlus).octets
        let place = plain.map { location(part, $0) } ?? location(part, octets[name])
        var rule = local.items.isEmpty ? nil : local.items[place]
        if rule == nil, let found = nameRule(octets, name, inName),
            let names = tables.secretNames(found), names.parts.contains(part == .query ? .query : .form)
        {
            let isMet =
                names.condition == .oauth
                ? SecretPlaceholder.begins(octets, value) || hasCompanion(self)
                : isSecret(octets, value, names.condition)
            if isMet { rule = found }
        }
        if let rule { return inName + named(octets, value, rule, plain ?? Array(octets[name]), place) }
        return value.count < 4 ? inName : inName + free(octets, value, place)
    }

    /// The rule for a name. Where secrets stand in it, what is behind them counts, whether they are hidden already or not.
    private func nameRule(_ octets: Octets, _ name: Range<Int>, _ secrets: [SanitizerEdit]) -> Int? {
        let start = secrets.last?.range.upperBound ?? name.lowerBound
        let tail = SecretPlaceholder.tail(octets, start..<name.upperBound)
        if Self.isPlain(octets, tail) { return tables.names.rule(octets, tail) }
        return tables.names.rule(SanitizerView(octets, tail, undoing: .percentAndPlus).octets)
    }

    private mutating func named(
        _ octets: Octets, _ value: Range<Int>, _ rule: Int, _ name: [UInt8], _ place: SecretLocation
    ) -> [SanitizerEdit] {
        let view = SanitizerView(octets, value, undoing: .percentAndPlus)
        let placeholder = view.octets.withUnsafeBufferPointer {
            hide($0, 0..<$0.count, rule: rule, name: SecretPlaceholder.name(name), at: place)
        }
        return placeholder.map { [SanitizerEdit(range: value, replacement: $0, rule: rule)] } ?? []
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
            ? leaf(octets, value, place, depth: 0) : escaped(octets, value, place, depth: 0)
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

    /// Notes the place if a known secret fills it.
    mutating func note(_ edits: [SanitizerEdit], fill range: Range<Int>, _ place: SecretLocation) {
        guard !isKey, edits.count == 1, edits[0].rule == tables.trackedRule, edits[0].range == range,
            SecretPlaceholder.begins(edits[0].replacement)
        else { return }
        noteUnnamed(place)
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
