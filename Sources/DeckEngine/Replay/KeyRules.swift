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
    /// The keys of interactions that have rules of their own.
    private var own: OwnMatchKeys

    package init(table: RouteTable, common: Matcher, ofRoutes: [Int: Matcher] = [:]) {
        self.table = table
        self.common = common
        self.ofRoutes = ofRoutes
        own = OwnMatchKeys()
    }

    /// The same with the rules that interactions bring for themselves.
    ///
    /// - Throws: `FormatError` if a request's body that lies beside can't be read.
    package func adding(_ interactions: [Interaction]) throws(FormatError) -> KeyRules {
        var rules = self
        rules.own = try OwnMatchKeys(interactions) { matcher(method: $0.method, target: $0.target) }
        return rules
    }

    /// Whether a key depends on nothing but method, authority and target where there is no body.
    var dependsOnTargetOnly: Bool { common.rules.headers.isEmpty && ofRoutes.isEmpty && own.isEmpty }

    /// The key of a request in flight.
    package func key(of request: RawRequest) -> MatchKey {
        let matcher = matcher(method: request.method, target: request.target)
        let key = matcher.key(of: request)
        guard !own.isEmpty else { return key }
        return own.key(method: request.method, base: matcher, usual: key) { $0.key(of: request) }
    }

    /// The key of an interaction, under today's rules.
    ///
    /// - Throws: `FormatError` if a body that lies beside can't be read.
    package func key(of interaction: Interaction) throws(FormatError) -> MatchKey {
        let matcher = matcher(method: interaction.request.method, target: interaction.request.target)
        if let key = try own.key(of: interaction, base: matcher) { return key }
        return try matcher.key(of: interaction.request)
    }

    /// The same for a recorder.
    var forRecorder: CassetteRecorder.Keys {
        CassetteRecorder.Keys(
            request: { key(of: $0) }, recorded: { (interaction) throws(FormatError) in try key(of: interaction) })
    }

    /// The rules that hold for a request.
    func matcher(of request: RawRequest) -> Matcher { matcher(method: request.method, target: request.target) }

    private func matcher(method: String, target: Bytes) -> Matcher {
        if ofRoutes.isEmpty { return common }
        let mark = target.firstIndex(of: UInt8(ascii: "?"))
        let match = table.route(
            method: method, path: Bytes(target[..<(mark ?? target.endIndex)]),
            query: mark.map { Bytes(target[($0 + 1)...]) })
        return match.index.flatMap { ofRoutes[$0] } ?? common
    }
}

extension MatchKey {
    /// The key as rules see it.
    var exchangeKey: ExchangeKey { ExchangeKey(high: high, low: low) }
}
