/// A stretch of octets and what stands in its place.
struct SanitizerEdit: Sendable, Equatable {
    var range: Range<Int>
    var replacement: [UInt8]
    /// The index of the rule that asked for it.
    var rule: Int
    /// Whether the replacement is Base64 that stands for Base64.
    var isFiller = false

    /// Puts edits in order and joins those that overlap: the first one's replacement then stands for both.
    static func ordered(_ edits: [SanitizerEdit]) -> [SanitizerEdit] {
        guard edits.count > 1 else { return edits }
        var sorted = edits
        if !zip(edits, edits.dropFirst()).allSatisfy({ $0.range.upperBound <= $1.range.lowerBound }) {
            sorted.sort { ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound) }
        }
        var joined: [SanitizerEdit] = []
        joined.reserveCapacity(sorted.count)
        for edit in sorted {
            if let last = joined.last, last.range.upperBound > edit.range.lowerBound {
                let upper = max(last.range.upperBound, edit.range.upperBound)
                joined[joined.count - 1].range = last.range.lowerBound..<upper
            } else {
                joined.append(edit)
            }
        }
        return joined
    }

    /// The octets with every edit made. `edits` are in order and do not overlap.
    static func apply(_ edits: [SanitizerEdit], to octets: [UInt8]) -> [UInt8] {
        guard !edits.isEmpty else { return octets }
        var result: [UInt8] = []
        result.reserveCapacity(octets.count)
        var at = 0
        for edit in edits {
            result.append(contentsOf: octets[at..<edit.range.lowerBound])
            result.append(contentsOf: edit.replacement)
            at = edit.range.upperBound
        }
        result.append(contentsOf: octets[at...])
        return result
    }
}
