/// What an exchange gets.
package struct Decision: Sendable {
    /// The routes among which ``route`` was found; a reload of the configuration may have brought others since.
    package var table: RouteTable
    /// The route's place among ``RouteTable/routes``; nil where no route takes the request.
    package var route: Int?
    package var routeName: String?
    /// The route that has the request's method and path, but another query or operation.
    package var nearRouteName: String?
    package var variantName: String
    package var answer: VariantAnswer
    /// How much of the answer a fault that cuts it lets through.
    package var sends = AnswerPart.half
    package var delay: Delay
    /// The body's rate; nil for no limit.
    package var bandwidth: Bandwidth?
    /// Whether the answer carries `Connection: close`, because a connection of the session may break on purpose.
    package var closesConnection: Bool
    /// The exchange's number, from 1, among those of its session and route; 0 where nobody counted.
    package var ordinal = 0
    /// Names the exchange for a fault log; nil where the rules need no match keys.
    package var place: ExactPlan.Place?

    /// What the configuration says about the exchange's route; nil without one.
    package var settings: Route? { route.map { table.routes[$0] } }

    /// The option of `--fault` that does to this exchange alone what was decided, so that a run's faults can be given back as a
    /// plan; nil for requests without a route, which have no name.
    package var exactPlan: String? {
        guard let routeName, ordinal > 0 else { return nil }
        return "\(routeName)=\(variantName),after=\(ordinal - 1),times=1"
    }

    /// Whether the exchange takes the next answer of the recorded sequence: it does where that is delivered. A fault may
    /// show part of the next answer, but leaves it the next.
    package var takesRecorded: Bool {
        if case .recorded = answer { true } else { false }
    }

    /// Whether an interaction, or an upstream, is needed at all.
    package var needsAnswer: Bool {
        switch answer {
        case .recorded: true
        case .own: false
        case .fault(let kind, let own):
            own == nil && kind.details.shows == .answer && !(kind.details.cutsAnswer && sends == .nothing)
        }
    }

    /// Whether the exchange may be stored while recording: delayed or throttled ones may, changed or broken ones not.
    package var isStorable: Bool {
        if case .recorded(let edits) = answer { edits.isEmpty } else { false }
    }

    /// The recorded answer, at once and unchanged, where no rule says otherwise.
    package static let plain = Decision(
        table: RouteTable([]), route: nil, routeName: nil, nearRouteName: nil, variantName: "default",
        answer: Variant.recorded.answer,
        delay: .none, bandwidth: nil, closesConnection: false)
}
