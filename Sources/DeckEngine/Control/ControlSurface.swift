import ControlAPI
import HTTPCore

/// What the control API can ask of a deck; the deck itself, or a stand-in in tests.
///
/// Where a session is named, nil means the default one; a name that there is not is refused with 404.
protocol ControlSurface: Sendable {
    func health(in session: String?) throws(Refusal) -> Health
    func routes(in session: String?) throws(Refusal) -> [RouteState]
    func scenarios(in session: String?) throws(Refusal) -> ScenarioList
    func choose(scenario: String?, atOnce: Bool, in session: String?) async throws(Refusal) -> ScenarioList
    func choose(variant: String?, ofRoute name: String, in session: String?) async throws(Refusal) -> RouteState
    func set(latency: LatencyChoice, in session: String?) async throws(Refusal) -> LatencyChoice
    func set(offline: OfflineChoice, in session: String?) async throws(Refusal) -> OfflineChoice
    /// Begins a session anew: no choices of run time, counters at nothing, cursors at the beginning.
    func reset(in session: String?) async throws(Refusal) -> Health
    func expireToken(in session: String?) async throws(Refusal) -> ExpiryReport
    /// Reads the configuration again.
    func reload() async throws(Refusal) -> ReloadReport
    /// Drains and stops the deck; returns when the verdict is there.
    func stop() async -> StopReport
    /// The figures in Prometheus' text format.
    func metrics() -> Bytes
    var eventHub: EventHub { get }
    var sessions: Sessions { get }
    /// The core of a session.
    func core(_ session: String?) throws(Refusal) -> DeckCore
}
