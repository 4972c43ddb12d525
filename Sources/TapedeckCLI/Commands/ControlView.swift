import ControlAPI
import TapedeckClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Shows the control API's documents: to people by a view, to machines as they are.
struct ControlOutput: Sendable {
    let console: Console
    let isMachine: Bool

    /// - Parameter view: the lines for people, given whether they may carry color.
    func show<Document: Encodable>(_ document: Document, _ view: (Document, _ color: Bool) -> [String]) {
        guard isMachine else {
            view(document, console.outHasColor).forEach(console.out)
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        if let data = try? encoder.encode(document) {
            console.out(octets: [UInt8](data) + [UInt8(ascii: "\n")])
        }
    }
}

extension ControlOutput {
    /// Shows an event as one line.
    func show(_ event: DeckEvent) {
        guard !isMachine else { return console.out(octets: event.data + [UInt8(ascii: "\n")]) }
        let decoder = JSONDecoder()
        if let exchange = try? decoder.decode(ExchangeEvent.self, from: Data(event.data)) {
            console.out(ControlView.exchange(exchange, color: console.outHasColor))
        } else if let change = try? decoder.decode(ChangeEvent.self, from: Data(event.data)) {
            console.out(ControlView.change(change, color: console.outHasColor))
        }
    }
}

/// The control API's documents as people read them.
enum ControlView {
    static func health(_ health: Health, color: Bool) -> [String] {
        let counts = health.counts
        let style: Style = health.status == .ok ? .good : .warning
        let status = style.applied(to: health.status.rawValue, color: color)
        var rows = [
            ("status", "\(status), \(health.mode.rawValue), up \(time(health.uptime))"), ("proxy", health.proxy),
        ]
        if let cassette = health.cassette {
            let noun = health.interactions == 1 ? "interaction" : "interactions"
            rows.append(("cassette", "\(cassette) (\(health.interactions) \(noun))"))
        }
        for upstream in health.upstreams ?? [] {
            rows.append(("upstream", (upstream.name.map { "\($0) = " } ?? "") + upstream.url))
        }
        rows.append(("scenario", health.scenario ?? "none"))
        if let latency = health.latency, latency != "none" { rows.append(("latency", latency)) }
        if health.offline {
            rows.append(("offline", Style.bad.applied(to: "on", color: color)))
        }
        rows.append(
            (
                "requests",
                "\(counts.requests) (hits \(counts.hits), misses \(counts.misses), faults \(counts.faults))"
            ))
        rows.append(("program", "tapedeck \(health.version), pid \(health.pid)"))
        return pairs(rows, color)
    }

    static func routes(_ routes: [RouteState], color: Bool) -> [String] {
        if routes.isEmpty {
            return ["no routes: name some under \"routes\" in tapedeck.json"]
        }
        var table = Table([("ROUTE", .left), ("VARIANT", .left), ("REQUESTS", .right), ("MATCH", .left)])
        for route in routes {
            table.add([route.name, route.variant, "\(route.requests)", route.match + (route.auth ? "  (auth)" : "")])
        }
        return table.lines(color: color)
    }

    static func scenarios(_ list: ScenarioList, color: Bool) -> [String] {
        if list.scenarios.isEmpty {
            return ["no scenarios: name some under \"scenarios\" in tapedeck.json"]
        }
        var table = Table([("", .left), ("SCENARIO", .left), ("VARIANTS", .left)])
        table.add([list.active == nil ? "*" : "", "none", ""])
        for scenario in list.scenarios {
            let entries = scenario.entries.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            table.add([list.active == scenario.name ? "*" : "", scenario.name, entries.joined(separator: " ")])
        }
        return table.lines(color: color)
    }

    static func reload(_ report: ReloadReport, color: Bool) -> [String] {
        let counts = "\(report.routes) routes, \(report.scenarios) scenarios"
        return ["\(report.file) read again: \(counts)"] + report.remarks.map { "  \($0)" }
    }

    /// An exchange in one line.
    static func exchange(_ event: ExchangeEvent, color: Bool) -> String {
        let isGood = event.outcome == "hit" || event.outcome == "recorded" || event.outcome == "passed"
        let outcome = (isGood ? Style.good : .warning).applied(to: event.outcome, color: color)
        let status = event.status == 0 ? "---" : "\(event.status)"
        let route =
            event.route.map { " \($0)" + (event.variant.map { "=\($0)" } ?? "") } ?? event.variant.map { " \($0)" }
            ?? ""
        let rest = "\(Int(event.milliseconds.rounded())) ms, \(event.octets) octets"
        return
            "\(status) \(outcome) \(event.method) \(event.target)\(Style.faint.applied(to: route, color: color)) (\(rest))"
    }

    /// A change in one line.
    static func change(_ event: ChangeEvent, color: Bool) -> String {
        let what = event.route.map { "\(event.what) of \($0)" } ?? event.what
        let place = event.session.map { $0 == "default" ? "" : " (session \($0))" } ?? ""
        return Style.strong.applied(to: "changed:", color: color) + " \(what) \(event.value ?? "none")\(place)"
    }

    static func verdict(_ report: StopReport, color: Bool) -> [String] {
        let word =
            report.passed
            ? Style.good.applied(to: "passed", color: color) : Style.bad.applied(to: "failed", color: color)
        return report.lines + [word]
    }

    private static func pairs(_ rows: [(String, String)], _ color: Bool) -> [String] {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, value in
            let padded = name + String(repeating: " ", count: width - name.count)
            return Style.faint.applied(to: padded, color: color) + "  " + value
        }
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(max(0, min(seconds, 1e9)))
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) min \(whole % 60) s"
        default: return "\(whole / 3600) h \(whole / 60 % 60) min"
        }
    }
}
