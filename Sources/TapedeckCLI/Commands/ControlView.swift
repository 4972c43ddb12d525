import ControlAPI

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
        rows.append(("scenario", health.scenario ?? "none"))
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
