package import CassetteKit
package import DeckRules
import HTTPCore

/// How requests are keyed: one matcher for all, and one for each route that has match rules of its own.
package struct KeyRules: Sendable {
    private let table: RouteTable
    /// What holds where no route says otherwise.
    let common: Matcher
    /// By the route's place in the table.
    private let ofRoutes: [Int: Matcher]
    /// What equal requests get where no route says otherwise.
    private let playback: PlaybackPolicy
    /// Whether some route lets all values of a parameter share one recording.
    private let sharesPaths: Bool
    /// The keys of interactions that have rules of their own.
    private var own: OwnMatchKeys

    package init(
        table: RouteTable, common: Matcher, ofRoutes: [Int: Matcher] = [:], playback: PlaybackPolicy = .repeatLast
    ) {
        self.table = table
        self.common = common
        self.ofRoutes = ofRoutes
        self.playback = playback
        sharesPaths = table.routes.contains { !$0.anyPath.isEmpty }
        own = OwnMatchKeys()
    }

    /// The same with the rules that interactions bring for themselves.
    ///
    /// - Throws: `FormatError` if a request's body that lies beside can't be read.
    package func adding(_ interactions: [Interaction]) throws(FormatError) -> KeyRules {
        var rules = self
        let shaped = sharesPaths ? interactions.map(shaped) : interactions
        rules.own = try OwnMatchKeys(shaped) { matcher(method: $0.method, target: $0.target) }
        return rules
    }

    /// Whether a key depends on nothing but method, authority and target where there is no body.
    var dependsOnTargetOnly: Bool { common.rules.headers.isEmpty && ofRoutes.isEmpty && own.isEmpty }

    /// The key of a request in flight.
    package func key(of request: RawRequest) -> MatchKey {
        let matcher = matcher(method: request.method, target: request.target)
        let request = shaped(request)
        let key = matcher.key(of: request)
        guard !own.isEmpty else { return key }
        return own.key(method: request.method, base: matcher, usual: key) { $0.key(of: request) }
    }

    /// The key of an interaction, under today's rules.
    ///
    /// - Throws: `FormatError` if a body that lies beside can't be read.
    package func key(of interaction: Interaction) throws(FormatError) -> MatchKey {
        let matcher = matcher(method: interaction.request.method, target: interaction.request.target)
        let interaction = shaped(interaction)
        if let key = try own.key(of: interaction, base: matcher) { return key }
        return try matcher.key(of: interaction.request)
    }

    /// The same for a recorder.
    var forRecorder: CassetteRecorder.Keys {
        CassetteRecorder.Keys(
            request: { key(of: $0) }, recorded: { (interaction) throws(FormatError) in try key(of: interaction) },
            traits: { traits(method: $0, target: $1) })
    }

    /// The rules that hold for a request.
    func matcher(of request: RawRequest) -> Matcher { matcher(method: request.method, target: request.target) }

    private func matcher(method: String, target: Bytes) -> Matcher {
        if ofRoutes.isEmpty { return common }
        return route(method, target).index.flatMap { ofRoutes[$0] } ?? common
    }

    private func route(_ method: String, _ target: Bytes) -> RouteMatch {
        let mark = target.firstIndex(of: UInt8(ascii: "?"))
        return table.route(
            method: method, path: Bytes(target[..<(mark ?? target.endIndex)]),
            query: mark.map { Bytes(target[($0 + 1)...]) })
    }
}

// MARK: Shared recordings

extension KeyRules {
    /// A request with the names of shared parameters in place of their values.
    func shaped(_ request: RawRequest) -> RawRequest {
        guard let target = shape(request.method, request.target) else { return request }
        var request = request
        request.target = target
        return request
    }

    /// The route that takes a request.
    func route(of request: RawRequest) -> Route? {
        route(request.method, request.target).index.map { table.routes[$0] }
    }

    /// Interactions whose requests are changed in the same way.
    func shaped(_ interactions: [Interaction]) -> [Interaction] {
        sharesPaths ? interactions.map { shaped($0) } : interactions
    }

    /// An interaction whose request is changed in the same way.
    func shaped(_ interaction: Interaction) -> Interaction {
        guard let target = shape(interaction.request.method, interaction.request.target) else { return interaction }
        var interaction = interaction
        interaction.request.target = target
        return interaction
    }

    /// Whether an interaction's answer gets the values of the request's path.
    func isAdapted(_ interaction: Interaction) -> Bool {
        guard sharesPaths else { return false }
        let route = route(interaction.request.method, interaction.request.target).index.map { table.routes[$0] }
        return route.map { $0.substitutes && !$0.anyPath.isEmpty } ?? false
    }

    /// The values that an answer gets in place of recorded ones; nil for none.
    func substitution(_ request: (method: String, target: Bytes), _ recorded: RecordedRequest) -> ValueSubstitution? {
        guard sharesPaths else { return nil }
        let live = route(request.method, request.target)
        guard let index = live.index, table.routes[index].substitutes else { return nil }
        let recorded = route(recorded.method, recorded.target)
        guard recorded.index == index else { return nil }
        let (new, old) = (table.parameters(of: live), table.parameters(of: recorded))
        return ValueSubstitution(
            table.routes[index].anyPath.map {
                ValueSubstitution.Pair(name: $0, recorded: old[$0] ?? "", live: new[$0] ?? "")
            })
    }

    private func shape(_ method: String, _ target: Bytes) -> Bytes? {
        guard sharesPaths, let route = route(method, target).index.map({ table.routes[$0] }), !route.anyPath.isEmpty
        else { return nil }
        return Self.shape(target, route)
    }

    private static func shape(_ target: Bytes, _ route: Route) -> Bytes {
        let end = target.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        return route.pattern.path(Bytes(target[..<end]), sharing: Set(route.anyPath)) + target[end...]
    }

    /// What a recorder has to know of a request besides its key.
    private func traits(method: String, target: Bytes) -> RecordedTraits {
        var traits = RecordedTraits(rules: matcher(method: method, target: target).rules, target: target)
        let match = route(method, target)
        let route = match.index.map { table.routes[$0] }
        traits.countsRepeats = (route?.playback ?? playback) == .error
        guard let route, !route.anyPath.isEmpty else { return traits }
        traits.target = Self.shape(target, route)
        guard route.substitutes else { return traits }
        let values = table.parameters(of: match)
        traits.substitution = ValueSubstitution(
            route.anyPath.map { name in
                ValueSubstitution.Pair(name: name, recorded: values[name] ?? "", live: "{\(name)}")
            })
        return traits
    }
}

extension MatchKey {
    /// The key as rules see it.
    var exchangeKey: ExchangeKey { ExchangeKey(high: high, low: low) }
}
