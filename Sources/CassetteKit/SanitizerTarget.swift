extension SanitizerPass {
    /// A request target with the secrets in its path and query replaced.
    mutating func target(_ target: [UInt8]) -> [UInt8] {
        let edits = target.withUnsafeBufferPointer { octets in
            let question = octets.firstIndex(of: UInt8(ascii: "?")) ?? octets.count
            var edits = path(octets, 0..<question)
            if question + 1 < octets.count { edits += items(octets, (question + 1)..<octets.count, .query) }
            return edits
        }
        return gate(SanitizerEdit.apply(edits, to: target), location(.query))
    }

    private mutating func path(_ octets: Octets, _ range: Range<Int>) -> [SanitizerEdit] {
        var edits: [SanitizerEdit] = []
        var start = range.lowerBound
        var index = 0
        while start <= range.upperBound {
            var end = start
            var hasEscapes = false
            while end < range.upperBound, octets[end] != UInt8(ascii: "/") {
                if octets[end] == UInt8(ascii: "%") { hasEscapes = true }
                end += 1
            }
            if start < end { edits += segment(octets, start..<end, index, hasEscapes) }
            start = end + 1
            index += 1
        }
        return edits
    }

    private mutating func segment(
        _ octets: Octets, _ range: Range<Int>, _ index: Int, _ hasEscapes: Bool
    ) -> [SanitizerEdit] {
        let place = location(.path)
        if let rule = local.segments[index] {
            let placeholder = hide(octets, range, rule: rule, name: "path", at: place)
            return placeholder.map { [SanitizerEdit(range: range, replacement: $0, rule: rule)] } ?? []
        }
        guard range.count >= 4 else { return [] }
        let edits: [SanitizerEdit]
        if hasEscapes {
            let view = SanitizerView(octets, range, undoing: .percent)
            edits = view.octets.withUnsafeBufferPointer { text($0, 0..<$0.count, place).map(view.original) }
        } else {
            edits = text(octets, range, place)
        }
        if !isKey, edits.count == 1, edits[0].rule == tables.trackedRule, edits[0].range == range,
            SecretPlaceholder.begins(edits[0].replacement)
        {
            unnamedSegments.insert(index)
        }
        return edits
    }
}
