/// The candidate most like `word`, if one is near enough to be what was meant.
///
/// Near enough is one edit for up to three letters, two for up to six, else a third of the word's length; a candidate
/// that begins with the word is near too. Ties go to the earlier candidate.
package func nearestName(to word: String, among candidates: [String]) -> String? {
    let typed = Array(word.lowercased().utf8)
    let allowed = typed.count <= 3 ? 1 : max(2, typed.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
        let octets = Array(candidate.lowercased().utf8)
        let isBeginning = typed.count >= 2 && octets.starts(with: typed)
        let distance = isBeginning ? 1 : editDistance(typed, octets)
        if distance <= allowed, distance < (best?.distance ?? .max) {
            best = (candidate, distance)
        }
    }
    return best?.name
}

/// Insertions, deletions, replacements and swaps of neighbors that turn one word into the other.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
        var row = [i + 1]
        for j in 0..<b.count {
            var cost = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                cost = min(cost, rows[i - 1][j - 1] + 1)
            }
            row.append(cost)
        }
        rows.append(row)
    }
    return rows[a.count][b.count]
}
