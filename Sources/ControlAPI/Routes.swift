/// The answer to `GET /routes`: the configured routes in the order of the configuration.
public struct RouteList: Codable, Sendable, Equatable {
    public var routes: [RouteState]

    public init(routes: [RouteState]) {
        self.routes = routes
    }
}

/// One route, what it matches, and how it behaves now.
public struct RouteState: Codable, Sendable, Equatable {
    public var name: String
    /// Method and path template, such as `GET /api/v1/items/{itemId}`.
    public var match: String
    /// The variant that acts now: the one chosen for this route, else the active scenario's, else `default`.
    public var variant: String
    /// The names that `PUT /routes/{name}/variant` takes, in alphabetical order.
    public var variants: [String]
    /// Whether the route signs in, which scenarios for `*` leave alone.
    public var auth: Bool
    /// Exchanges that this route has taken since start.
    public var requests: Int

    public init(
        name: String, match: String, variant: String, variants: [String], auth: Bool = false, requests: Int = 0
    ) {
        self.name = name
        self.match = match
        self.variant = variant
        self.variants = variants
        self.auth = auth
        self.requests = requests
    }
}

/// The body of `PUT /routes/{name}/variant`.
public struct VariantChoice: Codable, Sendable, Equatable {
    /// A variant of the route; nil gives the route back to the active scenario.
    public var variant: String?

    public init(variant: String?) {
        self.variant = variant
    }
}
