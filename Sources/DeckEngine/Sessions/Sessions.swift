import CassetteKit
import ControlAPI
import DeckRules
import HTTPCore
import SystemIO
import Transport

/// All sessions of a deck by name: which one a request belongs to, and how they come and go.
///
/// Any thread may call. The lock is held for a few lines; cassettes are read and recordings finished outside of it.
final class Sessions: Sendable {
    /// Sessions at a time; more are refused, so that a test that never closes its own is noticed.
    static let capacity = 1_024
    /// How long a session lives without a request where nobody says otherwise.
    static let timeToLive = Duration.seconds(3_600)
    static let closingTime = Duration.seconds(5)

    /// A session beside the default one.
    struct Entry: Sendable {
        var core: DeckCore
        var listener: Listener?
        var timeToLive: Duration
        var lastUsed: EventLoop.Instant
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// Names of sessions that are being made.
        var reserved: Set<String> = []
        var nextNumber = 1
        var closed: [SessionAccount] = []
        /// Cassettes that sessions play, by path.
        var cassettes: [String: LoadedCassette] = [:]

        /// A name that no session has.
        mutating func freeName(_ taken: String) -> String {
            while true {
                let name = "s\(nextNumber)"
                nextNumber += 1
                if name != taken, entries[name] == nil, !reserved.contains(name) { return name }
            }
        }
    }

    /// The default session, and what all sessions share.
    let base: DeckCore
    let group: EventLoopGroup
    let fsync: FsyncGroup?
    let proxyURL: String
    private let state = Locked(State())

    init(base: DeckCore, group: EventLoopGroup, fsync: FsyncGroup?, proxyURL: String) {
        self.base = base
        self.group = group
        self.fsync = fsync
        self.proxyURL = proxyURL
    }

    // MARK: Serving

    /// Serves one exchange in the session that it asks for.
    ///
    /// - Parameters:
    ///   - own: the session whose own port the request came to; nil for the deck's.
    ///   - upstream: the name of the upstream whose own port it came to.
    func serve(_ http: ServerExchange, own: String?, upstream: String? = nil) async {
        let isOwn = { [base] (authority: Authority, scheme: String) in
            base.addressing.isOwn(authority, scheme: scheme)
                || scheme == "http" && Addressing.isThisMachine(authority)
                    && authority.port(defaultFor: scheme) == http.listenerPort
        }
        var place = SessionPlace(http.head, http.target, in: http.tunnel, isOwn: isOwn)
        if let upstream { place.lead(to: upstream, isOwn: isOwn) }
        switch core(for: place, own: own) {
        case .core(let core):
            await Exchange(core: core, http: http, place: place).run()
        case .refused(let problem):
            await refuse(http, problem)
        }
    }

    private enum Found {
        case core(DeckCore)
        case refused(Problem)
    }

    private func core(for place: SessionPlace, own: String?) -> Found {
        var wanted = place.name ?? own
        if place.isUserName, !base.options.makesSessions, let name = wanted, used(name) == nil { wanted = own }
        guard let name = wanted else {
            guard base.options.refusesDefaultSession, !isForControl(place) else { return .core(base) }
            return .refused(
                Problem(
                    status: base.options.missStatus, label: "no-session", title: MissReport.title,
                    detail: "This deck runs with --no-default-session, and the request names no session: ask for "
                        + "/_deck/NAME/…, send the field Tapedeck-Session, or give the proxy a user name."))
        }
        if let core = used(name) { return .core(core) }
        if name == base.session.name { return .core(base) }
        if base.options.makesSessions, let core = makeAutomatically(name) { return .core(core) }
        return .refused(
            Problem(
                status: base.options.missStatus, label: "unknown-session", title: MissReport.title,
                detail:
                    "There is no session \(SessionPlace.isName(name) ? name : "of this name"): make it with POST /sessions on the control API, "
                    + "or start tapedeck with --auto-sessions."))
    }

    /// Whether a request asks the deck's control API through the proxy, which belongs to no session.
    private func isForControl(_ place: SessionPlace) -> Bool {
        if case .control = base.addressing.destination(of: place.head, place.target) { return true }
        return false
    }

    private func used(_ name: String) -> DeckCore? {
        let now = group.loops[0].now()
        return state.withLock { state in
            state.entries[name]?.lastUsed = now
            return state.entries[name]?.core
        }
    }

    /// A session as the default one, made on first sight; nil for a name that is none and above the cap.
    private func makeAutomatically(_ name: String) -> DeckCore? {
        guard SessionPlace.isName(name) else { return nil }
        let now = group.loops[0].now()
        let (core, isNew): (DeckCore?, Bool) = state.withLock { state in
            if let core = state.entries[name]?.core { return (core, false) }
            guard state.entries.count + state.reserved.count < Self.capacity, !state.reserved.contains(name) else {
                return (nil, false)
            }
            let rules = base.session.withRules { $0.rules }
            let session = Session(
                name: name, rules: RuleState(rules, session: name, scenario: base.startScenario),
                interactions: base.index.interactions.count)
            let core = DeckCore(session: session, cassette: base.cassette, options: base.options, sharing: base)
            state.entries[name] = Entry(core: core, timeToLive: Self.timeToLive, lastUsed: now)
            return (core, true)
        }
        if isNew { base.events.publish(change: ChangeEvent("session", session: name, value: "made")) }
        return core
    }

    /// Answers a request that belongs to no session, and counts it as a miss.
    private func refuse(_ http: ServerExchange, _ problem: Problem) async {
        let answer = Answer(miss: problem)
        base.log(.warning, "miss: \(problem.detail)", status: problem.status)
        _ = try? await http.readWholeBody(limit: base.options.maxBody)
        try? await http.deliver(answer, nil)
        base.note(
            JournalEntry(
                method: http.head.method, target: base.shown(http.head.target), route: nil, variant: nil,
                status: problem.status, outcome: .miss, octets: http.octetsSent,
                duration: http.loop.now().since(http.begun)))
    }

    // MARK: Coming and going

    /// The core of a session by name, for the control API.
    func core(named name: String) throws(Refusal) -> DeckCore {
        if let core = state.withLock({ $0.entries[name]?.core }) { return core }
        if name == base.session.name { return base }
        throw Refusal(
            404, "unknown-session", "There is no session \"\(name)\".", "See GET /sessions for those that there are.")
    }

    /// The sessions beside the default one, in the order of their names.
    var entries: [(name: String, entry: Entry)] {
        state.withLock { $0.entries.map { (name: $0.key, entry: $0.value) } }.sorted { $0.name < $1.name }
    }

    /// The accounts of sessions that are closed.
    var closed: [SessionAccount] { state.withLock { $0.closed } }

    /// Reserves a name for a session that is about to be made.
    func reserve(_ wanted: String?) throws(Refusal) -> String {
        if let wanted, !SessionPlace.isName(wanted) {
            throw Refusal(
                400, "session-name", "\"\(wanted)\" is no name of a session.",
                "Use at most 100 of a-z A-Z 0-9 - . _.")
        }
        let result: Result<String, Refusal> = state.withLock { state in
            guard state.entries.count + state.reserved.count < Self.capacity else {
                return .failure(
                    Refusal(
                        429, "too-many-sessions", "\(Self.capacity) sessions are open, which is the most there can be.",
                        "Close those that are done: DELETE /sessions/NAME."))
            }
            let name = wanted ?? state.freeName(base.session.name)
            guard name != base.session.name, state.entries[name] == nil, state.reserved.insert(name).inserted else {
                return .failure(
                    Refusal(
                        409, "name-taken", "There is a session \"\(name)\" already.", "Give another name, or close it.")
                )
            }
            return .success(name)
        }
        return try result.get()
    }

    func release(_ name: String) { state.withLock { _ = $0.reserved.remove(name) } }

    func add(_ entry: Entry) {
        state.withLock { state in
            state.reserved.remove(entry.core.session.name)
            state.entries[entry.core.session.name] = entry
        }
        base.events.publish(change: ChangeEvent("session", session: entry.core.session.name, value: "made"))
    }

    /// A cassette that some session has loaded already.
    func cassette(_ path: String) -> LoadedCassette? { state.withLock { $0.cassettes[path] } }

    func keep(_ cassette: LoadedCassette, _ path: String) { state.withLock { $0.cassettes[path] = cassette } }

    /// Closes a session: takes no more requests, waits for those under way, writes what is to be written.
    ///
    /// - Parameter failed: its test has failed, so that what it did not ask for does not count.
    func close(_ name: String, failed: Bool = false) async throws(Refusal) -> RunReport {
        guard let entry = state.withLock({ $0.entries.removeValue(forKey: name) }) else {
            _ = try core(named: name)
            throw Refusal(409, "default-session", "The default session can't be closed.", "Stop the deck: POST /stop.")
        }
        entry.listener?.stop()
        await entry.listener?.drain(timeout: Self.closingTime)
        await waitForExchanges(of: entry.core.session)
        let report = await finish(entry.core)
        entry.core.cassette.cover(entry.core.session)
        let account = SessionAccount(
            name: name, cassette: entry.core.cassette, report: report, failed: failed,
            strictUnused: entry.core.options.mode == .replay && !failed)
        state.withLock { $0.closed.append(account) }
        base.events.publish(change: ChangeEvent("session", session: name, value: "closed"))
        return report
    }

    /// Writes what a session has recorded, unless the default session owns the recording.
    private func finish(_ core: DeckCore) async -> RunReport {
        await core.finishStoring()
        var report = core.report()
        // What one session did not ask for another may: that is judged when the run ends.
        var own = report
        own.unused = []
        own.unmet = []
        report.failures = core.failures(own)
        guard let recorder = core.recorder, recorder !== base.recorder else { return report }
        do {
            report.record = try await base.queue.run { try recorder.finish() }
            try await fsync?.flush()
        } catch {
            report.failures.append("the recording could not be finished: \(error)")
        }
        return report
    }

    private func waitForExchanges(of session: Session) async {
        let loop = group.loops[0]
        let deadline = loop.now().since(base.started) + Self.closingTime
        while session.underWay > 0, loop.now().since(base.started) < deadline {
            let pause = loop.spawn { try? await loop.sleep(for: .milliseconds(5)) }
            await pause.value
        }
    }

    /// Closes every session.
    func closeAll() async {
        for (name, _) in entries { _ = try? await close(name) }
    }

    /// Closes sessions that nobody has used for longer than they live.
    func sweep() async {
        let now = group.loops[0].now()
        for (name, entry) in entries
        where now.since(entry.lastUsed) > entry.timeToLive && entry.core.session.underWay == 0 {
            base.log(.warning, "session \(name) was not used for \(entry.timeToLive) and is closed")
            _ = try? await close(name)
        }
    }
}

/// What is left of a session that is closed.
struct SessionAccount: Sendable {
    var name: String
    var cassette: LoadedCassette
    var report: RunReport
    /// Its test failed: it counts for misses only.
    var failed: Bool
    /// Whether what it did not ask for counts as unused.
    var strictUnused: Bool
}
