import CassetteKit
import ControlAPI
import DeckRules
import HTTPCore
import SystemIO
import Transport

extension Sessions {
    /// Makes a session as the control API asks for it.
    ///
    /// - Throws: `Refusal` for a name that is taken, a cassette that is not below the given folder or can't be read, a mode
    ///   that this deck does not have, and a port that is not free.
    func make(_ wish: SessionRequest) async throws(Refusal) -> SessionState {
        let name = try reserve(wish.name)
        do throws(Refusal) {
            let options = try options(wish)
            let (rules, scenario) = try rules(options)
            let cassette = try await load(options, wish)
            let session = Session(
                name: name, rules: RuleState(rules, session: name, scenario: scenario),
                interactions: cassette.index.interactions.count)
            let listener = try ownListener(wish)
            let core = DeckCore(
                session: session, cassette: cassette, options: options, sharing: base, ownListener: listener)
            let entry = Entry(
                core: core, listener: listener, timeToLive: try timeToLive(wish), lastUsed: group.loops[0].now())
            if let expiry = core.expiry { base.log(.warning, "session \(name): \(expiry)") }
            add(entry)
            listener?.start(limits: base.options.configuration.limits, hooks: base.clientHooks) { [self] http in
                await serve(http, own: name)
            }
            core.applyChoices()
            await core.settleChoices()
            return describe(name, entry)
        } catch {
            release(name)
            throw error
        }
    }

    /// How a session stands.
    func describe(_ name: String, _ entry: Entry) -> SessionState {
        let core = entry.core
        let prefixed = "\(proxyURL)/_deck/\(name)"
        let own = entry.listener.map { ListenAddress(host: base.options.listen.host, port: $0.port).url(port: $0.port) }
        return SessionState(
            name: name, url: own ?? prefixed, prefixURL: prefixed, mode: core.options.mode.rawValue,
            cassette: core.cassette.folder, interactions: core.index.interactions.count,
            scenario: core.session.withRules { $0.scenario }, counts: core.counts)
    }

    private func options(_ wish: SessionRequest) throws(Refusal) -> DeckOptions {
        var options = base.options
        if let mode = wish.mode { options.mode = try self.mode(mode) }
        if let text = wish.recordMode {
            guard let mode = RecordMode(rawValue: text) else {
                throw Refusal(400, "mode", "\"\(text)\" is no record mode.", "Use all, new or once.")
            }
            options.recordMode = mode
        }
        if let cassette = wish.cassette { options.cassette = try folder(of: cassette) }
        if let latency = wish.latency {
            guard let model = LatencyModel.parse(latency) else {
                throw Refusal(
                    400, "latency", "\(latency) is no latency.", "Give none, recorded, or a time such as 750ms.")
            }
            options.latency = model
        }
        if let clock = wish.clock {
            do throws(RuleError) {
                options.clock = try ClockChoice.parse(clock)
            } catch {
                throw Refusal(400, "clock", error.message, error.advice)
            }
        }
        options.seed = wish.seed ?? options.seed
        options.faults = wish.faults ?? options.faults
        options.scenario = wish.scenario ?? (options.mode == .record ? nil : options.scenario)
        if options.mode == .record, options.recordMode == .once,
            options.cassette.map({ CassetteFolder($0).isCassette }) == true
        {
            options.mode = .replay
        }
        return options
    }

    private func mode(_ text: String) throws(Refusal) -> DeckOptions.Mode {
        guard let mode = DeckOptions.Mode(rawValue: text) else {
            throw Refusal(400, "mode", "\"\(text)\" is no mode.", "Use replay, record or passthrough.")
        }
        guard mode == .replay || base.options.mode != .replay else {
            throw Refusal(
                409, "replay-only", "This deck replays and opens no connection.",
                "Start it with `tapedeck record` for sessions that record.")
        }
        return mode
    }

    private func folder(of cassette: String) throws(Refusal) -> String {
        guard let root = base.options.cassette else {
            throw Refusal(
                409, "cassette", "This deck was started without a folder of cassettes.", "Name one at start.")
        }
        return try CassettePath.below(root, cassette)
    }

    private func rules(_ options: DeckOptions) throws(Refusal) -> (RuleSet, scenario: String?) {
        do throws(DeckError) {
            let rules = try DeckBuilder.rules(of: options)
            let scenario = options.scenario ?? (options.mode == .record ? nil : rules.scenario)
            if let name = scenario, rules.scenarios[name] == nil {
                let error = rules.unknownScenario(name)
                throw DeckError(.usage, error.message, advice: error.advice)
            }
            return (rules, scenario)
        } catch {
            throw Refusal(409, "rules", error.message, error.advice)
        }
    }

    /// The cassette that a session plays or records; read off the loop, and shared by all that play it.
    private func load(_ options: DeckOptions, _ wish: SessionRequest) async throws(Refusal) -> LoadedCassette {
        let isPlayed = options.mode == .replay
        if options.cassette == base.options.cassette, isPlayed, base.options.mode == .replay { return base.cassette }
        if isPlayed, let path = options.cassette, let known = cassette(path) { return known }
        let (environment, fsync) = (base.environment, fsync)
        do {
            let loaded = try await base.queue.run { try DeckBuilder(options, environment).load(fsync: fsync) }
            if isPlayed, let path = options.cassette { keep(loaded, path) }
            return loaded
        } catch let error as DeckError {
            throw Refusal(error.kind == .usage ? 404 : 409, "cassette", error.message, error.advice)
        } catch {
            throw Refusal(500, "cassette", "The cassette can't be read: \(error)", "")
        }
    }

    private func ownListener(_ wish: SessionRequest) throws(Refusal) -> Listener? {
        guard wish.port ?? (base.options.sessionPorts != nil) else { return nil }
        let host = base.options.listen.host
        let ports = base.options.sessionPorts.map(Array.init) ?? [0]
        var last: ListenError?
        for port in ports {
            do throws(ListenError) {
                return try Listener.bind(ListenAddress(host: host, port: port), group: group)
            } catch {
                last = error
            }
        }
        throw Refusal(
            429, "no-port", "No port for the session is free: \(last?.message ?? "the range is empty")",
            "Give a wider --session-ports, or close sessions that are done.")
    }

    private func timeToLive(_ wish: SessionRequest) throws(Refusal) -> Duration {
        guard let text = wish.timeToLive else { return Self.timeToLive }
        guard let time = parseDuration(text), time > .zero else {
            throw Refusal(400, "time-to-live", "\"\(text)\" is no time.", "Write one as 30s, 10m or 2h.")
        }
        return time
    }
}
