package import HTTPCore

/// What a decision is made of: the request and its route, key and time. All else is in the rules and the session.
package struct ExchangeFacts: Sendable {
    package var route: RouteMatch
    package var method: String
    /// As sent, from the slash.
    package var path: Bytes
    /// As sent, without the question mark; nil where there is none.
    package var query: Bytes?
    /// The match key; read only where ``RuleState/needsKey``.
    package var key: ExchangeKey
    /// The time since the session began.
    package var now: Duration

    /// Whether the request asks for a tunnel.
    var isConnect: Bool { method == connectMethod }

    package init(
        route: RouteMatch = .none, method: String, path: Bytes, query: Bytes? = nil, key: ExchangeKey = .none,
        now: Duration = .zero
    ) {
        self.route = route
        self.method = method
        self.path = path
        self.query = query
        self.key = key
        self.now = now
    }
}
