import Transport

extension HandshakeFault {
    /// Shows a certificate that holds and is signed by the deck's authority, for `wrong-host.invalid`.
    ///
    /// curl ends with code 60, requests with `SSLError` (hostname mismatch), node with ERR_TLS_CERT_ALTNAME_INVALID, URLSession on
    /// Linux with `unknown` (-1), on Darwin probably with `serverCertificateUntrusted` (-1202).
    static let tlsWrongHost = HandshakeFault { issuer, _ in
        try issuer.makeIdentity(for: .name("wrong-host.invalid"), from: -day, lasting: 30 * day)
    }
}
