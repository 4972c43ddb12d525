import ControlAPI

extension ControlView {
    static func sessions(_ sessions: [SessionState], color: Bool) -> [String] {
        if sessions.isEmpty { return ["no sessions beside the default one"] }
        var table = Table([
            ("SESSION", .left), ("MODE", .left), ("REQUESTS", .right), ("MISSES", .right), ("URL", .left),
            ("CASSETTE", .left),
        ])
        for session in sessions {
            table.add([
                session.name, session.mode, "\(session.counts.requests)", "\(session.counts.misses)", session.url,
                session.cassette ?? "-",
            ])
        }
        return table.lines(color: color)
    }

    static func journal(_ page: JournalPage, color: Bool) -> [String] {
        var table = Table([
            ("#", .right), ("TIME", .left), ("OUTCOME", .left), ("STATUS", .right), ("METHOD", .left),
            ("TARGET", .left),
            ("ROUTE", .left), ("VARIANT", .left), ("MS", .right), ("CLIENT", .left),
        ])
        for entry in page.entries {
            table.add([
                "\(entry.number)", String(entry.time.dropFirst(11).prefix(12)), entry.outcome, "\(entry.status)",
                entry.method, entry.target, entry.route ?? entry.near.map { "near \($0)" } ?? "", entry.variant ?? "",
                "\(Int((entry.duration * 1_000).rounded()))", entry.client ?? "",
            ])
        }
        let shown = page.entries.count == page.total ? "" : "\(page.entries.count) of "
        return table.lines(color: color) + ["\(shown)\(page.total) \(page.total == 1 ? "exchange" : "exchanges")"]
    }

    static func assertion(_ result: AssertionResult, color: Bool) -> [String] {
        let word =
            result.passed
            ? Style.good.applied(to: "holds", color: color) : Style.bad.applied(to: "does not hold", color: color)
        return [word + ", \(result.calls) \(result.calls == 1 ? "call" : "calls")"]
            + result.explanation.map { "  " + $0 }
    }
}
