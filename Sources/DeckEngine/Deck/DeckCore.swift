import CassetteKit
import DeckRules
import HTTPCore
import SystemIO
import Transport

/// What all exchanges of a deck share; immutable but for what guards itself.
///
/// In replay there is no upstream in it: nothing that an exchange can reach opens a connection.
final class DeckCore: Sendable {
    let options: DeckOptions
    let environment: DeckEnvironment
    let session: Session
    let cassette: LoadedCassette
    /// The scenario that sessions begin with.
    let startScenario: String?
    let keys: KeyRules
    let sanitizer: Sanitizer
    let codecs: ContentCodecs
    /// What is played; empty where nothing was recorded before.
    let index: ReplayIndex
    /// Measured times by the name of the interaction.
    let timings: [String: Timings]
    /// Nil unless the run records.
    let recorder: CassetteRecorder?
    /// Nil in replay.
    let upstreamClients: LoopLocal<UpstreamClient>?
    /// Closes kept connections that wait for a request, so that a fault is not hidden by a client's silent retry.
    let closeIdleConnections: @Sendable () -> Void
    /// By how much the times of recorded answers are moved; nil for not at all.
    let clockShift: ClockShift?
    /// The session's own port; nil for a session that shares the deck's.
    private let ownListener: Listener?
    let addressing: Addressing
    /// Ports of upstreams that have their own, by name.
    let upstreamPorts: [String: Int]
    /// What a new configuration changes at once, besides the rules, which the session has.
    private let live: Locked<LiveSettings>
    let retries: RetryWatch
    let metrics: Metrics
    let events: EventHub
    let externalHosts: ExternalHosts
    /// Nil unless the run is to write one.
    let faultLog: FaultLog?
    /// Blocking work: interactions written, bodies opened, misses searched.
    let queue: BackgroundQueue
    let control: ControlServer?
    let started: EventLoop.Instant
    /// Makes the certificates that intercepted clients see.
    let interception: Interception
    private let tunnels = Locked(TunnelTraffic())
    private let notStored = Locked<[String: Int]>([:])
    private let pending = PendingWork()
    private struct Registry {
        weak var sessions: Sessions?
    }

    /// Not held: the sessions hold the default one's core.
    private let registry = Locked(Registry())

    /// What a deck is put together from.
    struct Parts {
        var options: DeckOptions
        var environment: DeckEnvironment
        var session: Session
        var cassette: LoadedCassette
        var startScenario: String?
        var codecs: ContentCodecs
        var upstreamClients: LoopLocal<UpstreamClient>?
        var addressing: Addressing
        var upstreamPorts: [String: Int]
        var queue: BackgroundQueue
        var interception: Interception
        var closeIdleConnections: @Sendable () -> Void
        var isLoopback: Bool
    }

    init(_ parts: Parts, control: ControlServer?, started: EventLoop.Instant) {
        options = parts.options
        environment = parts.environment
        session = parts.session
        cassette = parts.cassette
        startScenario = parts.startScenario
        keys = parts.cassette.keys
        sanitizer = parts.cassette.sanitizer
        codecs = parts.codecs
        index = parts.cassette.index
        timings = parts.cassette.timings
        recorder = parts.cassette.recorder
        retries = RetryWatch()
        metrics = Metrics()
        events = EventHub()
        externalHosts = ExternalHosts()
        upstreamClients = parts.upstreamClients
        addressing = parts.addressing
        upstreamPorts = parts.upstreamPorts
        queue = parts.queue
        interception = parts.interception
        closeIdleConnections = parts.closeIdleConnections
        ownListener = nil
        clockShift = Self.shift(parts.options, parts.cassette, parts.environment)
        self.control = control
        self.started = started
        live = Locked(
            LiveSettings(
                parts.options.configuration, connects: parts.options.mode != .replay, isLoopback: parts.isLoopback,
                tunneledHosts: parts.options.tunneledHosts))
        faultLog = parts.options.faultLog.map { FaultLog(path: $0) }
    }

    /// A session beside the default one: its own session and cassette, everything else as `base` has it.
    ///
    /// - Parameters:
    ///   - ownListener: the session's own port; nil where it is reached by the deck's.
    init(
        session: Session, cassette: LoadedCassette, options: DeckOptions, sharing base: DeckCore,
        ownListener: Listener? = nil
    ) {
        self.options = options
        self.session = session
        self.cassette = cassette
        environment = base.environment
        startScenario = options.scenario
        keys = cassette.keys
        sanitizer = cassette.sanitizer
        codecs = base.codecs
        index = cassette.index
        timings = cassette.timings
        recorder = cassette.recorder
        retries = base.retries
        metrics = base.metrics
        events = base.events
        externalHosts = base.externalHosts
        upstreamClients = options.mode == .replay ? nil : base.upstreamClients
        var addressing = base.addressing
        addressing.home = cassette.home
        addressing.named = cassette.named
        addressing.deckPort = base.addressing.sharedPort
        addressing.ownPort = ownListener?.port ?? addressing.ownPort
        addressing.connects = options.mode != .replay
        self.addressing = addressing
        upstreamPorts = base.upstreamPorts
        queue = base.queue
        interception = base.interception
        self.ownListener = ownListener
        if let ownListener {
            closeIdleConnections = { ownListener.closeIdle() }
        } else {
            closeIdleConnections = base.closeIdleConnections
        }
        clockShift = Self.shift(options, cassette, base.environment)
        control = base.control
        started = base.started
        let isLoopback = base.gate.isLoopback
        let connects = options.mode != .replay
        live = Locked(
            LiveSettings(
                options.configuration, connects: connects, isLoopback: isLoopback, tunneledHosts: options.tunneledHosts)
        )
        faultLog = base.faultLog
    }

    /// Lets what a session's choices have become act on its connections: kept ones are closed where one may break on purpose,
    /// so that a client's silent retry does not hide it; an own port refuses while all is offline.
    ///
    /// A port that serves forward requests stays open, for a client whose proxy refuses goes around it.
    func applyChoices() {
        let (mayBreak, isOffline) = session.withRules { ($0.hasConnectionFaults, $0.isWhollyOffline) }
        let isForward = addressing.home == nil && (options.mode != .replay || !index.isEmpty)
        if let ownListener, !isForward, !options.forwardOnly {
            // Under the shim the app is told in an answer, which has to reach it.
            let isRefusing = isOffline && !usesShim
            ownListener.refuse(isRefusing)
            // All of them are reset, not only closed.
            if isRefusing { return }
        }
        if mayBreak { closeIdleConnections() }
    }

    /// Returns when ``applyChoices()`` has reached the session's own port.
    func settleChoices() async { await ownListener?.settle() }

    /// The sessions beside this one, where it is the default one.
    var sessions: Sessions? { registry.withLock { $0.sessions } }

    /// Makes this the core of the default session of `sessions`; before the first request.
    func join(_ sessions: Sessions) { registry.withLock { $0.sessions = sessions } }

    // MARK: Deciding

    /// What an exchange gets, by its session's rules. The body is read where a route names a GraphQL operation or chance
    /// depends on the key.
    func decide(
        _ address: Address, _ http: ServerExchange, _ body: RequestBody
    ) async throws(ConnectionError) -> Decision {
        var operations: [String] = []
        var key: MatchKey?
        let (needsOperations, needsKey) = session.withRules { ($0.rules.table.needsOperations, $0.needsKey) }
        if needsOperations || needsKey {
            let octets = try await body.whole()
            if needsOperations {
                operations = OperationName.all(in: octets ?? [], fields: http.head.fields, query: address.query)
            }
            if needsKey { key = self.key(method: http.head.method, address, fields: http.head.fields, body: octets) }
        }
        let now = http.loop.now().since(started)
        return session.decide(address, http.head.method, now: now, key: key, operations: operations)
    }

    /// A request as the cassette sees it.
    func request(
        _ head: RequestHead, _ address: Address, body: Bytes?, trailers: Fields = Fields()
    ) -> RawRequest {
        var fields = head.fields
        fields.remove("Host")
        fields.remove("Tapedeck-Session")
        return RawRequest(
            method: head.method, scheme: address.scheme, authority: address.authority, target: address.target,
            fields: fields, body: body, trailers: trailers)
    }

    /// The key of a request; on its loop, which remembers the last ones.
    func key(method: String, _ address: Address, fields: Fields, body: Bytes?) -> MatchKey {
        guard body?.isEmpty ?? true, keys.dependsOnTargetOnly, let loop = EventLoop.current else {
            return keys.key(
                of: request(
                    RequestHead(method: method, target: address.target, version: .http11, fields: fields), address,
                    body: body))
        }
        return cassette.keyCache.value(on: loop).key(method, address) {
            keys.key(
                of: RawRequest(
                    method: method, scheme: address.scheme, authority: address.authority, target: address.target))
        }
    }

    /// The rule for equal requests of a route.
    func playback(_ decision: Decision) -> PlaybackPolicy {
        decision.settings?.playback ?? live.withLock { $0.playback }
    }

    /// Whether some answers depend on how many writes came before.
    var followsWrites: Bool { options.followsWrites }

    var configurationFiles: [String] { live.withLock { $0.files } }
    /// Whether faults that no server can cause are told to the app in a field.
    var usesShim: Bool { live.withLock { $0.usesShim } }
    /// Where times stand in the JSON bodies of all answers.
    var clockPointers: [EditPointer] { live.withLock { $0.clockPointers } }
    var gate: Gate { live.withLock { $0.gate } }

    /// Lets what a new configuration says act on new exchanges.
    func adopt(_ settings: (LiveSettings) -> LiveSettings) { live.withLock { $0 = settings($0) } }

    /// Whether what was recorded before the run is played and only the rest recorded.
    var replaysKnown: Bool { options.mode == .record && options.recordMode == .new && !index.isEmpty }

    /// Whether an exchange of this route and host is to be stored.
    func isStored(_ decision: Decision, _ address: Address) -> Bool {
        guard decision.settings?.isRecorded ?? true else { return false }
        return !live.withLock { $0.ignoredHosts }.contains { $0.takes(address.authority, scheme: address.scheme) }
    }

    /// A target for logs, journal and pages: secret values replaced.
    func shown(_ target: Bytes) -> String {
        String(decoding: recorder?.shown(target: target) ?? sanitizer.shown(target: target), as: UTF8.self)
    }

    /// Whether a host's tunnels are passed unseen.
    func isTunneled(_ authority: Authority) -> Bool {
        live.withLock { $0.tunneledHosts }.contains { $0.takes(authority, scheme: "https") }
    }

    /// Counts a tunnel that was passed unseen and has ended.
    func count(_ traffic: TunnelTraffic) {
        tunnels.withLock { tunnels in
            tunnels.sent += traffic.sent
            tunnels.received += traffic.received
        }
    }

    /// What passed through tunnels unseen.
    var tunnelTraffic: TunnelTraffic { tunnels.withLock { $0 } }

    // MARK: Delivering

    /// A recorded answer for this client: prepared once, and read from the disk, off the loop, where its body lies beside.
    func prepared(_ index: Int, for http: ServerExchange) async throws -> PreparedAnswer {
        let accepts = http.head.fields.first("Accept-Encoding").map { Bytes($0) }
        if let answer = cassette.answers.answer(index, accepts) { return answer }
        let interaction = self.index.interactions[index]
        let codings = PreparedCodings(http.head.fields)
        let make = { @Sendable [codecs] in
            PreparedAnswer(try Answer(interaction, codings: codings, codecs: codecs), codecs: codecs)
        }
        // A small answer that is in memory is made sooner than another thread is woken.
        let isLight = interaction.isLight
        let prepared = isLight ? try make() : try await queue.run(make)
        cassette.answers.keep(prepared, index, accepts, isLight: isLight)
        return prepared
    }

    /// The measured times of an interaction.
    func timings(of interaction: Interaction) -> Timings? { timings[interaction.name] }

    /// Marks what was recorded for a request as met, for a variant stood in for it.
    func cover(_ request: RawRequest) {
        if let sequence = index.sequence(for: keys.key(of: request)) { session.cover(sequence) }
    }

    // MARK: Storing

    /// Writes an exchange off the loop, and returns at once unless many are waiting.
    func store(
        _ response: RawResponse, ticket: @escaping @Sendable (CassetteRecorder) -> CassetteRecorder.Ticket
    ) async {
        guard let recorder else { return }
        await pending.add { [self] in
            do {
                let outcome = try await queue.run { [self] in
                    let coding = response.fields.text("Content-Encoding")
                    let body = coding.map { codecs.decode($0, response.body) } ?? response.body
                    self.noteExternal(
                        ExternalHosts.found(in: response.fields, body: body),
                        recorder.cassette.manifest.form == .forward)
                    return try recorder.store(ticket(recorder), response)
                }
                if case .written(let name) = outcome { log(.info, "recorded \(name)") }
            } catch {
                countNotStored(Self.unwritten)
                log(.error, "not stored: \(error)")
            }
        }
    }

    /// Why an exchange is missing that was to be stored: the run has failed then.
    static let unwritten = "it could not be written"

    /// Returns when every exchange that was handed over is written.
    func finishStoring() async { await pending.finish() }

    func countNotStored(_ reason: String) { notStored.withLock { $0[reason, default: 0] += 1 } }

    var notStoredCounts: [String: Int] { notStored.withLock { $0 } }

    // MARK: Telling

    /// Journals an exchange, which leaves its session.
    func end(_ entry: JournalEntry, after duration: Duration) {
        var entry = entry
        entry.duration = duration
        entry.time = environment.wallClock.now()
        note(entry)
        session.leave()
    }

    /// Adds an exchange to the journal.
    func note(_ entry: JournalEntry) {
        if case .passed(let reason) = entry.outcome, options.mode == .record, reason != "not recorded" {
            countNotStored(reason)
        }
        session.journal.add(entry)
        metrics.count(entry)
        events.publish(entry, session: session.name)
    }

    func log(_ level: LogEvent.Level, _ message: String, status: Int? = nil) {
        environment.log(LogEvent(level, message, status.map { [("status", String($0))] } ?? []))
    }

    /// What listeners for clients tell.
    var clientHooks: ServerHooks {
        ServerHooks(onRejected: { [self] error, _ in
            log(.warning, "refused a malformed request: \(error.message)", status: error.status)
        })
    }

    /// Serves a request to the control API that came through the proxy, with all its checks.
    func answerControl(_ http: ServerExchange, target: Bytes) async { await control?.answer(http, target: target) }
}
