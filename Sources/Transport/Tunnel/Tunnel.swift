package import HTTPCore

/// A CONNECT that was answered with 200, for the requests that come through it.
package final class Tunnel: Sendable {
    /// Whom the client wanted to be connected to. The port is left out where it is the scheme's own.
    package let authority: Authority
    /// `https` where the client speaks TLS in it, else `http`.
    package let scheme: String
    /// The fields of the CONNECT, which hold for everything inside.
    package let fields: Fields

    package init(_ authority: Authority, isSecure: Bool, fields: Fields) {
        let scheme = isSecure ? "https" : "http"
        let isUsual = authority.port == Authority(host: authority.host).port(defaultFor: scheme)
        self.authority = isUsual ? Authority(host: authority.host) : authority
        self.scheme = scheme
        self.fields = fields
    }
}

/// What a client speaks in a tunnel, by its first octet.
package enum TunnelSpeech: Sendable {
    /// A TLS record of a handshake (RFC 8446 §5.1).
    case tls
    /// What could be a request's method.
    case http
    /// Neither; the octet is given.
    case unknown(UInt8)
    /// The client left, or said nothing in time.
    case nothing
}

/// How a handshake failed.
package struct HandshakeFailure: Error, Sendable {
    /// OpenSSL's words, or ours.
    package var reason: String
    /// What the client said at its begin, if that came.
    package var hello: ClientHello?
    /// The certificate that was to be shown could not be made.
    package var isOurs = false
}
