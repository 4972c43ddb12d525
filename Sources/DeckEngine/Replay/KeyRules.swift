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

    package init(table: RouteTable, common: Matcher, ofRoutes: [Int: Matcher] = [:]) {
        self.table = table
        self.common = common
        self.ofRoutes = ofRoutes
    }

    /// Whether a key depends on nothing but method, authority and target where there is no body.
    var dependsOnTargetOnly: Bool { common.rules.headers.isEmpty && ofRoutes.isEmpty }

    /// The key of a request in flight.
    package func key(of request: RawRequest) -> MatchKey {
        matcher(method: request.method, target: request.target).key(of: request)
    }

    /// The key of a recorded request, under today's rules.
    ///
    /// - Throws: `FormatError` if a body that lies beside can't be read.
    package func key(of request: RecordedRequest) throws(FormatError) -> MatchKey {
        try matcher(method: request.method, target: request.target).key(of: request)
    }

    /// The same for a recorder.
    var forRecorder: CassetteRecorder.Keys {
        CassetteRecorder.Keys(
            request: { key(of: $0) }, recorded: { (request) throws(FormatError) in try key(of: request) })
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
