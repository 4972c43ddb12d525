import ControlAPI
import DeckRules
import HTTPCore
import SystemIO
import Transport

/// The deck as the control API drives it.
///
/// It is made before the deck's core, which the control server is a part of, and given the core before the first request.
final class Steering: ControlSurface {
    /// Comes when somebody asks the deck to stop.
    let stopRequest = Promise<Void>()
    /// Comes when the deck has stopped taking requests and has written everything.
    let report = Promise<RunReport>()

    private struct Deck {
        var core: DeckCore
        var sessions: Sessions
        var proxyURL: String
        var stop: @Sendable () async -> Void
    }

    /// What it drives, not held: the core holds the control server, which holds this.
    private struct Driven {
        weak var core: DeckCore?
        weak var sessions: Sessions?
        var proxyURL = ""
        var stop: @Sendable () async -> Void = {}
    }

    private let driven = Locked(Driven())

    func begin(
        _ core: DeckCore, _ sessions: Sessions, proxyURL: String, stop: @escaping @Sendable () async -> Void
    ) {
        driven.withLock { $0 = Driven(core: core, sessions: sessions, proxyURL: proxyURL, stop: stop) }
    }

    /// The deck; whoever asks serves a request of the core's control server, so the core is there.
    private var current: Deck {
        let driven = driven.withLock { $0 }
        guard let core = driven.core, let sessions = driven.sessions else {
            preconditionFailure("steered without a deck")
        }
        return Deck(core: core, sessions: sessions, proxyURL: driven.proxyURL, stop: driven.stop)
    }

    /// A session by name; nil for the default one.
    private func session(_ name: String?) throws(Refusal) -> Session { try core(name).session }

    /// The core of a session by name; nil for the default one.
    func core(_ name: String?) throws(Refusal) -> DeckCore {
        guard let name else { return current.core }
        return try current.sessions.core(named: name)
    }

    var sessions: Sessions { current.sessions }

    func health(in name: String?) throws(Refusal) -> Health {
        let (core, url) = (try core(name), current.proxyURL)
        let (scenario, isOffline) = core.session.withRules { ($0.scenario, $0.isOffline) }
        let latency = core.session.withRules { $0.latency ?? $0.rules.latency }
        let now = core.environment.loopClock.now()
        let uptime = Double(now - min(now, core.started.nanoseconds)) / 1e9
        return Health(
            status: report.isFulfilled || stopRequest.isFulfilled ? .stopping : .ok,
            mode: Health.Mode(rawValue: core.options.mode.rawValue) ?? .replay, version: core.options.version,
            pid: ThisProcess.id, proxy: url, cassette: core.cassette.folder ?? core.options.cassette,
            interactions: core.index.interactions.count, scenario: scenario, offline: isOffline, uptime: uptime,
            counts: core.counts, latency: latency.words, upstreams: core.upstreamStates,
            sessions: sessions.entries.count)
    }

    func routes(in name: String?) throws(Refusal) -> [RouteState] {
        let session = try session(name)
        return session.withRules { $0 }.rules.table.routes.map { state(of: $0.name, session) }
    }

    func scenarios(in name: String?) throws(Refusal) -> ScenarioList {
        let state = try session(name).withRules { $0 }
        return ScenarioList(
            active: state.scenario,
            scenarios: state.rules.scenarios.values.sorted { $0.name < $1.name }.map { scenario in
                var entries = scenario.entries
                entries["*"] = scenario.star
                return ScenarioState(name: scenario.name, entries: entries)
            })
    }

    func choose(
        scenario: String?, atOnce: Bool, in name: String?
    ) async throws(Refusal) -> ScenarioList {
        let event = ChangeEvent("scenario", value: scenario)
        try await change(name, event) { rules throws(RuleError) in try rules.setScenario(scenario) }
        if atOnce { try session(name).holds.endAll() }
        return try scenarios(in: name)
    }

    func choose(variant: String?, ofRoute route: String, in name: String?) async throws(Refusal) -> RouteState {
        let event = ChangeEvent("variant", route: route, value: variant)
        try await change(name, event) { rules throws(RuleError) in try rules.choose(variant, forRoute: route) }
        return state(of: route, try session(name))
    }

    func set(latency: LatencyChoice, in name: String?) async throws(Refusal) -> LatencyChoice {
        guard let model = LatencyModel.parse(latency.latency) else {
            throw Refusal(
                400, "latency", "\(latency.latency) is no latency.", "Give none, recorded, or a time such as 750ms.")
        }
        let event = ChangeEvent("latency", value: latency.latency)
        try await change(name, event) { rules throws(RuleError) in rules.setLatency(model) }
        return latency
    }

    func set(offline: OfflineChoice, in name: String?) async throws(Refusal) -> OfflineChoice {
        let event = ChangeEvent("offline", value: offline.offline ? "on" : "off")
        try await change(name, event) { rules throws(RuleError) in rules.setOffline(offline.offline) }
        return offline
    }

    func reset(in name: String?) async throws(Refusal) -> Health {
        let options = try core(name).options
        try await change(name, ChangeEvent("reset")) { rules throws(RuleError) in
            try rules.reset(scenario: options.scenario ?? (options.mode == .record ? nil : rules.rules.scenario))
        }
        try session(name).restart()
        try session(name).journal.clear()
        return try health(in: name)
    }

    func expireToken(in name: String?) async throws(Refusal) -> ExpiryReport {
        try await change(name, ChangeEvent("token", value: "expired")) { rules throws(RuleError) in rules.expireToken()
        }
        return ExpiryReport(pending: try session(name).withRules { $0.expiries })
    }

    func reload() async throws(Refusal) -> ReloadReport {
        let core = current.core
        do throws(ReloadFailure) {
            let (file, remarks) = try await core.reload()
            core.events.publish(change: ChangeEvent("configuration", value: file))
            let rules = core.session.withRules { $0.rules }
            return ReloadReport(
                file: file, routes: rules.table.routes.count, scenarios: rules.scenarios.count, remarks: remarks)
        } catch {
            throw Refusal(
                422, "configuration", error.problems.joined(separator: "\n"),
                "Mend it and reload again; the configuration before still holds.", problems: error.problems)
        }
    }

    func metrics() -> Bytes {
        current.core.metrics.text(
            connections: UpstreamClient.connectionsOpened, lookUps: UpstreamClient.nameLookups)
    }

    var eventHub: EventHub { current.core.events }

    func stop() async -> StopReport {
        let deck = current
        stopRequest.fulfil(())
        // This task answers on a loop that the stop ends last: it waits for the account only.
        Task.detached { await deck.stop() }
        let report = await self.report.value
        return StopReport(
            passed: report.passed, counts: report.counts, failures: report.failures, lines: report.lines)
    }

    /// Changes a session's choices and tells who listens.
    private func change(
        _ name: String?, _ event: ChangeEvent, _ body: (inout RuleState) throws(RuleError) -> Void
    ) async throws(Refusal) {
        let core = try core(name)
        let session = core.session
        do throws(RuleError) {
            try session.withRules(body)
        } catch {
            throw Refusal(404, "unknown-name", error.message, error.advice)
        }
        core.applyChoices()
        await core.settleChoices()
        var event = event
        event.session = session.name
        core.events.publish(change: event)
    }

    private func state(of route: String, _ session: Session) -> RouteState {
        let state = session.withRules { $0 }
        let index = state.rules.table.index(of: route)
        let entry = state.scenario.flatMap { state.rules.scenarios[$0] }
        let isAuth = index.map { state.rules.table.routes[$0].isAuth } ?? false
        let chosen = state.choices[route] ?? entry?.entries[route] ?? (isAuth ? nil : entry?.star) ?? "default"
        return RouteState(
            name: route, match: index.map { state.rules.table.routes[$0].pattern.text } ?? "", variant: chosen,
            variants: state.rules.variantNames(route: index), auth: isAuth, requests: session.requests(ofRoute: route))
    }
}
