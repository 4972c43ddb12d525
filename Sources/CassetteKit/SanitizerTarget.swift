extension SanitizerPass {
    /// A request target with the secrets in its path and query replaced.
    mutating func target(_ target: [UInt8]) -> [UInt8] {
        let edits = target.withUnsafeBufferPointer { octets in
            let question = octets.firstIndex(of: UInt8(ascii: "?")) ?? octets.count
            var edits = path(octets, 0..<question)
            if question + 1 < octets.count {
                let query = (question + 1)..<octets.count
                var found = items(octets, query, .query)
                // Of a query without items nothing stays.
                if found.count == 1, found[0].range == query, found[0].replacement.isEmpty {
                    found[0].range = question..<octets.count
                }
                edits += found
            }
            return edits
        }
        return gate(SanitizerEdit.apply(edits, to: target), location(.query))
    }

    /// A text that stands alone, as a reason phrase does.
    mutating func value(_ value: [UInt8]) -> [UInt8] {
        guard value.count >= 4 else { return value }
        let edits = value.withUnsafeBufferPointer { text($0, 0..<$0.count, location(.text)) }
        return gate(SanitizerEdit.apply(edits, to: value), location(.text))
    }

    private mutating func path(_ octets: Octets, _ range: Range<Int>) -> [SanitizerEdit] {
        var edits: [SanitizerEdit] = []
        var removals = SanitizerRemovals()
        var start = range.lowerBound
        var index = 0
        while start <= range.upperBound {
            var end = start
            var hasEscapes = false
            while end < range.upperBound, octets[end] != UInt8(ascii: "/") {
                if octets[end] == UInt8(ascii: "%") { hasEscapes = true }
                end += 1
            }
            var removed: Int?
            if start < end { edits += segment(octets, start..<end, index, hasEscapes, &removed) }
            if tables.removes { removals.member(start..<end, removedBy: removed) }
            start = end + 1
            index += 1
        }
        return removals.edits.isEmpty ? edits : SanitizerEdit.ordered(edits + removals.edits)
    }

    private mutating func segment(
        _ octets: Octets, _ range: Range<Int>, _ index: Int, _ hasEscapes: Bool, _ removed: inout Int?
    ) -> [SanitizerEdit] {
        let place = location(.path)
        if let rule = local.segments[index] {
            if takesOut(octets, range, rule: rule, name: "path", at: place) {
                removed = rule
                return []
            }
            let placeholder = hide(octets, range, rule: rule, name: "path", at: place)
            return placeholder.map {
                [SanitizerEdit(range: range, replacement: SanitizerView.spelled($0, .percent), rule: rule)]
            } ?? []
        }
        if let whole = tracked.wholes.isEmpty ? nil : tracked.wholes[Array(octets[range])] {
            if !isKey { unnamedSegments.insert(index) }
            return [followed(whole, range, place)]
        }
        guard range.count >= 4 else { return [] }
        let edits: [SanitizerEdit]
        if hasEscapes {
            let view = SanitizerView(octets, range, undoing: .percent)
            edits = view.octets.withUnsafeBufferPointer { text($0, 0..<$0.count, place).map(view.original) }
        } else {
            edits = text(octets, range, place)
        }
        if isFilled(edits, range) { unnamedSegments.insert(index) }
        return edits
    }
}
