/// A chosen variant, and those that follow it (`then`), on the way through their plans.
struct VariantChain: Sendable {
    /// The name of the variant whose plan runs; nil after the last one.
    private(set) var name: String?
    private var progress: PlanProgress

    /// - Parameter usedBefore: exchanges so far of the route whose use ends the variant.
    init(_ name: String, usedBefore: Int = 0) {
        self.name = name
        progress = PlanProgress(usedBefore: usedBefore)
    }

    /// Takes one exchange: chooses the variant that acts unless one is chosen already.
    ///
    /// - Parameter shared: the progress of a plan that `*` gives to the whole session.
    mutating func take(_ step: ChainStep, _ chosen: inout Variant?, _ shared: inout PlanProgress) {
        while let name, let variant = step.find(name) {
            let isShared = step.isStar && variant.plan.isSharedByStar
            var current = isShared ? shared : progress
            if chosen != nil {
                current.pass()
                if isShared { shared = current } else { progress = current }
                return
            }
            let outcome = current.step(
                variant.plan, now: step.now, used: step.used(by: variant),
                chance: step.random.fraction(.probability))
            if isShared { shared = current } else { progress = current }
            switch outcome {
            case .acts:
                chosen = variant
                return
            case .passes: return
            case .over:
                self.name = variant.plan.then
                let next = variant.plan.then.flatMap { step.find($0) }
                progress = PlanProgress(usedBefore: next.map { step.used(by: $0) } ?? 0)
            }
        }
    }
}

/// What a chain needs to know of an exchange.
struct ChainStep {
    let lookup: VariantLookup
    let route: Int?
    let now: Duration
    let random: RandomMix
    /// Exchanges so far, this one aside, of the routes whose use moves variants on.
    let uses: [String: Int]
    /// Whether the chain was chosen by `*`.
    var isStar: Bool
    /// The command line's fault whose chain it is; nil for others.
    var planned: FaultOverride?

    /// Exchanges so far of the route whose use ends a variant.
    func used(by variant: Variant) -> Int { variant.plan.when.flatMap { uses[$0.route] } ?? 0 }

    /// A variant by name, with its plan as it holds here.
    func find(_ name: String) -> Variant? {
        guard var variant = lookup.variant(name, route: route) else { return nil }
        if let planned, planned.variant == name {
            variant.plan.after = planned.after ?? variant.plan.after
            variant.plan.times = planned.times ?? variant.plan.times
        }
        return variant
    }
}
