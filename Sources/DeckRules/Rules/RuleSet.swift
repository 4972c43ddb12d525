/// Routes, variants, scenarios and faults: an immutable snapshot, shared by all sessions and swapped whole.
package struct RuleSet: Sendable {
    package let table: RouteTable
    /// What the top-level `"variants"` say.
    package let definitions: [String: VariantDefinition]
    /// By name.
    package let scenarios: [String: Scenario]
    /// The scenario that is active at the start of replay and passthrough.
    package let scenario: String?
    /// The command line's faults, in its order: the first that acts on an exchange wins.
    package let faults: [FaultOverride]
    /// What variants without a latency of their own get.
    package let latency: LatencyModel
    /// What variants without a bandwidth of their own get; nil for no limit.
    package let bandwidth: Bandwidth?
    /// Where chance begins.
    package let seed: UInt64
    /// What acts in place of scenarios and the command line's faults; nil where these act.
    package let plan: ExactPlan?
    /// Whether decisions name their exchange (``Decision/place``), for a fault log.
    package let namesExchanges: Bool

    /// All variants, made of their definitions.
    let lookup: VariantLookup
    /// The routes whose use moves some variant on, by name, with their places.
    let movingRoutes: [String: Int]

    package init(
        table: RouteTable = RouteTable([]), definitions: [String: VariantDefinition] = [:], scenarios: [Scenario] = [],
        scenario: String? = nil, faults: [FaultOverride] = [], latency: LatencyModel = .none,
        bandwidth: Bandwidth? = nil, seed: UInt64 = 0, plan: ExactPlan? = nil, namesExchanges: Bool = false
    ) {
        self.table = table
        self.definitions = definitions
        self.scenarios = Dictionary(scenarios.map { ($0.name, $0) }) { first, _ in first }
        self.scenario = scenario
        self.faults = faults
        self.latency = latency
        self.bandwidth = bandwidth
        self.seed = seed
        self.plan = plan
        self.namesExchanges = namesExchanges
        let lookup = VariantLookup(definitions, table.routes.map(\.variants))
        self.lookup = lookup
        var moving: [String: Int] = [:]
        for name in lookup.movingRoutes { moving[name] = table.index(of: name) }
        movingRoutes = moving
    }

    /// Nothing but the built-in variants.
    package static let empty = RuleSet()

    /// The same rules with what the command line says laid over them; nil leaves a setting as it is.
    package func replacing(
        faults: [FaultOverride]? = nil, latency: LatencyModel? = nil, seed: UInt64? = nil, plan: ExactPlan? = nil,
        namesExchanges: Bool = false
    ) -> RuleSet {
        RuleSet(
            table: table, definitions: definitions, scenarios: Array(scenarios.values), scenario: scenario,
            faults: faults ?? self.faults, latency: latency ?? self.latency, bandwidth: bandwidth,
            seed: seed ?? self.seed, plan: plan ?? self.plan, namesExchanges: namesExchanges)
    }

    /// A variant by name, as a route (nil for requests without one) has it; nil where it has none of this name. Faults of the
    /// TLS handshake are variants of CONNECT routes alone.
    package func variant(_ name: String, route: Int?) -> Variant? {
        guard let variant = lookup.variant(name, route: route) else { return nil }
        return variant.isInHandshake && !mayBreakHandshake(route) ? nil : variant
    }

    /// The names of all variants that a route has, in alphabetical order; nil for requests without a route.
    package func variantNames(route: Int?) -> [String] {
        let names = lookup.names(route: route)
        if mayBreakHandshake(route) { return names }
        return names.filter { lookup.variant($0, route: route)?.isInHandshake != true }
    }

    private func mayBreakHandshake(_ route: Int?) -> Bool { route.map { table.routes[$0].pattern.isConnect } ?? true }
}
