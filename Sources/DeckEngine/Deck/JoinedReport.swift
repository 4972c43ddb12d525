package import CassetteKit

extension RunReport {
    /// A report as ``json`` wrote it; nil for a document that is none.
    package init?(_ document: JSONValue) {
        guard let mode = document["mode"]?.text.flatMap(DeckOptions.Mode.init(rawValue:)),
            let requests = document["requests"]?.integer
        else { return nil }
        func number(_ key: String) -> Int { document[key]?.integer ?? 0 }
        func list(_ key: String) -> [String] { (document[key]?.elements ?? []).compactMap(\.text) }
        self.init(mode: mode)
        self.requests = requests
        cassette = document["cassette"]?.text
        hits = number("hits")
        misses = number("misses")
        faults = number("faults")
        repeats = number("repeats")
        overServed = number("overServed")
        unused = list("unused")
        unmet = list("unmet")
        met = list("met")
        upstreamConnections = number("upstreamConnections")
        nameLookups = number("nameLookups")
        expired = list("expired")
        for member in document["externalHosts"]?.members ?? [] { externalHosts[member.key.text] = member.value.integer }
        strict = Set(list("strict").compactMap(StrictCheck.init(rawValue:)))
        failures = list("failures")
    }

    /// The parts of one run, as one: figures are added, and only what no part asked for or met counts as such.
    ///
    /// - Parameter reports: at least one.
    package init(joining reports: [RunReport]) {
        self.init(mode: reports.first?.mode ?? .replay)
        let cassettes = Set(reports.compactMap(\.cassette))
        cassette = cassettes.count == 1 ? cassettes.first : nil
        for report in reports { add(report) }
        met = Set(reports.flatMap(\.met)).sorted()
        unmet = Set(reports.flatMap(\.unmet)).subtracting(met).sorted()
        for name in cassettes.sorted() {
            let parts = reports.filter { $0.cassette == name }
            unused += Self.inAll(parts.map(\.unused)).map { cassettes.count == 1 ? $0 : "\(name)/\($0)" }
        }
        if cassettes.isEmpty { unused = Self.inAll(reports.map(\.unused)) }
        failures = findings + reports.flatMap { report in report.failures.filter { !report.findings.contains($0) } }
    }

    /// Adds the figures of another part.
    private mutating func add(_ report: RunReport) {
        requests += report.requests
        hits += report.hits
        misses += report.misses
        faults += report.faults
        repeats += report.repeats
        overServed += report.overServed
        upstreamConnections += report.upstreamConnections
        nameLookups += report.nameLookups
        strict.formUnion(report.strict)
        externalHosts.merge(report.externalHosts) { $0 + $1 }
        expired += report.expired.filter { !expired.contains($0) }
    }

    private static func inAll(_ lists: [[String]]) -> [String] {
        (lists.first ?? []).filter { text in lists.dropFirst().allSatisfy { $0.contains(text) } }
    }

    /// What the chosen checks find in the figures, a sentence each.
    var findings: [String] { checks.filter(\.isChosen).flatMap(\.found) }

    /// One check of the verdict.
    struct Check {
        var name: String
        /// Whether `--strict` asks for it.
        var isChosen: Bool
        /// What it finds; empty is fine.
        var found: [String]
    }

    /// All checks, chosen or not.
    var checks: [Check] {
        [
            Check(name: "misses", isChosen: strict.contains(.misses), found: misses == 0 ? [] : [missesInWords]),
            Check(name: "unused", isChosen: strict.contains(.unused), found: unused.isEmpty ? [] : [unusedInWords]),
            Check(
                name: "repeats", isChosen: strict.contains(.repeats), found: overServed == 0 ? [] : [overServedInWords]),
            Check(name: "faults", isChosen: strict.contains(.unused), found: unmet.map { "never met: \($0)" }),
            Check(name: "hosts", isChosen: strict.contains(.hosts), found: externalInWords),
            Check(name: "expiry", isChosen: !strict.isEmpty, found: expired),
        ]
    }

    /// Of each host that is no upstream, what to do about it.
    var externalInWords: [String] {
        externalHosts.sorted { $0.key < $1.key }.map { host, count in
            let name = host.prefix { $0 != "." && $0 != ":" }
            return
                "the app was handed \(count) \(count == 1 ? "URL" : "URLs") on \(host): add --upstream \(name)=https://\(host), "
                + "or name it under \"externalHosts\""
        }
    }

    private var missesInWords: String {
        "\(misses) \(misses == 1 ? "request was" : "requests were") not on the cassette"
    }

    private var unusedInWords: String {
        let more = unused.count > 10 ? " and \(unused.count - 10) more" : ""
        return "not asked for: \(unused.prefix(10).joined(separator: ", "))\(more)"
    }

    private var overServedInWords: String {
        let times = overServed == 1 ? "a request came" : "\(overServed) requests came"
        return "\(times) more often than recorded, where the playback policy is error"
    }
}
