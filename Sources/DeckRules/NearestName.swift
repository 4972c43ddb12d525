/// Finds the known name that a misspelled one most likely means.
///
/// - Returns: the candidate with the fewest edits (Damerau-Levenshtein, without case), or nil where more than a third of
///   the word would have to change. Of equally near ones the first in alphabetical order.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().utf8)
    let limit = max(1, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates.sorted() where candidate != name {
        let distance = editDistance(wanted, Array(candidate.lowercased().utf8))
        if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
}

/// The sentence "did you mean …?" for a misspelled name, or the list of what there is.
package func suggestion(for name: String, among candidates: some Collection<String>) -> String {
    if let near = nearestName(to: name, among: candidates) { return "did you mean `\(near)`?" }
    let known = candidates.sorted()
    if known.isEmpty { return "there is none yet" }
    let shown = known.prefix(24).map { "`\($0)`" }.joined(separator: ", ")
    return known.count > 24 ? "known are \(shown) and \(known.count - 24) more" : "known are \(shown)"
}

/// Counts insertions, deletions, replacements and swaps of neighbors that turn one word into the other.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 1...a.count {
        var row = [Int](repeating: i, count: b.count + 1)
        for j in 1...b.count {
            let replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
            row[j] = min(replaced, last[j] + 1, row[j - 1] + 1)
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                row[j] = min(row[j], beforeLast[j - 2] + 1)
            }
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}
