import ControlAPI
import DeckRules
import Synchronization
import SystemIO
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

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
        var proxyURL: String
        var stop: @Sendable () async -> RunReport
    }

    private let deck = Mutex<Deck?>(nil)

    func begin(_ core: DeckCore, proxyURL: String, stop: @escaping @Sendable () async -> RunReport) {
        deck.withLock { $0 = Deck(core: core, proxyURL: proxyURL, stop: stop) }
    }

    private var current: Deck {
        guard let deck = deck.withLock({ $0 }) else { preconditionFailure("steered before it was begun") }
        return deck
    }

    func health() -> Health {
        let (core, url) = (current.core, current.proxyURL)
        let (scenario, isOffline) = core.session.withRules { ($0.scenario, $0.isOffline) }
        let now = core.environment.loopClock.now()
        let uptime = Double(now - min(now, core.started.nanoseconds)) / 1e9
        return Health(
            status: report.isFulfilled || stopRequest.isFulfilled ? .stopping : .ok,
            mode: Health.Mode(rawValue: core.options.mode.rawValue) ?? .replay, version: core.options.version,
            pid: Int(getpid()), proxy: url, cassette: core.options.cassette,
            interactions: core.index.interactions.count, scenario: scenario, offline: isOffline, uptime: uptime,
            counts: core.counts)
    }

    func routes() -> [RouteState] {
        let core = current.core
        return core.session.withRules { $0 }.rules.table.routes.map { state(of: $0.name, core) }
    }

    func scenarios() -> ScenarioList {
        let state = current.core.session.withRules { $0 }
        return ScenarioList(
            active: state.scenario,
            scenarios: state.rules.scenarios.values.sorted { $0.name < $1.name }.map { scenario in
                var entries = scenario.entries
                entries["*"] = scenario.star
                return ScenarioState(name: scenario.name, entries: entries)
            })
    }

    func choose(scenario: String?) throws(Refusal) -> ScenarioList {
        try change { rules throws(RuleError) in try rules.setScenario(scenario) }
        return scenarios()
    }

    func choose(variant: String?, ofRoute name: String) throws(Refusal) -> RouteState {
        try change { rules throws(RuleError) in try rules.choose(variant, forRoute: name) }
        return state(of: name, current.core)
    }

    func set(latency: LatencyChoice) throws(Refusal) -> LatencyChoice {
        guard let model = LatencyModel.parse(latency.latency) else {
            throw Refusal(
                400, "latency", "\(latency.latency) is no latency.", "Give none, recorded, or a time such as 750ms.")
        }
        try change { rules throws(RuleError) in rules.setLatency(model) }
        return latency
    }

    func set(offline: OfflineChoice) -> OfflineChoice {
        let core = current.core
        core.session.withRules { $0.setOffline(offline.offline) }
        core.closeIdleConnections()
        return offline
    }

    func stop() async -> StopReport {
        let deck = current
        stopRequest.fulfil(())
        // This task answers on a loop that the stop ends last: it waits for the account only.
        Task.detached { _ = await deck.stop() }
        let report = await self.report.value
        return StopReport(
            passed: report.passed, counts: deck.core.counts, failures: report.failures, lines: report.lines)
    }

    private func change(_ body: (inout RuleState) throws(RuleError) -> Void) throws(Refusal) {
        let core = current.core
        do throws(RuleError) {
            try core.session.withRules(body)
        } catch {
            throw Refusal(404, "unknown-name", error.message, error.advice)
        }
        if core.session.withRules({ $0.hasConnectionFaults }) { core.closeIdleConnections() }
    }

    private func state(of route: String, _ core: DeckCore) -> RouteState {
        let state = core.session.withRules { $0 }
        let index = state.rules.table.index(of: route)
        let entry = state.scenario.flatMap { state.rules.scenarios[$0] }
        let isAuth = index.map { state.rules.table.routes[$0].isAuth } ?? false
        let chosen = state.choices[route] ?? entry?.entries[route] ?? (isAuth ? nil : entry?.star) ?? "default"
        return RouteState(
            name: route, match: index.map { state.rules.table.routes[$0].pattern.text } ?? "", variant: chosen,
            variants: state.rules.variantNames(route: index), auth: isAuth,
            requests: core.session.requests(ofRoute: route))
    }
}
