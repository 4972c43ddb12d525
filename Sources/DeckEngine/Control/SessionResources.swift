import ControlAPI

extension ControlResource {
    /// Sessions, as they come and go.
    static let sessions = [
        ControlResource(
            "POST", ControlPath.sessions, "makeSession", "Make a session",
            takes: Takes(body: Takes.Body(document: "SessionRequest")),
            gives: .document(SessionState.self, "It takes requests."), refuses: [404, 409, 429]
        ) { (deck, request) async throws(Refusal) in
            try ControlAnswer(document: await deck.sessions.make(request.document(SessionRequest.self)))
        },
        ControlResource(
            "GET", ControlPath.sessions, "sessions", "The sessions beside the default one",
            gives: .document(SessionList.self, "The sessions by name.")
        ) { (deck, _) async throws(Refusal) in
            let sessions = deck.sessions
            return try ControlAnswer(
                document: SessionList(sessions: sessions.entries.map { sessions.describe($0.name, $0.entry) }))
        },
        ControlResource(
            "GET", "/sessions/{name}", "session", "One session", gives: .document(SessionState.self, "How it stands.")
        ) { (deck, request) async throws(Refusal) in
            let (sessions, name) = (deck.sessions, request.names["name"] ?? "")
            guard let found = sessions.entries.first(where: { $0.name == name }) else {
                throw Refusal(404, "unknown-session", "There is no session \(name).", "See GET /sessions.")
            }
            return try ControlAnswer(document: sessions.describe(name, found.entry))
        },
        ControlResource(
            "DELETE", "/sessions/{name}", "closeSession", "Close a session: write what it recorded, give its report",
            takes: Takes(
                query: [ControlParameter("failed", .truth, "Its test has failed: only its misses count.")],
                body: Takes.Body(document: "SessionEnd", isRequired: false)),
            gives: .document(StopReport.self, "What it recorded is written."), refuses: [409]
        ) { (deck, request) async throws(Refusal) in
            let end = request.body.isEmpty ? SessionEnd() : try request.document(SessionEnd.self)
            let report = try await deck.sessions.close(
                request.names["name"] ?? "", failed: end.failed ?? (request.query["failed"] == "true"))
            return try ControlAnswer(
                document: StopReport(
                    passed: report.passed, counts: report.counts, failures: report.failures, lines: report.lines))
        },
    ]

    /// What sessions have seen.
    static let seen = [
        ControlResource(
            "GET", ControlPath.journal, "journal", "The exchanges of a session, oldest first", takes: journalQuery,
            gives: .document(JournalPage.self, "The exchanges that the query takes.")
        ) { (deck, request) async throws(Refusal) in
            let query = request.query
            let filter = JournalFilter(
                route: query["route"], method: query["method"], path: query["path"],
                status: query["status"].flatMap { Int($0) }, outcome: query["outcome"])
            return try ControlAnswer(
                document: deck.core(request.session).journalPage(
                    filter, after: query["after"].flatMap { Int($0) } ?? 0,
                    limit: query["limit"].flatMap { Int($0) } ?? Journal.capacity))
        },
        ControlResource(
            "POST", ControlPath.assertions, "check", "Check a statement about the exchanges of a session",
            takes: .document(Assertion.self),
            gives: .document(AssertionResult.self, "The statement was checked: passed says whether it holds.")
        ) { (deck, request) async throws(Refusal) in
            let check = try JournalCheck(request.body)
            return try ControlAnswer(document: check.check(deck.core(request.session)))
        },
    ]

    private static let journalQuery = Takes(query: [
        .session, ControlParameter("route", .text, "The route's name."),
        ControlParameter("method", .text, "The method."),
        ControlParameter("path", .text, "The path without query; a * at its end takes any rest."),
        ControlParameter("status", .number, "The answer's status."),
        ControlParameter("outcome", .choice(Outcome.words), "What became of the exchange."),
        ControlParameter("after", .number, "Only exchanges with a higher number."),
        ControlParameter("limit", .number, "At most so many, the newest."),
    ])
}
