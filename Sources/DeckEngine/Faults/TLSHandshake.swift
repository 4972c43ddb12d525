extension HandshakeFault {
    /// Ends the handshake on the client's hello with the fatal alert `handshake_failure` (40), and closes.
    ///
    /// curl ends with code 35, requests with `SSLError` (handshake failure), node with ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE,
    /// URLSession on Linux with `unknown` (-1), on Darwin probably with `secureConnectionFailed` (-1200).
    static let tlsHandshake = HandshakeFault { _, _ in nil }
}
