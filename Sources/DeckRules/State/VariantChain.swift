/// A chosen variant, and those that follow it (`then`), on the way through their plans.
struct VariantChain: Sendable {
    /// The name of the variant whose plan runs; nil after the last one.
    private(set) var name: String?
    private var progress = PlanProgress()

    init(_ name: String) {
        self.name = name
    }

    /// Takes one exchange.
    ///
    /// - Parameters:
    ///   - shared: the progress of the whole session, for a first variant whose plan `*` gives to all routes together.
    ///   - chance: the exchange's own number in 0..<1.
    ///   - find: a variant by name, with its plan as it holds here.
    /// - Returns: the variant that acts; nil where none does.
    mutating func next(
        shared: inout PlanProgress?, now: Duration, chance: @autoclosure () -> Double, find: (String) -> Variant?
    ) -> Variant? {
        while let name, let variant = find(name) {
            let isShared = variant.plan.isSharedByStar && shared != nil
            var current = isShared ? shared ?? progress : progress
            let step = current.step(variant.plan, now: now, chance: chance())
            if isShared { shared = current } else { progress = current }
            switch step {
            case .acts: return variant
            case .passes: return nil
            case .over:
                self.name = variant.plan.then
                progress = PlanProgress()
            }
        }
        return nil
    }

    /// Counts an exchange on which something else acts.
    mutating func pass() { progress.pass() }
}
