import CassetteKit
import ControlAPI
import DeckRules
import HTTPCore
import Transport

extension DeckCore {
    /// What was counted so far.
    var counts: Health.Counts {
        let journal = session.journal
        return Health.Counts(
            requests: journal.total - journal.count("control") - journal.count("tunnel"), hits: journal.count("hit"),
            misses: journal.count("miss"), faults: journal.count("fault"))
    }

    /// The account of the run, without what the recorder adds when it finishes.
    func report() -> RunReport {
        var report = RunReport(mode: options.mode)
        let counts = counts
        report.cassette = options.cassette
        report.requests = counts.requests
        report.hits = counts.hits
        report.misses = counts.misses
        report.faults = counts.faults + session.journal.count("own")
        report.repeats = session.repeats
        report.overServed = session.overServed
        report.strict = options.strict
        report.externalHosts = externalHosts.all
        report.expired = expiry.map { [$0] } ?? []
        let watched = session.withRules { $0.watched }
        report.unmet = watched.filter { !$0.value }.map(\.key.description).sorted()
        report.met = watched.filter(\.value).map(\.key.description).sorted()
        report.notStored = notStoredCounts
        report.refused = session.journal.entries.count { $0.outcome == .failed("no-upstream") }
        if options.mode == .replay {
            report.unused = session.unplayed.map { index.interactions[$0] }.filter { !isOptional($0) }.map(\.name)
        } else {
            report.upstreamConnections = UpstreamClient.connectionsOpened
            report.nameLookups = UpstreamClient.nameLookups
        }
        report.tunnels = session.journal.count("tunnel")
        report.tunnelTraffic = tunnelTraffic
        report.failures = failures(report)
        return report
    }

    /// Whether a run that never meets an interaction is fine, by the interaction's word or its route's.
    func isOptional(_ interaction: Interaction) -> Bool {
        if interaction.optional { return true }
        let table = session.withRules { $0.rules.table }
        guard !table.isEmpty else { return false }
        let target = interaction.request.target
        let mark = target.firstIndex(of: UInt8(ascii: "?"))
        let route = table.route(
            method: interaction.request.method, path: Bytes(target[..<(mark ?? target.endIndex)]),
            query: mark.map { Bytes(target[($0 + 1)...]) })
        return route.index.map { table.routes[$0].isOptional } ?? false
    }

    /// What the chosen checks find.
    func failures(_ report: RunReport) -> [String] {
        let isReplay = options.mode == .replay || report.sessions.contains { $0.report.mode == .replay }
        // While recording there is nothing to miss, but the app may be led around the deck.
        return isReplay ? report.findings : report.checks.filter { $0.name == "hosts" && $0.isChosen }.flatMap(\.found)
    }

    /// The configuration's own rules that hid nothing, in their order.
    func idleRules(_ record: RecordSummary?) -> [String] {
        guard let record else { return [] }
        let fired = Set(record.hidden.map(\.rule))
        var seen: Set<String> = []
        return options.configuration.sanitizing.ownIDs.filter { !fired.contains($0) && seen.insert($0).inserted }
    }
}
