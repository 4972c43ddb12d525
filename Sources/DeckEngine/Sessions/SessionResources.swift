import ControlAPI
import FoundationEssentials
import HTTPCore

extension ControlResource {
    /// Sessions, and what they have seen.
    static let sessions = [
        ControlResource("POST", ControlPath.sessions) { (deck, request) async throws(Refusal) in
            try ControlAnswer(document: await deck.sessions.make(request.document(SessionRequest.self)))
        },
        ControlResource("GET", ControlPath.sessions) { (deck, _) async throws(Refusal) in
            let sessions = deck.sessions
            return try ControlAnswer(
                document: SessionList(sessions: sessions.entries.map { sessions.describe($0.name, $0.entry) }))
        },
        ControlResource("GET", "/sessions/{name}") { (deck, request) async throws(Refusal) in
            let (sessions, name) = (deck.sessions, request.names["name"] ?? "")
            guard let found = sessions.entries.first(where: { $0.name == name }) else {
                throw Refusal(404, "unknown-session", "There is no session \(name).", "See GET /sessions.")
            }
            return try ControlAnswer(document: sessions.describe(name, found.entry))
        },
        ControlResource("DELETE", "/sessions/{name}") { (deck, request) async throws(Refusal) in
            let end = request.body.isEmpty ? SessionEnd() : try request.document(SessionEnd.self)
            let report = try await deck.sessions.close(
                request.names["name"] ?? "", failed: end.failed ?? (request.query["failed"] == "1"))
            return try ControlAnswer(
                document: StopReport(
                    passed: report.passed, counts: report.counts, failures: report.failures, lines: report.lines))
        },
        ControlResource("GET", ControlPath.journal) { (deck, request) async throws(Refusal) in
            let query = request.query
            let filter = JournalFilter(
                route: query["route"], method: query["method"], path: query["path"],
                status: try number("status", query), outcome: query["outcome"])
            return try ControlAnswer(
                document: deck.core(request.session).journalPage(
                    filter, after: try number("after", query) ?? 0, limit: try number("limit", query) ?? 1_000))
        },
        ControlResource("POST", ControlPath.assertions) { (deck, request) async throws(Refusal) in
            let check = try JournalCheck(request.body)
            return try ControlAnswer(document: check.check(deck.core(request.session)))
        },
    ]

    private static func number(_ name: String, _ query: [String: String]) throws(Refusal) -> Int? {
        guard let text = query[name] else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw Refusal(400, "query", "\(name)=\(text) is no number from 0 on.", "Write it in digits.")
        }
        return number
    }
}
