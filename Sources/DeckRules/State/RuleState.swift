/// What a session has chosen and counted: decides what each exchange gets. A pure state machine; its session owns it.
///
/// Of several choices for an exchange the first that acts wins: offline, the variant chosen for its route at run time, the
/// command line's faults in their order, the active scenario's entry for the route, the scenario's `*` (not for routes
/// marked `"auth"`), the route's `default`.
package struct RuleState: Sendable {
    package internal(set) var rules: RuleSet
    /// The session's name, a part of every random decision.
    package let session: String
    /// The active scenario; nil for none.
    package internal(set) var scenario: String?
    /// Whether every exchange gets the fault `offline`.
    package internal(set) var isOffline = false
    /// The session's latency where it was set at run time; nil for the rules'.
    package internal(set) var latency: LatencyModel?
    /// The variants chosen for routes at run time, by the route's name.
    package internal(set) var choices: [String: String] = [:]

    /// Whether every answer carries `Connection: close`, because a connection may break on purpose.
    package internal(set) var hasConnectionFaults = false
    /// Whether decisions depend on the exchange's match key.
    package internal(set) var needsKey = false
    /// Whether every exchange gets the recorded answer, at once and unchanged, so that nobody need be asked.
    package internal(set) var isInert = true

    /// One for each route, and the last for requests without one.
    var slots: [Slot] = []
    var faultChains: [FaultChain] = []
    var sharedProgress: PlanProgress? = PlanProgress()
    private var ordinals: [ExchangeKey: Int] = [:]
    /// Entries of scenarios that are no longer active; true for those that an exchange met.
    var formerEntries: [UnmetEntry: Bool] = [:]

    /// - Parameter scenario: the active scenario; an unknown name counts as none.
    package init(_ rules: RuleSet, session: String = "default", scenario: String? = nil) {
        self.rules = rules
        self.session = session
        self.scenario = scenario.flatMap { rules.scenarios[$0]?.name }
        startFaults()
        startSlots()
    }
}

/// What holds for the requests of one route.
struct Slot: Sendable {
    enum Source: Sendable, Equatable { case none, choice, entry, star }

    var source = Source.none
    var chain: VariantChain?
    /// The route's `default`, which acts where the chain does not.
    var fallback = VariantChain("default")
    var isMet = false
    var isAuth = false
}

/// What the command line's fault has done so far: one chain, or for `*` one for each route.
struct FaultChain: Sendable {
    var chains: [Int: VariantChain] = [:]
    var shared: PlanProgress? = PlanProgress()
    var isMet = false
}

extension RuleState {
    /// Decides what an exchange gets, and counts it.
    package mutating func decide(_ facts: ExchangeFacts) -> Decision {
        let index = facts.route.index ?? slots.count - 1
        slots[index].isMet = true
        let random = needsKey ? random(for: facts) : RandomMix(seed: rules.seed)
        let variant = chooseVariant(facts, slot: index, random: random)
        let model = variant.latency ?? latency ?? rules.latency
        return Decision(
            route: facts.route.index, routeName: facts.route.index.map { rules.table.routes[$0].name },
            nearRouteName: facts.route.near.map { rules.table.routes[$0].name }, variantName: variant.name,
            answer: variant.answer, delay: model.delay(random), bandwidth: variant.bandwidth ?? rules.bandwidth,
            closesConnection: hasConnectionFaults)
    }

    private mutating func chooseVariant(_ facts: ExchangeFacts, slot index: Int, random: RandomMix) -> Variant {
        let rules = rules
        let route = facts.route.index
        let chance = { random.fraction(.probability) }
        let find = { (name: String) in rules.variant(name, route: route) }
        var chosen: Variant?
        if slots[index].source == .choice {
            chosen = slots[index].next(&sharedProgress, now: facts.now, chance: chance, find: find)
        }
        let fault = nextFault(facts, slot: index, random: random)
        if chosen == nil { chosen = fault }
        if chosen == nil, slots[index].source == .entry || slots[index].source == .star {
            chosen = slots[index].next(&sharedProgress, now: facts.now, chance: chance, find: find)
        }
        if isOffline { chosen = rules.variant(FaultKind.offline.rawValue, route: route) }
        if let chosen { return chosen }
        var alone: PlanProgress?
        let fallback = slots[index].fallback.next(shared: &alone, now: facts.now, chance: chance(), find: find)
        return fallback ?? .recorded
    }

    /// The exchange's own mix: seed, session, route, match key, ordinal within the key.
    private mutating func random(for facts: ExchangeFacts) -> RandomMix {
        let ordinal = ordinals[facts.key, default: 0] + 1
        ordinals[facts.key] = ordinal
        let route = facts.route.index.map { rules.table.routes[$0].name } ?? ""
        return RandomMix(seed: rules.seed).adding(session).adding(route).adding(facts.key, ordinal: ordinal)
    }

    /// Counts the exchange for each fault of the command line that it meets, and gives the first that acts.
    private mutating func nextFault(_ facts: ExchangeFacts, slot index: Int, random: RandomMix) -> Variant? {
        var chosen: Variant?
        for (place, fault) in rules.faults.enumerated() where meets(fault.target, facts, slot: index) {
            faultChains[place].isMet = true
            // A fault for `*` runs once for each route, others once.
            let key = fault.target == .star ? index : -1
            var chain = faultChains[place].chains[key] ?? VariantChain(fault.variant)
            if chosen != nil {
                chain.pass()
            } else {
                let rules = rules
                chosen = chain.next(
                    shared: &faultChains[place].shared, now: facts.now, chance: random.fraction(.probability)
                ) { name in
                    rules.variant(name, route: facts.route.index).map { fault.planned($0) }
                }
            }
            faultChains[place].chains[key] = chain
        }
        return chosen
    }

    private func meets(_ target: FaultOverride.Target, _ facts: ExchangeFacts, slot index: Int) -> Bool {
        switch target {
        case .star: !slots[index].isAuth
        case .route(let name): facts.route.index.map { rules.table.routes[$0].name == name } ?? false
        case .pattern(let pattern):
            pattern.takes(facts.method, facts.path, facts.query, ignoring: rules.table.ignoredQuery)
        }
    }
}

extension Slot {
    mutating func next(
        _ shared: inout PlanProgress?, now: Duration, chance: () -> Double, find: (String) -> Variant?
    ) -> Variant? {
        guard source == .star else {
            var alone: PlanProgress?
            return chain?.next(shared: &alone, now: now, chance: chance(), find: find)
        }
        return chain?.next(shared: &shared, now: now, chance: chance(), find: find)
    }
}

extension FaultOverride {
    /// The variant with the option's numbers in its plan, if it is the one that the option names.
    func planned(_ variant: Variant) -> Variant {
        guard variant.name == self.variant else { return variant }
        var variant = variant
        variant.plan.after = after ?? variant.plan.after
        variant.plan.times = times ?? variant.plan.times
        return variant
    }
}
