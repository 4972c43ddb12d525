import CassetteKit
import ControlAPI
import DeckRules
import HTTPCore
import SystemIO
import Transport

/// Puts a deck together from its options: every step that can fail, in the order in which a user would want to hear of it.
struct DeckBuilder {
    let options: DeckOptions
    private let environment: DeckEnvironment

    init(_ options: DeckOptions, _ environment: DeckEnvironment) {
        var options = options
        if options.mode == .record, options.recordMode == .once, Self.exists(options.cassette) {
            options.mode = .replay
        }
        self.options = options
        self.environment = environment
    }

    private static func exists(_ cassette: String?) -> Bool { cassette.map { CassetteFolder($0).isCassette } ?? false }

    func build() async throws(DeckError) -> Deck {
        for warning in options.configuration.warnings { environment.log(LogEvent(.warning, warning.description)) }
        let rules = try Self.rules(of: options)
        let scenario = try scenario(rules)
        try refuseUnreachableFaults(rules, scenario)
        let fsync = try makeFsync()
        let cassette = try load(fsync: fsync, isDefault: true)
        let group = try makeLoops()
        let doors = try DeckDoors.open(options, upstreams: cassette.named.keys.sorted(), group)
        let steering = Steering()
        let session = Session(
            name: "default", rules: RuleState(rules, scenario: scenario),
            interactions: cassette.index.interactions.count)
        let upstreams: LoopLocal<UpstreamClient>? =
            options.mode == .replay
            ? nil : LoopLocal { [options] in UpstreamClient(loop: $0, options: options.upstreamOptions) }
        let parts = DeckCore.Parts(
            options: options, environment: environment, session: session, cassette: cassette,
            startScenario: scenario, codecs: CassetteCodecs.make(log: environment.log), upstreamClients: upstreams,
            addressing: Addressing(
                home: cassette.home, named: cassette.named, ownPort: doors.proxy.port,
                upstreamPorts: Set(doors.upstreamPorts.values), controlPort: doors.control?.port,
                adviceWithoutHome:
                    "Start tapedeck with --upstream URL, or ask for a whole URL as a proxy's client does.",
                connects: options.mode != .replay),
            upstreamPorts: doors.upstreamPorts,
            queue: try makeQueue(),
            interception: Interception(
                folder: options.authorityFolder, clock: environment.wallClock, random: environment.random),
            closeIdleConnections: { doors.closeIdle() }, isLoopback: options.listen.isLoopback)
        let server = doors.control.map { listener in
            ControlServer(
                surface: steering, token: options.controlToken,
                names: DeckDoors.controlNames(options.control, port: listener.port))
        }
        let core = DeckCore(parts, control: server, started: group.loops[0].now())
        let deck = Deck(core: core, group: group, doors: doors, steering: steering, fsync: fsync)
        deck.open()
        return deck
    }

    /// Reads and keys the cassette, and opens it for recording where that is the mode. Blocks.
    ///
    /// - Parameter isDefault: it is for requests that name no session, which a folder of cassettes has nothing for.
    func load(fsync: FsyncGroup?, isDefault: Bool = false) throws(DeckError) -> LoadedCassette {
        let isForSessions = isDefault && (options.refusesDefaultSession || isFolderOfCassettes)
        if isForSessions, options.mode == .record, !options.refusesDefaultSession {
            throw DeckError(
                .usage, "\(options.cassette ?? "") is a folder of cassettes.",
                advice: "name one of them, or give --no-default-session and record in sessions")
        }
        let cassette = isForSessions ? nil : try loadCassette()
        let home = try home(cassette)
        let rules = try Self.rules(of: options)
        let sanitizer = try sanitizer(cassette?.manifest.secretPlaces ?? [])
        let keys = try keyRules(rules, sanitizer, cassette?.interactions ?? [])
        let index = try makeIndex(cassette, keys)
        warn(of: cassette, home)
        let named = try namedUpstreams(cassette)
        let recorder = isForSessions ? nil : try openRecorder(home, named, sanitizer, keys, fsync)
        return LoadedCassette(
            folder: isForSessions ? nil : options.cassette, home: home, named: named, keys: keys, sanitizer: sanitizer,
            index: index, timings: (try? cassette?.timings()) ?? [:], recorder: recorder,
            checked: cassette?.manifest.checked)
    }

    /// Says what would otherwise show as misses or missing delays only.
    private func warn(of cassette: Cassette?, _ home: (scheme: String, authority: Authority)?) {
        guard options.mode == .replay, let cassette, !cassette.interactions.isEmpty else { return }
        if let home {
            let isRecorded = cassette.interactions.contains {
                $0.request.scheme == home.scheme && $0.request.authority == home.authority
            }
            if !isRecorded {
                let named = "\(home.scheme)://\(home.authority.text)"
                let recorded = Set(cassette.interactions.map { "\($0.request.scheme)://\($0.request.authority.text)" })
                let place = options.upstreams.isEmpty ? options.configuration.file ?? "the configuration" : "--upstream"
                let origin = recorded.count == 1 ? recorded.first ?? "" : "\(recorded.count) other hosts"
                environment.log(
                    LogEvent(
                        .warning,
                        "\(place) names \(named), but the cassette was recorded from \(origin): requests to the deck's own"
                            + " address will miss. Give --upstream \(recorded.sorted().first ?? "URL")"))
            }
        }
        if case .recorded? = options.latency, (try? cassette.timings())?.isEmpty ?? true {
            environment.log(
                LogEvent(
                    .warning,
                    "--latency recorded: the cassette has no timings.json, so nothing is delayed; it comes with a"
                        + " recording and is not kept in version control"))
        }
    }

    private var isFolderOfCassettes: Bool {
        guard let path = options.cassette else { return false }
        return !Self.exists(path) && !CassetteFolder(path).cassettesBelow.isEmpty
    }

    /// Upstreams by name: the flags', else the configuration's, else those that the cassette names as `NAME=URL`.
    private func namedUpstreams(_ cassette: Cassette?) throws(DeckError) -> [String: UpstreamOrigin] {
        var list = options.upstreams.isEmpty ? options.configuration.upstreams : options.upstreams
        if list.allSatisfy({ $0.name == nil }) {
            list += (cassette?.manifest.upstreams ?? []).map { NamedUpstream(recorded: $0) }
        }
        var named: [String: UpstreamOrigin] = [:]
        for upstream in list {
            guard let name = upstream.name else { continue }
            let origin = try Self.origin(upstream.url)
            guard
                named.updateValue(UpstreamOrigin(scheme: origin.scheme, authority: origin.authority), forKey: name)
                    == nil
            else { throw DeckError(.usage, "There are two upstreams \(name).", advice: "give each its own name") }
        }
        return named
    }

    /// Threads for blocking work.
    private func makeQueue() throws(DeckError) -> BackgroundQueue {
        do throws(SystemError) {
            return try BackgroundQueue(label: "deck", threads: 2, capacity: 1_024)
        } catch {
            throw DeckError(.start, "The background threads do not start: \(error.message)")
        }
    }

    // MARK: Rules

    /// The configuration's rules with the command line's laid over them.
    static func rules(of options: DeckOptions) throws(DeckError) -> RuleSet {
        var faults: [FaultOverride] = []
        for text in options.faults {
            do throws(RuleError) {
                faults.append(try FaultOverride.parse(text))
            } catch {
                throw DeckError(.usage, "--fault '\(text)': \(error.message)", advice: error.advice)
            }
        }
        let rules = options.configuration.rules.replacing(
            faults: faults, latency: options.latency, seed: options.seed, plan: options.faultPlan,
            namesExchanges: options.faultLog != nil)
        if let problem = rules.validate().first {
            throw DeckError(.usage, problem.error.message, advice: problem.error.advice)
        }
        return rules
    }

    /// The scenario to begin with: recording starts with none unless one is given.
    private func scenario(_ rules: RuleSet) throws(DeckError) -> String? {
        let name = options.scenario ?? (options.mode == .record ? nil : rules.scenario)
        if let name, rules.scenarios[name] == nil {
            let error = rules.unknownScenario(name)
            throw DeckError(.usage, error.message, advice: error.advice)
        }
        return name
    }

    // MARK: Cassette

    private func loadCassette() throws(DeckError) -> Cassette? {
        guard let path = options.cassette else { return nil }
        let isThere = Self.exists(path)
        switch options.mode {
        case .passthrough: return nil
        case .record where !isThere: return nil
        case .replay where !isThere:
            throw DeckError(
                .usage, "There is no cassette at \(path).",
                advice: "record one: tapedeck record --upstream URL \(path)")
        default: break
        }
        do throws(FormatError) {
            let cassette = try Cassette.load(folder: path)
            for orphan in cassette.orphans {
                environment.log(LogEvent(.warning, "\(path): no interaction needs \(orphan)"))
            }
            return cassette
        } catch {
            throw DeckError(.usage, error.description)
        }
    }

    /// Whom origin-form requests belong to: the flag, else the configuration, else the one authority of the cassette.
    private func home(_ cassette: Cassette?) throws(DeckError) -> (scheme: String, authority: Authority)? {
        if options.forwardOnly { return nil }
        let given = options.upstreams.isEmpty ? options.configuration.upstreams : options.upstreams
        if given.filter({ $0.name == nil }).count > 1 {
            throw DeckError(
                .usage, "There are several upstreams without a name.",
                advice: "name all but the first: --upstream auth=https://auth.example.com")
        }
        let named = given.first { $0.name == nil } ?? given.first
        if let named { return try Self.origin(named.url) }
        if options.mode == .passthrough {
            throw DeckError(.usage, "passthrough has no upstream.", advice: "give --upstream URL")
        }
        guard options.mode == .replay, let cassette else { return nil }
        let recorded = cassette.manifest.upstreams.map { NamedUpstream(recorded: $0) }
        if let first = (recorded.first { $0.name == nil } ?? recorded.first)?.url, cassette.manifest.form == .reverse {
            return try Self.origin(first)
        }
        var origins: [(scheme: String, authority: Authority)] = []
        for request in cassette.interactions.map(\.request)
        where !origins.contains(where: { $0.scheme == request.scheme && $0.authority == request.authority }) {
            origins.append((request.scheme, request.authority))
        }
        if origins.count <= 1 { return origins.first }
        if cassette.manifest.form == .forward { return nil }
        throw DeckError(
            .usage,
            "The cassette has \(origins.count) hosts: \(origins.map { $0.authority.text }.sorted().joined(separator: ", ")).",
            advice: "say whom requests without a host belong to with --upstream URL, or give --forward-only")
    }

    private static func origin(_ url: String) throws(DeckError) -> (scheme: String, authority: Authority) {
        do {
            let checked = try NamedUpstream.checkedURL(url)
            let scheme = String(checked.prefix { $0 != ":" })
            return (scheme, try Authority.parse(checked.dropFirst(scheme.count + 3).utf8))
        } catch let error as RuleError {
            throw DeckError(.usage, "--upstream: \(error.message)", advice: error.advice)
        } catch {
            throw DeckError(.usage, "--upstream: \(url) is no URL", advice: "write one as https://example.com")
        }
    }

    private func makeIndex(_ cassette: Cassette?, _ keys: KeyRules) throws(DeckError) -> ReplayIndex {
        let isPlayed = options.mode == .replay || (options.mode == .record && options.recordMode == .new)
        guard isPlayed, let cassette else { return ReplayIndex() }
        do throws(FormatError) {
            let index = try ReplayIndex(cassette.interactions, keys: keys)
            if options.followsWrites, index.lacksWriteCounts {
                environment.log(
                    LogEvent(
                        .warning,
                        "the cassette was recorded without counting writes, so followWrites plays it in recorded order: record it again"
                    ))
            }
            return index
        } catch {
            throw DeckError(.usage, error.description)
        }
    }

    private func openRecorder(
        _ home: (scheme: String, authority: Authority)?, _ named: [String: UpstreamOrigin], _ sanitizer: Sanitizer,
        _ keys: KeyRules, _ fsync: FsyncGroup?
    ) throws(DeckError) -> CassetteRecorder? {
        guard options.mode == .record, let fsync else { return nil }
        guard let folder = options.cassette else {
            throw DeckError(.usage, "record has no cassette.", advice: "name its folder: tapedeck record CASSETTE")
        }
        do {
            return try CassetteRecorder.open(
                folder: folder, form: home == nil ? .forward : .reverse,
                upstreams: Self.recorded(home, named), sanitizer: sanitizer,
                matcher: keys.common, keys: keys.forRecorder,
                today: Timestamp(milliseconds: environment.wallClock.now()).date,
                fsync: fsync, volatile: options.configuration.volatile, prune: options.prune,
                notesWrites: options.followsWrites,
                refreshBefore: options.configuration.expiresIn.map { days in
                    Timestamp(milliseconds: environment.wallClock.now() - Int64(days) * 43_200_000).date
                })
        } catch let error as FormatError {
            throw DeckError(.usage, error.description)
        } catch {
            throw DeckError(.start, "\(error)")
        }
    }

    /// The upstreams as `cassette.json` names them: the one without a name first.
    private static func recorded(
        _ home: (scheme: String, authority: Authority)?, _ named: [String: UpstreamOrigin]
    ) -> [String] {
        guard let home else { return [] }
        let first = UpstreamOrigin(scheme: home.scheme, authority: home.authority)
        let others = named.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }
        return named.values.contains(first) ? others : [first.text] + others
    }

    private func makeFsync() throws(DeckError) -> FsyncGroup? {
        guard options.mode != .replay else { return nil }
        do throws(SystemError) {
            return try FsyncGroup()
        } catch {
            throw DeckError(.start, "The writing thread does not start: \(error.message)")
        }
    }

    // MARK: Sanitizing and keys

    /// How a run with these options tells the requests of some cassettes apart.
    static func keyRules(
        _ options: DeckOptions, _ environment: DeckEnvironment, _ cassettes: [Cassette]
    ) throws(DeckError) -> KeyRules {
        let builder = DeckBuilder(options, environment)
        let sanitizer = try builder.sanitizer(cassettes.flatMap(\.manifest.secretPlaces))
        return try builder.keyRules(try rules(of: options), sanitizer, cassettes.flatMap(\.interactions))
    }

    private func sanitizer(_ places: [SecretPlace]) throws(DeckError) -> Sanitizer {
        try Sanitizer(
            options.configuration, secretVariables: options.secretVariables,
            places: places, variable: environment.variable,
            codecs: CassetteCodecs.make(log: environment.log), warn: { environment.log(LogEvent(.warning, $0)) })
    }

    private func keyRules(
        _ rules: RuleSet, _ sanitizer: Sanitizer, _ interactions: [Interaction]
    ) throws(DeckError) -> KeyRules {
        var base = MatchRules()
        base.maxBody = options.maxMatchBody
        let common = options.configuration.match.rules(over: base)
        var ofRoutes: [Int: Matcher] = [:]
        for (name, match) in options.configuration.routeMatch where !match.isEmpty {
            guard let route = rules.table.index(of: name) else { continue }
            ofRoutes[route] = Matcher(sanitizer: sanitizer, rules: match.rules(over: common))
        }
        let keys = KeyRules(
            table: rules.table, common: Matcher(sanitizer: sanitizer, rules: common), ofRoutes: ofRoutes,
            playback: options.configuration.playback)
        do throws(FormatError) {
            return try keys.adding(interactions)
        } catch {
            throw DeckError(.usage, error.description)
        }
    }

    // MARK: Doors

    private func makeLoops() throws(DeckError) -> EventLoopGroup {
        do throws(SystemError) {
            return try EventLoopGroup(
                count: environment.loops, poller: environment.poller, clock: environment.loopClock)
        } catch {
            throw DeckError(.start, "The event loops do not start: \(error.message)")
        }
    }
}
