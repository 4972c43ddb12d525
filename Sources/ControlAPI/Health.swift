/// The answer to `GET /health`: the deck is up, what it does, and what it has counted so far.
public struct Health: Codable, Sendable, Equatable {
    /// What the deck does with exchanges.
    public enum Mode: String, Codable, Sendable, CaseIterable {
        case record, replay, passthrough
    }

    /// `ok` while exchanges are taken, `stopping` once the deck drains.
    public enum Status: String, Codable, Sendable, CaseIterable {
        case ok, stopping
    }

    public var status: Status
    public var mode: Mode
    /// The program's version, as `ProgramVersion.current`.
    public var version: String
    /// The deck's process.
    public var pid: Int
    /// The base URL that clients use, such as `http://localhost:4750`.
    public var proxy: String
    /// The cassette's folder as it was given at start; nil where routes bring their own answers.
    public var cassette: String?
    /// Interactions in the cassette that can be replayed.
    public var interactions: Int
    /// The active scenario; nil means none.
    public var scenario: String?
    /// What every answer is held back for, in words: `none`, `750ms`, `50ms to 2s`.
    public var latency: String?
    /// The real servers that the session speaks for, that of requests without a name first.
    public var upstreams: [UpstreamState]?
    /// Sessions beside the default one.
    public var sessions: Int?
    /// Whether every exchange is answered as if there were no network.
    public var offline: Bool
    /// Time since start, in seconds.
    public var uptime: Double
    public var counts: Counts

    /// What the deck has counted since start.
    public struct Counts: Codable, Sendable, Equatable {
        public var requests: Int
        public var hits: Int
        public var misses: Int
        /// Exchanges that were broken on purpose.
        public var faults: Int

        public init(requests: Int = 0, hits: Int = 0, misses: Int = 0, faults: Int = 0) {
            self.requests = requests
            self.hits = hits
            self.misses = misses
            self.faults = faults
        }
    }

    public init(
        status: Status = .ok, mode: Mode, version: String = ProgramVersion.current, pid: Int, proxy: String,
        cassette: String? = nil, interactions: Int = 0, scenario: String? = nil, offline: Bool = false,
        uptime: Double = 0, counts: Counts = Counts(), latency: String? = nil, upstreams: [UpstreamState]? = nil,
        sessions: Int? = nil
    ) {
        self.status = status
        self.mode = mode
        self.version = version
        self.pid = pid
        self.proxy = proxy
        self.cassette = cassette
        self.interactions = interactions
        self.scenario = scenario
        self.offline = offline
        self.uptime = uptime
        self.counts = counts
        self.latency = latency
        self.upstreams = upstreams
        self.sessions = sessions
    }
}

/// A real server that a deck speaks for.
public struct UpstreamState: Codable, Sendable, Equatable {
    /// Nil for the one of requests that name none.
    public var name: String?
    /// Where it is, such as `https://api.example.com`.
    public var url: String

    public init(name: String? = nil, url: String) {
        self.name = name
        self.url = url
    }
}
