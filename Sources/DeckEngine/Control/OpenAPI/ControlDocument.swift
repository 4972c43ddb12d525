import CassetteKit
import ControlAPI
import DeckRules

/// A document of the control API with what its type can't say: what it is for, and which texts and numbers it takes.
struct ControlDocument: Sendable {
    /// What goes into the description of one member.
    struct Note: Sendable {
        var words: String?
        /// In place of, or beside, what the member's type says.
        var schema: [JSONMember] = []
        /// Nothing is said of the member's type.
        var isAnything = false
    }

    var type: any (Decodable & Sendable).Type
    var words: String
    var notes: [String: Note] = [:]
    /// Unknown members are refused, and not ignored.
    var isClosed = false

    init(
        _ type: any (Decodable & Sendable).Type, _ words: String, _ notes: [String: Note] = [:], isClosed: Bool = false
    ) {
        self.type = type
        self.words = words
        self.notes = notes
        self.isClosed = isClosed
    }
}

extension ControlDocument.Note: ExpressibleByStringLiteral {
    init(stringLiteral words: String) { self.init(words: words) }

    static func pattern(_ pattern: String, _ words: String? = nil, example: String? = nil) -> Self {
        let examples = example.map { [JSONMember("examples", .array([.text($0)]))] } ?? []
        return Self(words: words, schema: [JSONMember("pattern", .text(pattern))] + examples)
    }

    static func words(_ words: [String], _ help: String? = nil) -> Self {
        Self(words: help, schema: [JSONMember("enum", .array(words.map { .text($0) }))])
    }

    static func atLeast(_ least: Int, _ words: String? = nil) -> Self {
        Self(words: words, schema: [JSONMember("minimum", .integer(least))])
    }

    /// A number from 0 on.
    static let count = Self(
        schema: [
            JSONMember("minimum", .integer(0)), JSONMember("maximum", .integer(ControlParameter.largestNumber)),
        ])

    static func anything(_ words: String) -> Self { Self(words: words, isAnything: true) }
}

extension ControlDocument {
    /// A latency as one word.
    private static let latency = Note.pattern(
        #"^(none|recorded|[0-9]{1,6}(us|ms)|[0-9]{1,4}(\.[0-9]{1,3})?s|[0-9]{1,3}(m|min)|[0-9]h)$"#,
        "none, recorded, or a time such as 750ms or 1.5s, a day at most.", example: "750ms")
    private static let clock = Note.pattern(
        #"^(recorded|now|[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?Z)?)$"#,
        "recorded, now, or a time such as 2026-11-30T12:00:00Z: recorded times move there.", example: "now")
    private static let lifetime = Note.pattern(
        #"^([1-9][0-9]{0,4}ms|[1-9][0-9]{0,3}s|[1-9][0-9]{0,2}(m|min)|[1-9]h)$"#, "Without a request, as 10m.",
        example: "10m")
    /// A path below a folder, as people name cassettes.
    private static let folder = #"^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,40}(/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,40}){0,5}$"#

    private static let filter: [String: Note] = [
        "path": "Without query; a * at its end takes any rest.", "status": .count, "outcome": .words(Outcome.words),
    ]

    /// What the schema says of each document; the test of the description fails for one that is missing.
    static let all = sessions + journal + state + reports

    private static let sessions = [
        ControlDocument(
            SessionRequest.self, "Every member may be left out.",
            [
                "name": .pattern("^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$"),
                "cassette": .pattern(folder, "Below the folder that the deck was started with."),
                "mode": .words(["record", "replay", "passthrough"]),
                "recordMode": .words(RecordMode.allCases.map(\.rawValue)), "latency": latency, "clock": clock,
                "faults": "As --fault takes them.", "timeToLive": lifetime,
                "seed": Note(schema: [JSONMember("maximum", .number(String(UInt64.max)))]),
                "port": "Whether it gets a port of its own.",
            ]),
        ControlDocument(
            SessionState.self, "A session.",
            ["url": "The base URL for clients.", "prefixURL": "The path prefix on the port of the deck."]),
        ControlDocument(SessionList.self, "All sessions but the default one."),
        ControlDocument(
            SessionEnd.self, "How a session ended.", ["failed": "Its test has failed: only its misses count."]),
    ]

    private static let journal = [
        ControlDocument(
            JournalPage.self, "Exchanges of a session.",
            ["total": .atLeast(0, "Since start; never taken back."), "counts": "By outcome, since start."]),
        ControlDocument(
            JournalRecord.self, "One exchange; sanitized.",
            [
                "interaction": "The file that a hit came from.", "duration": "Seconds.",
                "received": "Seconds until the request's body had come whole.",
                "waited": "Seconds until the answer's first octet.", "client": "Address and port.",
                "outcome": .words(Outcome.words),
            ]),
        ControlDocument(
            Assertion.self, "A filter, and what is expected of the exchanges that it takes.",
            filter.merging([
                "calls": .count, "atLeast": .count, "atMost": .count,
                "lastBody": .anything("JSON by value, or the text of the body."),
                "order": Note(schema: [JSONMember("minItems", .integer(2))]),
            ]) { $1 }, isClosed: true),
        ControlDocument(JournalFilter.self, "Which exchanges are meant.", filter, isClosed: true),
        ControlDocument(AssertionResult.self, "Whether the statement holds, and why."),
        ControlDocument(ExchangeEvent.self, "An exchange has ended.", ["outcome": .words(Outcome.words)]),
        ControlDocument(
            ChangeEvent.self, "Somebody changed what clients get.", ["value": "What holds now; missing for none."]),
    ]

    private static let state = [
        ControlDocument(
            Health.self, "The deck is up.",
            [
                "proxy": "The base URL for clients.", "cassette": "The cassette's folder.",
                "scenario": "The active scenario; missing for none.", "uptime": "Seconds since start.",
                "latency": "What every answer is held back for, in words.", "sessions": "Beside the default one.",
                "offline": "Whether every exchange is answered as if there were no network.",
            ]),
        ControlDocument(
            UpstreamState.self, "A real server that the deck speaks for.",
            ["name": "Missing for the one of requests that name none."]),
        ControlDocument(Health.Counts.self, "What was counted since start; POST /reset takes nothing of it back."),
        ControlDocument(RouteList.self, "All routes."),
        ControlDocument(
            RouteState.self, "A route and how it behaves now.",
            [
                "match": "Method and path template.", "variant": "What acts now.", "variants": "What can be chosen.",
                "auth": "Whether scenarios' * spares it.", "requests": "Exchanges taken since start.",
            ]),
        ControlDocument(ScenarioList.self, "All scenarios.", ["active": "Missing for none."]),
        ControlDocument(
            ScenarioState.self, "A named choice of variants.",
            ["entries": "Variant by route; * stands for every request."]),
        ControlDocument(
            ScenarioChoice.self, "The scenario to be active.",
            [
                "scenario": "A configured scenario; null or missing for none.",
                "atOnce": "Whether delayed answers go out and held connections are closed now.",
            ]),
        ControlDocument(
            VariantChoice.self, "The variant to act.",
            ["variant": "A variant of the route; null or missing gives it back to the scenario."]),
        ControlDocument(LatencyChoice.self, "The delay of every answer.", ["latency": latency]),
        ControlDocument(OfflineChoice.self, "Whether there is no network."),
    ]

    private static let reports = [
        ControlDocument(
            ExpiryReport.self, "Tokens that are to expire.",
            ["pending": .atLeast(0, "Exchanges that are still to get tokenExpired.")]),
        ControlDocument(
            ReloadReport.self, "The configuration that acts now.",
            ["remarks": "What is gone, what needs a restart, and warnings."]),
        ControlDocument(
            StopReport.self, "The verdict.",
            ["passed": "Whether nothing failed that --strict asks for.", "lines": "The summary for people."]),
        ControlDocument(
            ControlAPI.Problem.self, "A failure (RFC 9457).",
            [
                "type": "Fixed, without variable parts.", "advice": "What to do next.",
                "problems": "Where several things are wrong.",
            ]),
    ]
}
