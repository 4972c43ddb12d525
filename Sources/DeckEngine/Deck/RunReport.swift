package import CassetteKit
package import HTTPCore
package import Transport

/// What a run did, and whether it passes; made when the deck stops.
package struct RunReport: Sendable {
    package var mode: DeckOptions.Mode
    package var cassette: String?
    package var requests = 0
    package var hits = 0
    package var misses = 0
    /// Exchanges answered or broken by a variant.
    package var faults = 0
    /// Files of interactions that no exchange took.
    package var unused: [String] = []
    /// Requests that were answered again from the last interaction of their sequence.
    package var repeats = 0
    /// Requests beyond the recorded order under the policy `error`; they are misses, too.
    package var overServed = 0
    /// Cassettes that are older than the configuration allows, a sentence each.
    package var expired: [String] = []
    /// Absolute URLs in answers, by hosts that are no upstream: they lead the app around the deck.
    package var externalHosts: [String: Int] = [:]
    /// What the verdict checked.
    package var strict: Set<StrictCheck> = []
    /// The sessions beside the default one; their figures are in those above.
    package var sessions: [Part] = []
    /// Scenario entries and faults that no exchange met.
    package var unmet: [String] = []
    /// Those that some exchange met: what another part of the run did not meet is met then.
    package var met: [String] = []
    /// Requests that named no host, where there was no upstream for them.
    package var refused = 0
    /// Tunnels that were passed unseen, and what went through them.
    package var tunnels = 0
    package var tunnelTraffic = TunnelTraffic()
    package var upstreamConnections = 0
    package var nameLookups = 0
    /// Exchanges that passed but were not stored, by reason.
    package var notStored: [String: Int] = [:]
    /// The configuration's own sanitizer rules that hid nothing while recording.
    package var idleRules: [String] = []
    package var record: RecordSummary?
    /// What the checks under `--strict` found; empty means passed.
    package var failures: [String] = []

    /// One session's part of a run.
    package struct Part: Sendable {
        package var name: String
        /// Its test failed, so that only its misses count.
        package var failed: Bool
        package var report: RunReport
    }

    package init(mode: DeckOptions.Mode) { self.mode = mode }

    package var passed: Bool { failures.isEmpty }

    /// The summary for people, a line each.
    package var lines: [String] {
        var lines = headline
        if tunnels > 0 {
            lines.append(
                "\(count(tunnels, "tunnel")) passed unseen: \(tunnelTraffic.sent) octets there, \(tunnelTraffic.received) back"
            )
        }
        lines += notStored.sorted { $0.key < $1.key }.map { "not stored: \($0.value) × \($0.key)" }
        if let record { lines += record.lines }
        lines += idleRules.map { "the rule \($0) hid nothing: is what it names still there?" }
        lines.append("upstream connections \(upstreamConnections), name look-ups \(nameLookups)")
        if mode == .replay, !unused.isEmpty { lines.append("\(count(unused.count, "interaction")) not asked for") }
        if overServed > 0 { lines.append("\(count(overServed, "request")) beyond the recorded order") }
        lines += unmet.map { "never met: \($0)" }
        lines += expired
        lines += externalInWords
        lines += sessionLines
        lines += failures.map { "failed: \($0)" }
        return lines
    }

    private var headline: [String] {
        switch mode {
        case .replay:
            return [
                "replayed \(count(requests, "request")): \(hits) from the cassette, \(misses) missed, \(faults) by a variant"
            ]
        case .record:
            var lines = ["passed \(count(requests, "request")) and recorded \(record?.seen ?? 0)"]
            if refused > 0, record?.seen ?? 0 == 0 {
                lines.append(
                    "nothing was recorded: \(count(refused, "request")) had nowhere to go; give --upstream URL")
            }
            return lines
        case .passthrough:
            return ["passed \(count(requests, "request")), stored nothing; \(faults) by a variant"]
        }
    }

    /// A line for each session, and what those that recorded did to their cassettes.
    private var sessionLines: [String] {
        let summaries = sessions.map { part in
            let report = part.report
            return
                "session \(part.name): \(count(report.requests, "request")), \(report.hits) hits, \(report.misses) missed"
                + (part.failed ? ", closed as failed" : "")
        }
        let tables = sessions.flatMap { part in
            part.report.record.map { ["session \(part.name):"] + $0.lines.map { "  \($0)" } } ?? []
        }
        return summaries + tables
    }

    private func count(_ n: Int, _ word: String) -> String { "\(n) \(word)\(n == 1 ? "" : "s")" }

    /// The report for machines.
    package var json: Bytes { JSONText.write(value, layout: JSONLayout(.indent2, lf: true)) }

    private var value: JSONValue {
        func number(_ n: Int) -> JSONValue { .number(String(n)) }
        func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string(JSONString($0)) }) }
        var members = [
            JSONMember("mode", .string(JSONString(mode.rawValue))), JSONMember("passed", .bool(passed)),
            JSONMember("requests", number(requests)), JSONMember("hits", number(hits)),
            JSONMember("misses", number(misses)), JSONMember("faults", number(faults)),
            JSONMember("repeats", number(repeats)), JSONMember("overServed", number(overServed)),
            JSONMember("unused", list(unused)),
            JSONMember("unmet", list(unmet)), JSONMember("met", list(met)),
            JSONMember("upstreamConnections", number(upstreamConnections)),
            JSONMember("nameLookups", number(nameLookups)), JSONMember("failures", list(failures)),
            JSONMember("expired", list(expired)),
            JSONMember(
                "externalHosts",
                .object(externalHosts.sorted { $0.key < $1.key }.map { JSONMember($0.key, number($0.value)) })),
            JSONMember("strict", list(strict.map(\.rawValue).sorted())),
        ]
        if let cassette { members.insert(JSONMember("cassette", .string(JSONString(cassette))), at: 1) }
        if tunnels > 0 {
            members.append(
                JSONMember(
                    "tunnels",
                    .object([
                        JSONMember("count", number(tunnels)), JSONMember("sent", number(tunnelTraffic.sent)),
                        JSONMember("received", number(tunnelTraffic.received)),
                    ])))
        }
        if let record { members.append(JSONMember("record", record.value)) }
        if !sessions.isEmpty {
            members.append(JSONMember("sessions", .array(sessions.map(\.value))))
        }
        return .object(members)
    }
}

extension RecordSummary {
    /// Interactions that were met.
    var seen: Int { unchanged.count + changed.count + new.count }

    /// The table of what happened to the cassette, and what was hidden where, by rule; never a value.
    package var lines: [String] {
        let counts = [
            ("unchanged", unchanged.count), ("changed", changed.count), ("new", new.count),
            ("not seen this time", notSeen.count), ("removed", removed.count),
        ]
        var lines = [
            "interactions: "
                + counts.filter { $0.1 > 0 || $0.0 == "new" }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
        ]
        lines += changed.map { "  changed   \($0)" }
        lines += new.map { "  new       \($0)" }
        lines += notSeen.map { "  not seen  \($0)" }
        lines += removed.map { "  removed   \($0)" }
        if !hidden.isEmpty { lines.append("hidden: rule, place, count") }
        lines += hidden.map { "  \($0.rule)  \($0.location)  \($0.count)" }
        return lines
    }
}

extension RunReport.Part {
    fileprivate var value: JSONValue {
        .object([
            JSONMember("name", .string(JSONString(name))), JSONMember("failed", .bool(failed)),
            JSONMember("cassette", report.cassette.map { .string(JSONString($0)) } ?? .null),
            JSONMember("mode", .string(JSONString(report.mode.rawValue))),
            JSONMember("requests", .number(String(report.requests))), JSONMember("hits", .number(String(report.hits))),
            JSONMember("misses", .number(String(report.misses))),
        ])
    }
}

extension RecordSummary {
    fileprivate var value: JSONValue {
        func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string(JSONString($0)) }) }
        return .object([
            JSONMember("unchanged", .number(String(unchanged.count))), JSONMember("changed", list(changed)),
            JSONMember("new", list(new)), JSONMember("notSeen", list(notSeen)), JSONMember("removed", list(removed)),
        ])
    }
}
