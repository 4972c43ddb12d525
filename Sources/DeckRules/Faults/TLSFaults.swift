/// Faults of the TLS handshake; they act on CONNECT, in place of the handshake that would follow it.
extension FaultDescription {
    static let tlsHandshake = inHandshake("ends the handshake with an alert")
    static let tlsExpired = inHandshake("shows a certificate that has expired")
    static let tlsWrongHost = inHandshake("shows a certificate for another host")
    static let tlsUntrusted = inHandshake("shows a certificate of an authority that nobody trusts")

    private static func inHandshake(_ summary: String) -> FaultDescription {
        FaultDescription(summary: summary, shows: .nothing, breaksConnection: true, needsTLS: true)
    }
}
