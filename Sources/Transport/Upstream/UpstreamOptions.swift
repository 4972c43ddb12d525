package import HTTPCore

/// How upstream connections are made, the same for all exchanges of a deck.
package struct UpstreamOptions: Sendable {
    /// The time for the name look-up, the connection and its TLS handshake together.
    package var connectTimeout: Duration
    /// The time from the last octet of the request that was sent to the first one of the answer's head.
    package var headTimeout: Duration
    /// The time between octets once the answer has begun.
    package var idleTimeout: Duration
    /// A file of certificates in PEM that are trusted instead of the system's.
    package var caFile: String?
    /// A file with the client's certificate and its key in PEM.
    package var clientCert: String?
    /// Takes any certificate of the upstream.
    package var insecure: Bool
    /// Where to connect instead of the request's authority, which stays in Host and in the TLS handshake.
    package var connectTo: (host: String, port: Int)?

    package init(
        connectTimeout: Duration = .seconds(10), headTimeout: Duration = .seconds(60),
        idleTimeout: Duration = .seconds(60), caFile: String? = nil, clientCert: String? = nil, insecure: Bool = false,
        connectTo: (host: String, port: Int)? = nil
    ) {
        self.connectTimeout = connectTimeout
        self.headTimeout = headTimeout
        self.idleTimeout = idleTimeout
        self.caFile = caFile
        self.clientCert = clientCert
        self.insecure = insecure
        self.connectTo = connectTo
    }
}

/// A request as it shall go out.
package struct UpstreamRequest: Sendable {
    /// `http` or `https`.
    package var scheme: String
    /// Whom to connect to.
    package var authority: Authority
    /// The method, as spelled.
    package var method: String
    /// The request target, octet for octet.
    package var target: Bytes
    /// The field lines in order, Host included; Transfer-Encoding and Expect are left out, Content-Length follows `body`.
    package var fields: Fields
    /// Whether and how a body follows by `UpstreamExchange.send`: `none`, `length` or `chunked`.
    package var body: BodyFraming

    package init(
        scheme: String, authority: Authority, method: String, target: Bytes, fields: Fields, body: BodyFraming = .none
    ) {
        self.scheme = scheme
        self.authority = authority
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }
}
