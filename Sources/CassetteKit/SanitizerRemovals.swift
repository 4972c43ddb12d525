/// Takes members out of a list, each with one of the separators around it, so that what is left is well-formed: JSON members and
/// elements, items of queries and forms, cookies, segments.
struct SanitizerRemovals: Sendable {
    private(set) var edits: [SanitizerEdit] = []
    private var lastEnd = 0
    private var hasKept = false
    /// Where the removed members begin that stand before all that are kept, and the rule of the first.
    private var leading: (start: Int, rule: Int)?

    /// Takes up the next member, which is taken out by a rule, or kept.
    mutating func member(_ range: Range<Int>, removedBy rule: Int?) {
        defer { lastEnd = range.upperBound }
        guard let rule else {
            if let leading { take(leading.start..<range.lowerBound, leading.rule) }
            leading = nil
            hasKept = true
            return
        }
        if hasKept {
            take(lastEnd..<range.upperBound, rule)
        } else {
            leading = leading ?? (range.lowerBound, rule)
        }
    }

    /// Ends the list; `inside` is what stands between its ends, taken out whole if no member is left.
    ///
    /// - Returns: whether members were taken out and none is left.
    mutating func end(_ inside: Range<Int>) -> Bool {
        guard let leading else { return false }
        take(inside, leading.rule)
        self.leading = nil
        return true
    }

    private mutating func take(_ range: Range<Int>, _ rule: Int) {
        edits.append(SanitizerEdit(range: range, replacement: [], rule: rule))
    }
}
