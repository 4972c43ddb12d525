/// What was noted before a secret was known, without it.
extension Sanitizer {
    /// Secret places whose paths and names hold no known secret: a segment that does counts as any, and a place whose own name
    /// does is let go.
    func mended(_ places: [SecretPlace], ledger: SecretLedger) -> [SecretPlace] {
        let pass = SanitizerPass(tables: tables, mode: .store(ledger, .client), side: .request)
        var clean: [SecretPlace] = []
        for place in places where !pass.hasSecret(place.location.name) {
            var place = place
            let segments = place.path.split(separator: "/", omittingEmptySubsequences: false)
            place.path = segments.map { segment in
                segment.hasPrefix("{") || !pass.hasSecret(String(segment)) ? String(segment) : "*"
            }.joined(separator: "/")
            if !clean.contains(place) { clean.append(place) }
        }
        return clean
    }

    /// Counts whose places hold no known secret in their names.
    func mended(_ counts: [HiddenCount], ledger: SecretLedger) -> [HiddenCount] {
        let pass = SanitizerPass(tables: tables, mode: .store(ledger, .client), side: .request)
        var clean: [HiddenCount: Int] = [:]
        for count in counts {
            var key = count
            key.count = 0
            if pass.hasSecret(key.location.name) { key.location.name = "…" }
            clean[key, default: 0] += count.count
        }
        return clean.map { HiddenCount(rule: $0.rule, location: $0.location, count: $1) }.sorted {
            ($0.rule, $0.location.description) < ($1.rule, $1.location.description)
        }
    }
}
