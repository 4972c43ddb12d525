import Transport

extension HandshakeFault {
    /// Shows a certificate for the right host, signed by an authority that was made for this handshake alone.
    ///
    /// curl ends with code 60, requests with `SSLError` (unable to get local issuer certificate), node with
    /// UNABLE_TO_VERIFY_LEAF_SIGNATURE, URLSession on Linux with `unknown` (-1), on Darwin probably with
    /// `serverCertificateUntrusted` (-1202).
    static let tlsUntrusted = HandshakeFault { issuer, name in
        try issuer.stranger().makeIdentity(for: name, from: -day, lasting: 30 * day)
    }
}
