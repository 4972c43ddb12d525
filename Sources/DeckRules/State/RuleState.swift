/// What a session has chosen and counted: decides what each exchange gets. A pure state machine; its session owns it.
///
/// Of several choices for an exchange the first that acts wins: offline, an expired token, the variant chosen for its route at
/// run time, an exact plan (after which only `default` is asked), the command line's faults in their order, the active
/// scenario's entry for the route, the scenario's `*` (not for routes marked `"auth"`), the route's `default`.
package struct RuleState: Sendable {
    package internal(set) var rules: RuleSet
    /// The session's name, a part of every random decision.
    package let session: String
    /// The active scenario; nil for none.
    package internal(set) var scenario: String?
    /// Whether every exchange gets the fault `offline`.
    package internal(set) var isOffline = false
    /// How many exchanges still get `tokenExpired`, whatever else holds for them.
    package internal(set) var expiries = 0
    /// The session's latency where it was set at run time; nil for the rules'.
    package internal(set) var latency: LatencyModel?
    /// The variants chosen for routes at run time, by the route's name.
    package internal(set) var choices: [String: String] = [:]

    /// Whether every answer carries `Connection: close`, because a connection may break on purpose.
    package internal(set) var hasConnectionFaults = false
    /// Whether no exchange would get anything but `offline`, auth routes aside, so that connections may as well be refused.
    package internal(set) var isWhollyOffline = false
    /// Whether decisions depend on the exchange's match key.
    package internal(set) var needsKey = false
    /// Whether every exchange gets the recorded answer, at once and unchanged, so that nobody need be asked.
    package internal(set) var isInert = true

    /// One for each route, then one for requests without a route, and one for CONNECT without a route.
    var slots: [Slot] = []
    var faultChains: [FaultChain] = []
    var sharedProgress = PlanProgress()
    var ordinals: [ExchangeKey: Int] = [:]
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
    /// How many exchanges came by since the scenario was chosen.
    var met = 0
    /// How many came by since the session began.
    var total = 0
    var isAuth = false
}

/// What the command line's fault has done so far: one chain, or for `*` one for each route.
struct FaultChain: Sendable {
    var chains: [Int: VariantChain] = [:]
    var shared = PlanProgress()
    var isMet = false

    mutating func take(_ step: ChainStep, key: Int, _ variant: String, _ chosen: inout Variant?) {
        chains[key, default: VariantChain(variant)].take(step, &chosen, &shared)
    }
}

extension RuleState {
    /// Decides what an exchange gets, and counts it.
    ///
    /// - Parameter facts: the route comes from this state's own ``RuleSet/table``; one that it does not have counts as none.
    package mutating func decide(_ facts: ExchangeFacts) -> Decision {
        var facts = facts
        let count = rules.table.routes.count
        if max(facts.route.index ?? -1, facts.route.near ?? -1) >= count { facts.route = .none }
        let index = facts.route.index ?? (facts.isConnect ? count + 1 : count)
        let uses = rules.movingRoutes.mapValues { slots[$0].total }
        if slots[index].source != .star || hasSay(slots[index].chain?.name, facts, isStar: true) {
            slots[index].met += 1
        }
        slots[index].total += 1
        let place = needsKey ? place(of: facts) : nil
        let random = place.map { self.random(for: $0) } ?? RandomMix(seed: rules.seed)
        let step = ChainStep(
            lookup: rules.lookup, route: facts.route.index, now: facts.now, random: random, uses: uses, isStar: false,
            planned: nil)
        let variant = chooseVariant(facts, slot: index, place, step)
        let model = variant.latency ?? latency ?? rules.latency
        return Decision(
            table: rules.table, route: facts.route.index,
            routeName: facts.route.index.map { rules.table.routes[$0].name },
            nearRouteName: facts.route.near.map { rules.table.routes[$0].name }, variantName: variant.name,
            answer: variant.answer, sends: variant.sends, delay: model.delay(random),
            bandwidth: variant.bandwidth ?? rules.bandwidth,
            closesConnection: hasConnectionFaults, ordinal: slots[index].total,
            place: place)
    }

    /// Asks each layer in turn; those after the one that acts count the exchange only. While offline nothing is counted.
    private mutating func chooseVariant(
        _ facts: ExchangeFacts, slot index: Int, _ place: ExactPlan.Place?, _ step: ChainStep
    ) -> Variant {
        if isOffline, let offline = step.find(FaultKind.offline.rawValue) { return offline }
        if expiries > 0, !slots[index].isAuth, !facts.isConnect, let expired = step.find("tokenExpired") {
            expiries -= 1
            refresh()
            return expired
        }
        var chosen: Variant?
        if slots[index].source == .choice, hasSay(slots[index].chain?.name, facts) {
            slots[index].chain?.take(step, &chosen, &sharedProgress)
        }
        if let plan = rules.plan {
            if chosen == nil, let name = place.flatMap({ plan.variants[$0] }) { chosen = step.find(name) }
            takeDefault(facts, slot: index, step, &chosen)
            return chosen ?? .recorded
        }
        takeFaults(facts, slot: index, step, &chosen)
        let isStar = slots[index].source == .star
        if isStar || slots[index].source == .entry, hasSay(slots[index].chain?.name, facts, isStar: isStar) {
            var step = step
            step.isStar = isStar
            slots[index].chain?.take(step, &chosen, &sharedProgress)
            // What `then` names comes after the handshake.
            if facts.isConnect, isStar, chosen?.isInHandshake == false { chosen = nil }
        }
        takeDefault(facts, slot: index, step, &chosen)
        return chosen ?? .recorded
    }

    /// The route's own `default`. CONNECT has one only where its route defines it.
    private mutating func takeDefault(
        _ facts: ExchangeFacts, slot index: Int, _ step: ChainStep, _ chosen: inout Variant?
    ) {
        if facts.isConnect, facts.route.index.map({ rules.table.routes[$0].variants["default"] == nil }) ?? true {
            return
        }
        slots[index].fallback.take(step, &chosen, &sharedProgress)
    }

    /// Whether a variant can act on an exchange: faults of the TLS handshake act on CONNECT alone, and of what is given to `*`
    /// nothing else acts there.
    private func hasSay(_ name: String?, _ facts: ExchangeFacts, isStar: Bool = false) -> Bool {
        guard let name, let variant = rules.lookup.variant(name, route: facts.route.index) else { return false }
        return facts.isConnect ? variant.isInHandshake || !isStar : !variant.isInHandshake
    }

    /// Counts the exchange for each fault of the command line that it meets; the first that acts is chosen.
    private mutating func takeFaults(
        _ facts: ExchangeFacts, slot index: Int, _ step: ChainStep, _ chosen: inout Variant?
    ) {
        for (place, fault) in rules.faults.enumerated() where meets(fault.target, facts, slot: index) {
            let isStar = fault.target == .star
            guard hasSay(fault.variant, facts, isStar: isStar) else { continue }
            faultChains[place].isMet = true
            var step = step
            step.isStar = isStar
            step.planned = fault
            // A fault for `*` runs once for each route, others once.
            faultChains[place].take(step, key: isStar ? index : -1, fault.variant, &chosen)
            if facts.isConnect, isStar, chosen?.isInHandshake == false { chosen = nil }
        }
    }

    /// Counts the exchange among those with its key, and names it.
    private mutating func place(of facts: ExchangeFacts) -> ExactPlan.Place {
        let ordinal = ordinals[facts.key, default: 0] + 1
        ordinals[facts.key] = ordinal
        let route = facts.route.index.map { rules.table.routes[$0].name }
        return ExactPlan.Place(session: session, route: route, key: facts.key, ordinal: ordinal)
    }

    /// The exchange's own mix: seed, session, route, match key, ordinal within the key.
    private func random(for place: ExactPlan.Place) -> RandomMix {
        RandomMix(seed: rules.seed).adding(session).adding(place.route ?? "").adding(place.key, ordinal: place.ordinal)
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
