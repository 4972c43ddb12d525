/// The answer to `GET /scenarios`, and to `PUT /scenario` once the choice acts.
public struct ScenarioList: Codable, Sendable, Equatable {
    /// The active scenario; nil means none.
    public var active: String?
    /// All configured scenarios in alphabetical order.
    public var scenarios: [ScenarioState]

    public init(active: String?, scenarios: [ScenarioState]) {
        self.active = active
        self.scenarios = scenarios
    }
}

/// A named choice of one variant per route.
public struct ScenarioState: Codable, Sendable, Equatable {
    public var name: String
    /// Route name → variant name; `*` stands for every request.
    public var entries: [String: String]

    public init(name: String, entries: [String: String]) {
        self.name = name
        self.entries = entries
    }
}

/// The body of `PUT /scenario`.
public struct ScenarioChoice: Codable, Sendable, Equatable {
    /// A configured scenario; nil means none. Variants chosen for single routes stay chosen.
    public var scenario: String?
    /// Whether what waits on purpose ends now: delayed answers go out, held connections are closed. Without it exchanges under
    /// way end as they began, and the next ones get the scenario.
    public var atOnce: Bool?

    public init(scenario: String?, atOnce: Bool? = nil) {
        self.scenario = scenario
        self.atOnce = atOnce
    }
}
