import ControlAPI

/// What the control API can ask of a deck; the deck itself, or a stand-in in tests.
protocol ControlSurface: Sendable {
    func health() -> Health
    func routes() -> [RouteState]
    func scenarios() -> ScenarioList
    func choose(scenario: String?) throws(Refusal) -> ScenarioList
    func choose(variant: String?, ofRoute name: String) throws(Refusal) -> RouteState
    func set(latency: LatencyChoice) throws(Refusal) -> LatencyChoice
    func set(offline: OfflineChoice) -> OfflineChoice
    /// Drains and stops the deck; returns when the verdict is there.
    func stop() async -> StopReport
}
