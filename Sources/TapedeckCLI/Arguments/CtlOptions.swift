/// The options of `tapedeck ctl`, which have no environment variables: those of a deck are not meant for it.
extension Options {
    private static func own(_ name: String, _ kind: OptionSpec.Kind, _ help: String) -> OptionSpec {
        OptionSpec(name, kind, help, isForFlagsOnly: true)
    }

    static let session = own("session", .value("NAME"), "the session that is meant; without it the default one")

    // Which exchanges
    static let route = own("route", .value("NAME"), "journal, assert: exchanges of this route")
    static let method = own("method", .value("METHOD"), "journal, assert: with this method")
    static let path = own("path", .value("PATH"), "journal, assert: with this path; a * at its end takes any rest")
    static let status = own("status", .value("STATUS"), "journal, assert: answered with this status")
    static let outcome = own(
        "outcome", .value("WORD"), "journal, assert: hit, miss, own, fault, recorded, passed, failed")

    // What is expected
    static let calls = own("calls", .value("N"), "assert: exactly so many")
    static let atLeast = own("at-least", .value("N"), "assert: so many or more")
    static let atMost = own("at-most", .value("N"), "assert: so many or fewer")
    static let never = own("never", .flag, "assert: none")
    static let lastBody = own("last-body", .value("BODY"), "assert: the last one's body, JSON by value")

    // A session to be made or closed
    static let sessionMode = own("mode", .value("MODE"), "session: replay, record or passthrough")
    static let recordMode = own("record-mode", .value("MODE"), "session: all, new or once")
    static let sessionScenario = own("scenario", .value("NAME"), "session: the scenario that it begins with")
    static let sessionLatency = own("latency", .value("LATENCY"), "session: none, recorded, or a time")
    static let sessionClock = own("clock", .value("CLOCK"), "session: recorded, now, or a time")
    static let sessionFault = own("fault", .repeated("PLAN"), "session: a fault, as --fault of replay; repeatable")
    static let sessionSeed = own("seed", .value("N"), "session: what random decisions are made from")
    static let timeToLive = own("time-to-live", .value("TIME"), "session: closed after so long without a request")
    static let ownPort = own("own-port", .flag, "session: with a port of its own")
    static let failed = own("failed", .flag, "close: its test has failed, so only its misses count")

    static let steering =
        [session, route, method, path, status, outcome, calls, atLeast, atMost, never, lastBody]
        + [
            sessionMode, recordMode, sessionScenario, sessionLatency, sessionClock, sessionFault, sessionSeed,
            timeToLive, ownPort,
        ]
        + [failed]
}
