/// What a definition says about when its variant acts; nil where it says nothing.
package struct PlanDefinition: Sendable, Equatable {
    package var after: Int?
    package var times: Int?
    package var every: Int?
    package var probability: Double?
    package var duration: Duration?
    package var when: RouteUse?
    package var then: String?
    /// Whether `*` gives one plan to the whole session rather than one to each route.
    package var isSharedByStar: Bool?

    package init(
        after: Int? = nil, times: Int? = nil, every: Int? = nil, probability: Double? = nil, duration: Duration? = nil,
        when: RouteUse? = nil, then: String? = nil, isSharedByStar: Bool? = nil
    ) {
        self.after = after
        self.times = times
        self.every = every
        self.probability = probability
        self.duration = duration
        self.when = when
        self.then = then
        self.isSharedByStar = isSharedByStar
    }

    mutating func lay(_ upper: PlanDefinition) {
        after = upper.after ?? after
        times = upper.times ?? times
        every = upper.every ?? every
        probability = upper.probability ?? probability
        duration = upper.duration ?? duration
        when = upper.when ?? when
        then = upper.then ?? then
        isSharedByStar = upper.isSharedByStar ?? isSharedByStar
    }
}

/// When a variant acts among the exchanges that it is chosen for, numbered from 1 since it was chosen.
///
/// On all others its route's `default` acts; after the last one, `then`.
package struct FaultPlan: Sendable, Equatable {
    /// How many exchanges pass before the first that counts.
    package var after: Int
    /// How often it acts at most; nil for ever.
    package var times: Int?
    /// Acts on each so-many-th exchange of those that count; at least 1.
    package var every: Int
    /// How likely it acts on each of these, 0...1.
    package var probability: Double
    /// How long it acts, from the first exchange that counts; nil for ever.
    package var duration: Duration?
    /// The use of a route that ends it; nil for none.
    package var when: RouteUse?
    /// The variant that follows; nil for what would hold without this one.
    package var then: String?
    /// Whether `*` gives one plan to the whole session rather than one to each route.
    package var isSharedByStar: Bool

    package init(_ definition: PlanDefinition = PlanDefinition()) {
        after = max(0, definition.after ?? 0)
        times = definition.times
        every = max(1, definition.every ?? 1)
        probability = definition.probability ?? 1
        duration = definition.duration
        when = definition.when
        then = definition.then
        isSharedByStar = definition.isSharedByStar ?? false
    }

    /// Whether it acts on every exchange.
    package var isConstant: Bool {
        after == 0 && times == nil && every == 1 && probability >= 1 && duration == nil && when == nil
    }
}

/// How far a plan has come.
package struct PlanProgress: Sendable, Equatable {
    /// How many exchanges came by.
    package private(set) var met = 0
    /// On how many of them the variant acted.
    package private(set) var acted = 0
    private var start: Duration?
    /// Exchanges of the route that `when` names that had come before the plan began.
    private let usedBefore: Int

    package init(usedBefore: Int = 0) { self.usedBefore = usedBefore }

    package enum Step: Sendable, Equatable {
        /// The variant acts on this exchange.
        case acts
        /// It will, or may, act on a later one.
        case passes
        /// It never acts again.
        case over
    }

    /// Takes one exchange.
    ///
    /// - Parameters:
    ///   - now: the time since the session began.
    ///   - used: exchanges of the route that `when` names that came before this one, since the session began.
    ///   - chance: the exchange's own number in 0..<1; read only where the plan leaves something to chance.
    package mutating func step(_ plan: FaultPlan, now: Duration, used: Int = 0, chance: @autoclosure () -> Double)
        -> Step
    {
        if plan.isConstant { return .acts }
        if let when = plan.when, used - usedBefore >= when.times { return .over }
        met += 1
        if met <= plan.after { return .passes }
        let start = self.start ?? now
        self.start = start
        if let duration = plan.duration, now - start >= duration { return .over }
        if let times = plan.times, acted >= times { return .over }
        if (met - plan.after) % plan.every != 0 { return .passes }
        if plan.probability < 1, chance() >= plan.probability { return .passes }
        acted += 1
        return .acts
    }

    /// Counts an exchange on which something else acts.
    package mutating func pass() { met += 1 }
}
