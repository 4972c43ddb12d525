/// The data of an event named `exchange` on `GET /events`: an exchange has ended.
public struct ExchangeEvent: Codable, Sendable, Equatable {
    public var session: String
    /// The exchange's number in its session, from 1.
    public var number: Int
    public var method: String
    /// Path and query, secret values replaced.
    public var target: String
    /// Nil where no route takes the request.
    public var route: String?
    /// What acted; nil for `default`.
    public var variant: String?
    /// 0 where no status was sent.
    public var status: Int
    /// `hit`, `miss`, `own`, `fault`, `recorded`, `passed`, `tunnel`, `control`, `failed` or `clientLeft`.
    public var outcome: String
    /// Octets of the answer on the wire.
    public var octets: Int
    /// From the request's first octet to the end of the answer.
    public var milliseconds: Double

    public init(
        session: String, number: Int, method: String, target: String, route: String?, variant: String?, status: Int,
        outcome: String, octets: Int, milliseconds: Double
    ) {
        self.session = session
        self.number = number
        self.method = method
        self.target = target
        self.route = route
        self.variant = variant
        self.status = status
        self.outcome = outcome
        self.octets = octets
        self.milliseconds = milliseconds
    }
}

/// The data of an event named `change` on `GET /events`: somebody changed what clients get.
public struct ChangeEvent: Codable, Sendable, Equatable {
    /// `scenario`, `variant`, `latency`, `offline`, `token`, `reset`, `session` or `configuration`.
    public var what: String
    /// The session that it is about; nil for all.
    public var session: String?
    /// The route whose variant was chosen.
    public var route: String?
    /// What holds now; nil for none. Of a session `made` or `closed`.
    public var value: String?

    public init(_ what: String, session: String? = nil, route: String? = nil, value: String? = nil) {
        self.what = what
        self.session = session
        self.route = route
        self.value = value
    }
}
