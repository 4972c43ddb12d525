import ControlAPI
package import DeckRules
package import SystemIO
package import Transport

/// What happens to a request that the cassette already answers while recording.
package enum RecordMode: String, Sendable, CaseIterable {
    /// Everything goes upstream.
    case all
    /// What was recorded at start is replayed, the rest is recorded.
    case new
    /// An existing cassette is only replayed; a cassette that does not exist yet is recorded.
    case once
}

/// A finding that makes a run under `--strict` fail.
package enum StrictCheck: String, Sendable, CaseIterable {
    case misses, unused, repeats
    /// URLs in answers that lead the app around the deck.
    case hosts
}

/// The ports of upstreams with names, besides their prefix on the deck's.
package enum UpstreamPorts: Sendable, Equatable {
    case none
    /// Whichever are free.
    case any
    /// The first ones of a range that are free, in the order of the names.
    case range(ClosedRange<Int>)
}

/// Everything that decides how a deck runs; immutable once it is started.
package struct DeckOptions: Sendable {
    /// What the deck does with a request.
    package enum Mode: String, Sendable {
        case record, replay, passthrough
    }

    package var mode: Mode
    /// Where clients connect to.
    package var listen = ListenAddress(host: "localhost", port: 4750)
    /// Where the control API listens; nil switches it off.
    package var control: ListenAddress?
    /// The token that control requests must carry; required for an address other than loopback.
    package var controlToken: String?
    /// The cassette's folder; nil on replay with routes that bring their own answers, and on passthrough.
    package var cassette: String?
    package var upstreams: [NamedUpstream] = []
    package var recordMode = RecordMode.all
    package var configuration: Configuration
    /// The scenario active at start; nil takes the configuration's on replay and passthrough, none while recording.
    package var scenario: String?
    /// Faults given on the command line: `'ROUTE or METHOD PATH=VARIANT[,after=N][,times=N]'`.
    package var faults: [String] = []
    /// What acts in place of scenarios and faults: the fault log of another run; nil lets these act.
    package var faultPlan: ExactPlan?
    /// Where the exchanges are written on which something other than `default` acted; nil writes nothing.
    package var faultLog: String?
    /// Delay of every answer; nil takes the configuration's.
    package var latency: LatencyModel?
    /// Which time recorded answers tell; nil takes the configuration's.
    package var clock: ClockChoice?
    /// The seed of every random decision; nil takes the configuration's.
    package var seed: UInt64?
    /// What makes the verdict fail.
    package var strict: Set<StrictCheck> = []
    /// Passes the client's Host field to the upstream instead of the upstream's own authority.
    package var preserveHost = false
    /// Leaves references to the upstream's own address in Location and Set-Cookie as they are.
    package var keepsReferences = false
    /// Hosts whose tunnels are passed unseen, besides the configuration's.
    package var tunneledHosts: [HostPattern] = []
    /// The folder of the certificate authority; nil where there is no place for one, so that CONNECT is refused.
    package var authorityFolder: String?
    /// Takes absolute-form requests only; origin-form ones have no upstream.
    package var forwardOnly = false
    package var upstreamOptions = UpstreamOptions()
    /// The largest body that is read whole for a decision, in octets; above it, a body counts by its hash.
    package var maxMatchBody = 1 << 20
    /// The largest body that is stored, in octets; an exchange with a larger one passes and is reported as not stored.
    package var maxBody = 64 << 20
    /// Names of environment variables whose values are never stored or shown.
    package var secretVariables: [String] = []
    /// The status of a miss, 400...999.
    package var missStatus = 599
    /// Removes the interactions that a recording run did not see.
    package var prune = false
    /// Ports of sessions that have their own; nil gives sessions a port only where they ask for one.
    package var sessionPorts: ClosedRange<Int>?
    /// Whether upstreams with names have ports of their own, and which.
    package var upstreamPorts = UpstreamPorts.none
    /// A session that a request names is made on first sight.
    package var makesSessions = false
    /// A request that names no session is a miss.
    package var refusesDefaultSession = false
    /// The version that the control API and the summary name.
    package var version = ProgramVersion.current

    /// Whether a playback policy asks how many writes came before a request.
    package var followsWrites: Bool {
        configuration.playback == .followWrites
            || configuration.rules.table.routes.contains { $0.playback == .followWrites }
    }

    package init(mode: Mode, configuration: Configuration) {
        self.mode = mode
        self.configuration = configuration
    }
}

/// What the deck takes from its surroundings: clocks, threads, and where its words go.
package struct DeckEnvironment: Sendable {
    package var wallClock: WallClock
    package var loopClock: LoopClock
    /// Event loops, 1 or more; one per core is usual.
    package var loops: Int
    package var poller: PollerKind
    /// Where numbers come from that nobody can guess.
    package var random: SecureRandom
    /// The value of an environment variable, for the secrets that a configuration takes by name.
    package var variable: @Sendable (String) -> String?
    /// Takes one sanitized log event; called on any thread.
    package var log: @Sendable (LogEvent) -> Void

    package init(
        wallClock: WallClock, loopClock: LoopClock, loops: Int, poller: PollerKind,
        random: SecureRandom = .system,
        variable: @escaping @Sendable (String) -> String? = { _ in nil }, log: @escaping @Sendable (LogEvent) -> Void
    ) {
        self.wallClock = wallClock
        self.loopClock = loopClock
        self.loops = loops
        self.poller = poller
        self.random = random
        self.variable = variable
        self.log = log
    }
}

/// One line for the log; sanitized before it is made.
package struct LogEvent: Sendable, Equatable {
    package enum Level: String, Sendable {
        case info, warning, error
    }

    package var level: Level
    package var message: String
    /// Facts with fixed names, for machines: route, status, file, …
    package var fields: [(name: String, value: String)]

    package init(_ level: Level, _ message: String, _ fields: [(name: String, value: String)] = []) {
        self.level = level
        self.message = message
        self.fields = fields
    }

    package static func == (a: LogEvent, b: LogEvent) -> Bool {
        a.level == b.level && a.message == b.message && a.fields.elementsEqual(b.fields, by: ==)
    }
}

/// Why a deck could not be started or changed.
package struct DeckError: Error, Sendable, Equatable {
    package enum Kind: Sendable {
        /// Wrong options, configuration or cassette: exit 2.
        case usage
        /// A port, disk or lock stood in the way: exit 3.
        case start
    }

    package var kind: Kind
    /// What happened, to which thing.
    package var message: String
    /// What to do next, ready to type where it can be.
    package var advice: String

    package init(_ kind: Kind, _ message: String, advice: String = "") {
        self.kind = kind
        self.message = message
        self.advice = advice
    }
}
