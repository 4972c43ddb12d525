import DeckRules
package import Transport

/// A deliberate failure of the TLS handshake that follows CONNECT: which certificate the client is shown.
///
/// A client that takes it all the same is served as usual.
package struct HandshakeFault: Sendable {
    /// Makes what is shown to a client that wants this host; nil ends the handshake with the alert `handshake_failure`. Off the
    /// loops.
    package let identity: @Sendable (_ issuer: CertificateIssuer, _ name: ServerName) throws -> TLSIdentity?

    package init(_ identity: @escaping @Sendable (CertificateIssuer, ServerName) throws -> TLSIdentity?) {
        self.identity = identity
    }

    /// A day, in seconds.
    static let day: Int64 = 86_400
}

extension FaultKind {
    /// The table of faults in the handshake: one row and one file each. Nil for faults of an exchange.
    package var inHandshake: HandshakeFault? {
        switch self {
        case .tlsHandshake: .tlsHandshake
        case .tlsExpired: .tlsExpired
        case .tlsWrongHost: .tlsWrongHost
        case .tlsUntrusted: .tlsUntrusted
        default: nil
        }
    }
}
