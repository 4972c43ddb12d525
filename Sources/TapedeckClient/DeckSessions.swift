public import ControlAPI

extension DeckControl {
    /// Makes a session: a test's own cursors, scenario, faults and journal.
    public func makeSession(_ wish: SessionRequest = SessionRequest()) async throws(TapedeckError) -> SessionState {
        try await call("POST", ControlPath.sessions, wish)
    }

    /// The sessions beside the default one.
    public func sessions() async throws(TapedeckError) -> [SessionState] {
        let list: SessionList = try await call("GET", ControlPath.sessions)
        return list.sessions
    }

    /// Closes a session and gives its report; what it recorded is written by then.
    ///
    /// - Parameter failed: its test has failed, so that only its misses count under `--strict`.
    @discardableResult
    public func closeSession(_ name: String, failed: Bool = false) async throws(TapedeckError) -> StopReport {
        try await call("DELETE", ControlPath.session(name), SessionEnd(failed: failed))
    }

    /// The exchanges of a session, oldest first.
    ///
    /// - Parameter session: nil for the default one.
    public func journal(
        _ filter: JournalFilter = JournalFilter(), session: String? = nil
    ) async throws(TapedeckError) -> JournalPage {
        try await call(
            "GET",
            ControlPath.query(
                ControlPath.journal,
                [
                    ("session", session), ("route", filter.route), ("method", filter.method), ("path", filter.path),
                    ("status", filter.status.map { String($0) }), ("outcome", filter.outcome),
                ]))
    }

    /// Checks what a session has seen.
    ///
    /// - Parameter session: nil for the default one.
    public func check(_ assertion: Assertion, session: String? = nil) async throws(TapedeckError) -> AssertionResult {
        try await call("POST", ControlPath.query(ControlPath.assertions, [("session", session)]), assertion)
    }

    /// Checks what a session has seen.
    ///
    /// - Parameter json: the assertion's document.
    public func check(json: String, session: String? = nil) async throws(TapedeckError) -> AssertionResult {
        try await call(
            "POST", ControlPath.query(ControlPath.assertions, [("session", session)]), body: Array(json.utf8))
    }
}
