/// The body of `POST /sessions`; every member may be left out.
public struct SessionRequest: Codable, Sendable, Equatable {
    /// At most 100 of `a-z A-Z 0-9 - . _`; without it the deck chooses one.
    public var name: String?
    /// A cassette below the folder that the deck was started with, without `..`; without it that folder itself.
    public var cassette: String?
    /// `replay`, `record` or `passthrough`; without it as the deck.
    public var mode: String?
    /// `all`, `new` or `once`.
    public var recordMode: String?
    public var scenario: String?
    /// `none`, `recorded`, or a duration such as `750ms`.
    public var latency: String?
    /// `recorded`, `now`, or a time as `2026-11-30T12:00:00Z`.
    public var clock: String?
    /// Faults as `--fault` takes them.
    public var faults: [String]?
    public var seed: UInt64?
    /// How long the session lives without a request, such as `10m`.
    public var timeToLive: String?
    /// Whether the session gets a port of its own; without it where the deck has `--session-ports`.
    public var port: Bool?

    public init(
        name: String? = nil, cassette: String? = nil, mode: String? = nil, recordMode: String? = nil,
        scenario: String? = nil, latency: String? = nil, clock: String? = nil, faults: [String]? = nil,
        seed: UInt64? = nil,
        timeToLive: String? = nil, port: Bool? = nil
    ) {
        self.name = name
        self.cassette = cassette
        self.mode = mode
        self.recordMode = recordMode
        self.scenario = scenario
        self.latency = latency
        self.clock = clock
        self.faults = faults
        self.seed = seed
        self.timeToLive = timeToLive
        self.port = port
    }
}

/// The answer to `POST /sessions` and `GET /sessions/{name}`.
public struct SessionState: Codable, Sendable, Equatable {
    public var name: String
    /// The base URL for clients: the session's own port, else its path prefix on the deck's.
    public var url: String
    /// The path prefix on the deck's own port, which works in any case.
    public var prefixURL: String
    public var mode: String
    /// The cassette's folder; nil where routes bring their own answers.
    public var cassette: String?
    public var interactions: Int
    public var scenario: String?
    public var counts: Health.Counts

    public init(
        name: String, url: String, prefixURL: String, mode: String, cassette: String? = nil, interactions: Int = 0,
        scenario: String? = nil, counts: Health.Counts = Health.Counts()
    ) {
        self.name = name
        self.url = url
        self.prefixURL = prefixURL
        self.mode = mode
        self.cassette = cassette
        self.interactions = interactions
        self.scenario = scenario
        self.counts = counts
    }
}

/// The answer to `GET /sessions`: the sessions beside the default one, by name.
public struct SessionList: Codable, Sendable, Equatable {
    public var sessions: [SessionState]

    public init(sessions: [SessionState]) {
        self.sessions = sessions
    }
}

/// The body of `DELETE /sessions/{name}`.
public struct SessionEnd: Codable, Sendable, Equatable {
    /// The session's test has failed: what it did not ask for does not count under `--strict`.
    public var failed: Bool?

    public init(failed: Bool? = nil) {
        self.failed = failed
    }
}
