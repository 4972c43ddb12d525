import ControlAPI

/// What the options of `tapedeck ctl` say besides the action.
struct CtlWishes: Sendable {
    /// The session that is meant; nil for the default one.
    var session: String?
    var filter = JournalFilter()
    /// Of a session that is made; name and cassette come with the action.
    var made = SessionRequest()
    /// A closed session's test has failed.
    var hasFailed = false
    /// What is expected of the exchanges that the filter takes.
    var assertion = Assertion()

    init(_ settings: Settings) throws(UsageError) {
        func text(_ option: OptionSpec) -> String? { settings.value(option)?.text }
        session = text(Options.session)
        filter = JournalFilter(
            route: text(Options.route), method: text(Options.method), path: text(Options.path),
            status: try settings.number(Options.status, in: 0...999), outcome: text(Options.outcome))
        let faults = settings.values(Options.sessionFault).map(\.text)
        made = SessionRequest(
            mode: text(Options.sessionMode), recordMode: text(Options.recordMode),
            scenario: text(Options.sessionScenario),
            latency: text(Options.sessionLatency), clock: text(Options.sessionClock),
            faults: faults.isEmpty ? nil : faults,
            seed: try settings.number(Options.sessionSeed, in: 0...UInt64.max), timeToLive: text(Options.timeToLive),
            port: try settings.flag(Options.ownPort) ? true : nil)
        hasFailed = try settings.flag(Options.failed)
        assertion = Assertion(
            filter, calls: try settings.number(Options.calls, in: 0...1_000_000_000),
            atLeast: try settings.number(Options.atLeast, in: 0...1_000_000_000),
            atMost: try settings.number(Options.atMost, in: 0...1_000_000_000),
            never: try settings.flag(Options.never) ? true : nil, lastBody: text(Options.lastBody))
    }
}
