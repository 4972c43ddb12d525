import DeckRules

/// What `tapedeck ctl` is asked to do.
enum CtlAction: Sendable, Equatable {
    case health
    case routes
    case scenarios
    /// nil means none.
    case chooseScenario(String?, atOnce: Bool)
    /// nil gives the route back to the scenario.
    case chooseVariant(String?, route: String)
    case latency(String)
    case offline(Bool)
    case expireToken
    case reset
    case reload
    case events
    case metrics
    case openAPI
    case schema
    case sessions
    /// The name, and the cassette below the deck's folder.
    case makeSession(String, cassette: String?)
    case closeSession(String)
    /// Of a session; nil for the default one.
    case journal(String?)
    /// A statement about a session as JSON; nil where options make it.
    case check(String?)
    case stop
    case wait

    /// Each action with the words that follow it, for people who got them wrong.
    private static let usages = [
        ("health", ""), ("routes", ""), ("scenario", "[NAME|none [at-once]]"), ("variant", "ROUTE VARIANT|none"),
        ("latency", "none|recorded|TIME"), ("offline", "on|off"),
        ("expire-token", ""), ("reset", ""), ("reload", ""), ("events", ""), ("metrics", ""), ("openapi", ""),
        ("schema", ""),
        ("sessions", ""), ("session", "NAME [CASSETTE]"), ("close", "NAME"), ("journal", "[SESSION]"),
        ("assert", "[JSON]"),
        ("stop", ""), ("wait", ""),
    ]

    /// The first words of all actions.
    static var names: [String] { usages.map(\.0) }

    /// - Throws: `UsageError` with what to type.
    init(_ words: [String]) throws(UsageError) {
        guard let action = CtlAction.known(words) else {
            throw CtlAction.misuse(words)
        }
        self = action
    }

    private static func known(_ words: [String]) -> CtlAction? {
        switch (words.first, words.count) {
        case ("health", 1): .health
        case ("routes", 1): .routes
        case ("scenario", 1): .scenarios
        case ("scenario", 2): .chooseScenario(words[1] == "none" ? nil : words[1], atOnce: false)
        case ("scenario", 3) where words[2] == "at-once":
            .chooseScenario(words[1] == "none" ? nil : words[1], atOnce: true)
        case ("variant", 3): .chooseVariant(words[2] == "none" ? nil : words[2], route: words[1])
        case ("latency", 2): .latency(words[1])
        case ("offline", 2): yesOrNo(words[1]).map { .offline($0) }
        case ("expire-token", 1): .expireToken
        case ("reset", 1): .reset
        case ("reload", 1): .reload
        case ("events", 1): .events
        case ("metrics", 1): .metrics
        case ("openapi", 1): .openAPI
        case ("schema", 1): .schema
        case ("sessions", 1): .sessions
        case ("session", 2): .makeSession(words[1], cassette: nil)
        case ("session", 3): .makeSession(words[1], cassette: words[2])
        case ("close", 2): .closeSession(words[1])
        case ("journal", 1): .journal(nil)
        case ("journal", 2): .journal(words[1])
        case ("assert", 1): .check(nil)
        case ("assert", 2): .check(words[1])
        case ("stop", 1): .stop
        case ("wait", 1): .wait
        default: nil
        }
    }

    private static func misuse(_ words: [String]) -> UsageError {
        let name = words.first ?? ""
        if let usage = usages.first(where: { $0.0 == name }) {
            let advice = usage.1.isEmpty ? usage.0 : "\(usage.0) \(usage.1)"
            return UsageError(
                "ctl \(words.joined(separator: " ")): that is not how it is said", advice: "tapedeck ctl \(advice)")
        }
        let nearest = nearestName(to: name, among: usages.map(\.0)).map { "; did you mean \($0)?" } ?? ""
        return UsageError("unknown action \"\(name)\"\(nearest)", advice: "tapedeck ctl --help")
    }
}
