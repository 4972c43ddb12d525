import CassetteKit
import ControlAPI
import Transport

extension Sessions {
    /// The account of the whole run: the default session and all others, closed or not.
    func total() -> RunReport {
        var report = base.report()
        let closed = closed
        guard !closed.isEmpty || !entries.isEmpty else { return report }
        let open = entries.map { (name: $0.name, report: $0.entry.core.report(), failed: false) }
        let others = closed.map { (name: $0.name, report: $0.report, failed: $0.failed) } + open
        // What holds for requests without a session counts only where there are such.
        var unmet = report.requests > 0 ? Set(report.unmet) : []
        var met = Set(report.met)
        for (name, part, failed) in others {
            report.requests += part.requests
            report.hits += part.hits
            report.misses += part.misses
            report.tunnels += part.tunnels
            report.tunnelTraffic.sent += part.tunnelTraffic.sent
            report.tunnelTraffic.received += part.tunnelTraffic.received
            report.sessions.append(RunReport.Part(name: name, failed: failed, report: part))
            report.failures += part.failures.filter { $0.hasPrefix("the recording") }.map { "session \(name): \($0)" }
            report.expired += part.expired.filter { !report.expired.contains($0) }
            if failed { continue }
            report.faults += part.faults
            report.repeats += part.repeats
            report.overServed += part.overServed
            for (reason, count) in part.notStored { report.notStored[reason, default: 0] += count }
            unmet.formUnion(part.unmet)
            met.formUnion(part.met)
        }
        report.met = met.sorted()
        report.unmet = unmet.subtracting(met).sorted()
        report.unused = unused()
        report.failures = base.failures(report) + report.failures.filter { $0.hasPrefix("session ") }
        return report
    }

    /// What no session asked for, over all cassettes that were played.
    private func unused() -> [String] {
        var cassettes: [LoadedCassette] = []
        func add(_ cassette: LoadedCassette) {
            if !cassettes.contains(where: { $0 === cassette }) { cassettes.append(cassette) }
        }
        if base.options.mode == .replay { add(base.cassette) }
        for account in closed where account.strictUnused { add(account.cassette) }
        for (_, entry) in entries where entry.core.options.mode == .replay { add(entry.core.cassette) }
        var names: [String] = []
        for cassette in cassettes {
            var unplayed = cassette.uncovered
            if cassette === base.cassette { unplayed.formIntersection(base.session.unplayed) }
            for (_, entry) in entries where entry.core.cassette === cassette {
                unplayed.formIntersection(entry.core.session.unplayed)
            }
            let folder = cassette === base.cassette ? "" : (cassette.folder.map { "\($0)/" } ?? "")
            names += unplayed.sorted().map { cassette.index.interactions[$0] }.filter { !base.isOptional($0) }
                .map { folder + $0.name }
        }
        return names
    }
}
