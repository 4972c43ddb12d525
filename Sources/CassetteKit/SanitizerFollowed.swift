/// Short values that a rule follows (`link`): where they are a whole segment of a path, or a whole value under a name that ends
/// like the one under which they were met.
extension SanitizerPass {
    /// The edit for a value that is a followed one as a whole, whose place is noted then.
    ///
    /// - Parameter name: the value's name, folded.
    mutating func whole(
        _ octets: Octets, _ range: Range<Int>, _ name: [UInt8], _ place: SecretLocation
    ) -> SanitizerEdit? {
        guard !tracked.wholes.isEmpty, range.count < SecretLedger.trackedLength,
            let found = tracked.wholes[Array(octets[range])], Self.ends(name, with: found.name)
        else { return nil }
        if !isKey { noteUnnamed(place) }
        return followed(found, range, place)
    }

    mutating func followed(
        _ whole: SecretIndex.Whole, _ range: Range<Int>, _ place: SecretLocation
    ) -> SanitizerEdit {
        if !isKey { count(tables.trackedRule, place) }
        let replacement = isKey ? SecretPlaceholder.unnamed : whole.replacement
        return SanitizerEdit(range: range, replacement: replacement, rule: tables.trackedRule)
    }

    private static func ends(_ name: [UInt8], with end: [UInt8]) -> Bool {
        !end.isEmpty && name.count >= end.count && name.suffix(end.count).elementsEqual(end)
    }

    /// Segments of paths within text, as in Location and in links.
    mutating func followedSegments(
        _ octets: Octets, _ range: Range<Int>, _ location: SecretLocation, _ edits: inout [SanitizerEdit]
    ) {
        guard !tracked.wholes.isEmpty else { return }
        var at = range.lowerBound
        while at < range.upperBound {
            guard octets[at] == UInt8(ascii: "/") else {
                at += 1
                continue
            }
            let start = at + 1
            var end = start
            while end < range.upperBound, SecretPlaceholder.isNameOctet(octets[end]) { end += 1 }
            // A number behind a number and a slash belongs to a date or a fraction.
            let isFraction = at > range.lowerBound && octets[at - 1] &- 0x30 < 10
            if !isFraction, end > start, end - start < SecretLedger.trackedLength,
                let found = tracked.wholes[Array(octets[start..<end])]
            {
                edits.append(followed(found, start..<end, location))
            }
            at = end
        }
    }

    /// Whether a single known secret fills the range, though no rule names the place.
    func isFilled(_ edits: [SanitizerEdit], _ range: Range<Int>) -> Bool {
        !isKey && edits.count == 1 && edits[0].rule == tables.trackedRule && edits[0].range == range
            && !edits[0].isFiller
    }

    /// Notes the place if a known secret fills it.
    mutating func note(_ edits: [SanitizerEdit], fill range: Range<Int>, _ place: SecretLocation) {
        if isFilled(edits, range) { noteUnnamed(place) }
    }
}
