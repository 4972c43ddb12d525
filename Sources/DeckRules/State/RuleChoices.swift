extension RuleState {
    /// Makes a scenario the active one, or none; its plans begin anew.
    ///
    /// - Throws: ``RuleError`` for an unknown name.
    package mutating func setScenario(_ name: String?) throws(RuleError) {
        if let name, rules.scenarios[name] == nil { throw rules.unknownScenario(name) }
        rememberEntries()
        scenario = name
        startSlots()
    }

    /// Chooses a route's variant at run time, over scenario and command line; nil takes the choice back. Plans of other
    /// routes go on.
    ///
    /// - Throws: ``RuleError`` for an unknown route or variant.
    package mutating func choose(_ variant: String?, forRoute name: String) throws(RuleError) {
        guard let route = rules.table.index(of: name) else { throw rules.unknownRoute(name) }
        if let variant, rules.variant(variant, route: route) == nil {
            throw rules.unknownVariant(variant, among: rules.variantNames(route: route))
        }
        choices[name] = variant
        startSlot(route)
        refresh()
    }

    /// Sets the session's latency at run time; nil goes back to the rules'.
    package mutating func setLatency(_ model: LatencyModel?) {
        latency = model
        refresh()
    }

    /// Cuts the session off, or ends that.
    package mutating func setOffline(_ isOffline: Bool) {
        self.isOffline = isOffline
        refresh()
    }

    /// Lets the access token expire: the next exchange of a route that is not marked `"auth"` gets `tokenExpired`.
    package mutating func expireToken() {
        expiries += 1
        refresh()
    }

    /// Begins anew: counters at nothing, no choices of run time, the given scenario.
    ///
    /// - Throws: ``RuleError`` for an unknown scenario; nothing has changed then.
    package mutating func reset(scenario: String?) throws(RuleError) {
        if let scenario, rules.scenarios[scenario] == nil { throw rules.unknownScenario(scenario) }
        self = RuleState(rules, session: session, scenario: scenario)
    }

    /// Takes new rules; choices that they still know stay, plans begin anew.
    ///
    /// - Returns: a sentence for each choice that is gone.
    package mutating func adopt(_ rules: RuleSet) -> [String] {
        var gone: [String] = []
        var next = RuleState(rules, session: session)
        if let scenario {
            do { try next.setScenario(scenario) } catch { gone.append(error.message) }
        }
        for (route, variant) in choices.sorted(by: { $0.key < $1.key }) {
            do { try next.choose(variant, forRoute: route) } catch { gone.append(error.message) }
        }
        next.latency = latency
        next.isOffline = isOffline
        next.expiries = expiries
        next.ordinals = ordinals
        next.refresh()
        self = next
        return gone
    }

    /// Entries of every scenario that was active, and the command line's faults; true for those that an exchange met.
    package var watched: [UnmetEntry: Bool] {
        var entries = formerEntries
        for (entry, isMet) in activeEntries { entries[entry] = isMet || entries[entry] == true }
        for (fault, chain) in zip(rules.faults, faultChains) { entries[UnmetEntry(.fault(fault.text))] = chain.isMet }
        return entries
    }

    /// What is active and was met by no exchange so far, in alphabetical order.
    package var unmet: [UnmetEntry] { watched.filter { !$0.value }.map(\.key).sorted() }
}

extension RuleState {
    mutating func startFaults() {
        faultChains = rules.faults.map { _ in FaultChain() }
    }

    mutating func startSlots() {
        let count = rules.table.routes.count + 2
        let totals = slots.map(\.total)
        slots = Array(repeating: Slot(), count: count)
        for (index, total) in totals.enumerated() where index < count { slots[index].total = total }
        for index in slots.indices { startSlot(index) }
        sharedProgress = PlanProgress()
        refresh()
    }

    /// Works out what follows from the choices.
    mutating func refresh() {
        let models = [latency ?? rules.latency]
        let active = slots.indices.flatMap { activeVariants(slot: $0) } + faultVariants + planVariants
        needsKey =
            rules.plan != nil || rules.namesExchanges || models.contains(where: \.isRandom)
            || active.contains { $0.plan.probability < 1 || $0.latency?.isRandom == true }
        hasConnectionFaults = isOffline || active.contains { $0.answer.fault?.details.breaksConnection == true }
        isWhollyOffline = isOffline || (rules.plan == nil && choices.isEmpty && allAreOffline)
        isInert =
            !isOffline && expiries == 0 && !needsKey && rules.table.isEmpty && scenario == nil && rules.faults.isEmpty
            && rules.definitions["default"] == nil && (latency ?? rules.latency) == .none && rules.bandwidth == nil
    }

    /// The variants that may act on a route's requests, faults of the command line aside.
    private func activeVariants(slot index: Int) -> [Variant] {
        let route = index < rules.table.routes.count ? index : nil
        let names = [slots[index].chain?.name, "default"].compactMap { $0 }
        return names.flatMap { rules.lookup.chain(from: $0, route: route) }
    }

    /// Whether the command line's first fault, or the scenario for every route that `*` does not spare, is `offline` for ever.
    private var allAreOffline: Bool {
        if let first = rules.faults.first {
            return first.target == .star && first.after == nil && first.times == nil
                && isOfflineForever(first.variant, route: nil)
        }
        return slots.indices.allSatisfy { index in
            let route = index < rules.table.routes.count ? index : nil
            let name = slots[index].source == .none ? nil : slots[index].chain?.name
            return slots[index].isAuth || name.map { isOfflineForever($0, route: route) } == true
        }
    }

    private func isOfflineForever(_ name: String, route: Int?) -> Bool {
        guard let variant = rules.variant(name, route: route) else { return false }
        return variant.answer.fault == .offline && variant.plan.isConstant
    }

    /// The variants that the command line's faults may put on some request.
    private var faultVariants: [Variant] {
        rules.faults.flatMap { fault -> [Variant] in
            switch fault.target {
            case .route(let name): rules.lookup.chain(from: fault.variant, route: rules.table.index(of: name))
            case .star, .pattern:
                ([nil] + rules.table.routes.indices.map { $0 }).flatMap {
                    rules.lookup.chain(from: fault.variant, route: $0)
                }
            }
        }
    }

    /// The variants of the exact plan.
    private var planVariants: [Variant] {
        let named = Set((rules.plan?.variants ?? [:]).map { [$0.key.route ?? "", $0.value] })
        return named.compactMap { rules.lookup.variant($0[1], route: rules.table.index(of: $0[0])) }
    }

    /// Chooses anew what holds for a route: the choice of run time, else the scenario's entry, else its `*`.
    private mutating func startSlot(_ index: Int) {
        let route = index < rules.table.routes.count ? rules.table.routes[index] : nil
        var slot = Slot()
        slot.met = slots[index].met
        slot.total = slots[index].total
        slot.isAuth = route?.isAuth == true
        slot.fallback = chain("default", index)
        let active = scenario.flatMap { rules.scenarios[$0] }
        if let route, let choice = choices[route.name] {
            slot.source = .choice
            slot.chain = chain(choice, index)
        } else if let route, let entry = active?.entries[route.name] {
            slot.source = .entry
            slot.chain = chain(entry, index)
        } else if let star = active?.star, !slot.isAuth {
            slot.source = .star
            slot.chain = chain(star, index)
        }
        slots[index] = slot
    }

    /// A chain that begins now.
    private func chain(_ name: String, _ index: Int) -> VariantChain {
        let route = index < rules.table.routes.count ? index : nil
        let when = rules.variant(name, route: route)?.plan.when
        let place = when.flatMap { rules.movingRoutes[$0.route] }
        return VariantChain(name, usedBefore: place.map { slots[$0].total } ?? 0)
    }

    private mutating func rememberEntries() {
        for (entry, isMet) in activeEntries { formerEntries[entry] = isMet || formerEntries[entry] == true }
    }

    private var activeEntries: [UnmetEntry: Bool] {
        guard let scenario = scenario.flatMap({ rules.scenarios[$0] }) else { return [:] }
        var found: [UnmetEntry: Bool] = [:]
        for (name, _) in scenario.entries {
            let isMet = rules.table.index(of: name).map { slots[$0].met > 0 } ?? false
            found[UnmetEntry(.scenario(scenario.name, entry: name))] = isMet
        }
        if scenario.star != nil {
            let isMet = slots.contains { $0.source == .star && $0.met > 0 }
            found[UnmetEntry(.scenario(scenario.name, entry: "*"))] = isMet
        }
        return found
    }
}
