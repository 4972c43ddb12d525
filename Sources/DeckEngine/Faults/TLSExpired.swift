import Transport

extension HandshakeFault {
    /// Shows a certificate for the right host, signed by the deck's authority, that ended yesterday.
    ///
    /// curl ends with code 60, requests with `SSLError` (certificate has expired), node with CERT_HAS_EXPIRED, URLSession on Linux
    /// with `unknown` (-1), on Darwin probably with `serverCertificateUntrusted` (-1202).
    static let tlsExpired = HandshakeFault { issuer, name in
        try issuer.makeIdentity(for: name, from: -31 * day, lasting: 30 * day)
    }
}
