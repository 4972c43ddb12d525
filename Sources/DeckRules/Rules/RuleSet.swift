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

    private let common: [String: Variant]
    private let ofRoutes: [[String: Variant]]

    package init(
        table: RouteTable = RouteTable([]), definitions: [String: VariantDefinition] = [:], scenarios: [Scenario] = [],
        scenario: String? = nil, faults: [FaultOverride] = [], latency: LatencyModel = .none,
        bandwidth: Bandwidth? = nil,
        seed: UInt64 = 0
    ) {
        self.table = table
        self.definitions = definitions
        self.scenarios = Dictionary(scenarios.map { ($0.name, $0) }) { first, _ in first }
        self.scenario = scenario
        self.faults = faults
        self.latency = latency
        self.bandwidth = bandwidth
        self.seed = seed
        let layers = builtInVariants.merging(definitions) { lower, upper in
            var both = lower
            both.lay(upper)
            return both
        }
        common = Dictionary(uniqueKeysWithValues: layers.map { ($0.key, Variant(name: $0.key, $0.value)) })
        ofRoutes = table.routes.map { route in
            Dictionary(
                uniqueKeysWithValues: route.variants.map { name, upper in
                    var definition = layers[name] ?? VariantDefinition()
                    definition.lay(upper)
                    return (name, Variant(name: name, definition))
                })
        }
    }

    /// Nothing but the built-in variants.
    package static let empty = RuleSet()

    /// The same rules with what the command line says laid over them; nil leaves a setting as it is.
    package func replacing(
        faults: [FaultOverride]? = nil, latency: LatencyModel? = nil, seed: UInt64? = nil
    ) -> RuleSet {
        RuleSet(
            table: table, definitions: definitions, scenarios: Array(scenarios.values), scenario: scenario,
            faults: faults ?? self.faults, latency: latency ?? self.latency, bandwidth: bandwidth,
            seed: seed ?? self.seed)
    }

    /// A variant by name, as a route (nil for requests without one) has it; nil where it has none of this name.
    package func variant(_ name: String, route: Int?) -> Variant? {
        if let route, let own = ofRoutes[route][name] { return own }
        return common[name]
    }

    /// The names of all variants that a route has, in alphabetical order; nil for requests without a route.
    package func variantNames(route: Int?) -> [String] {
        Set(common.keys).union(route.map { Array(ofRoutes[$0].keys) } ?? []).sorted()
    }

    /// The variants that follow each other from one on (`then`), the first included, as a route has them.
    package func chain(from name: String, route: Int?) -> [Variant] {
        var found: [Variant] = []
        var next: String? = name
        while let name = next, !found.contains(where: { $0.name == name }), let variant = variant(name, route: route) {
            found.append(variant)
            next = variant.plan.then
        }
        return found
    }

    /// Every variant there is: the common ones, then those of routes.
    var allVariants: [Variant] { Array(common.values) + ofRoutes.flatMap(\.values) }

    /// Whether some decision is left to chance, so that sessions have to count equal requests.
    package var hasChance: Bool {
        latency.isRandom || allVariants.contains { $0.plan.probability < 1 || $0.latency?.isRandom == true }
    }
}
