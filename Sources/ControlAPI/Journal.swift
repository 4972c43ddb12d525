/// The answer to `GET /journal`: a session's exchanges, oldest first.
public struct JournalPage: Codable, Sendable, Equatable {
    public var session: String
    /// Exchanges since the start; more than there are entries once the oldest were dropped.
    public var total: Int
    /// Exchanges by their outcome's word, since the start.
    public var counts: [String: Int]
    public var entries: [JournalRecord]

    public init(session: String, total: Int, counts: [String: Int], entries: [JournalRecord]) {
        self.session = session
        self.total = total
        self.counts = counts
        self.entries = entries
    }
}

/// One exchange; sanitized.
public struct JournalRecord: Codable, Sendable, Equatable {
    /// Its number in the session, from 1.
    public var number: Int
    /// When it ended (RFC 3339).
    public var time: String
    public var method: String
    /// Path and query.
    public var target: String
    public var route: String?
    /// A route that has its method and path, where none took it.
    public var near: String?
    public var variant: String?
    public var status: Int
    /// `hit`, `miss`, `own`, `fault`, `recorded`, `passed`, `tunnel`, `control`, `failed` or `clientLeft`.
    public var outcome: String
    /// The interaction's file, for a hit.
    public var interaction: String?
    /// Octets of the answer.
    public var octets: Int
    /// From the request's head to the end of the answer, in seconds.
    public var duration: Double
    /// The request's body as text, where it was read whole, cut at 4,096 octets.
    public var body: String?
    /// The client's address and port.
    public var client: String?
    /// Octets of the request's body.
    public var requestOctets: Int?
    /// From the request's head to the end of its body, in seconds; nil where it was not read whole.
    public var received: Double?
    /// From the request's head to the first octet of the answer, in seconds; nil where there was none.
    public var waited: Double?

    public init(
        number: Int, time: String, method: String, target: String, route: String? = nil, near: String? = nil,
        variant: String? = nil, status: Int, outcome: String, interaction: String? = nil, octets: Int = 0,
        duration: Double = 0, body: String? = nil, client: String? = nil, requestOctets: Int? = nil,
        received: Double? = nil, waited: Double? = nil
    ) {
        self.number = number
        self.time = time
        self.method = method
        self.target = target
        self.route = route
        self.near = near
        self.variant = variant
        self.status = status
        self.outcome = outcome
        self.interaction = interaction
        self.octets = octets
        self.duration = duration
        self.body = body
        self.client = client
        self.requestOctets = requestOctets
        self.received = received
        self.waited = waited
    }
}

/// Which exchanges of the journal are meant; what is left out says nothing.
public struct JournalFilter: Codable, Sendable, Equatable {
    public var route: String?
    public var method: String?
    /// The path without query; a `*` at its end takes any rest.
    public var path: String?
    public var status: Int?
    /// The outcome's word.
    public var outcome: String?

    public init(
        route: String? = nil, method: String? = nil, path: String? = nil, status: Int? = nil, outcome: String? = nil
    ) {
        self.route = route
        self.method = method
        self.path = path
        self.status = status
        self.outcome = outcome
    }
}

/// The answer to `POST /assertions`, whose body is a ``JournalFilter`` with the members `calls`, `atLeast`, `atMost`, `never`,
/// `lastBody`, or an object with `order`, a list of filters.
public struct AssertionResult: Codable, Sendable, Equatable {
    public var passed: Bool
    /// Exchanges that the filter takes.
    public var calls: Int
    /// What was expected and what was found, in a sentence each; of a failure also what came near.
    public var explanation: [String]

    public init(passed: Bool, calls: Int, explanation: [String]) {
        self.passed = passed
        self.calls = calls
        self.explanation = explanation
    }
}
