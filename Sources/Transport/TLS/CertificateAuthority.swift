import HTTPCore

/// A certificate and its key: what signs other certificates.
package struct CertificateAuthority: Sendable {
    package let certificate: Certificate
    let key: PrivateKey

    /// How long a new authority holds: longer than a project, shorter than what some systems refuse.
    static let lifetime: Int64 = 10 * 365 * day
    static let day: Int64 = 86_400

    /// Joins what belongs together; throws where it does not.
    init(certificate: Certificate, key: PrivateKey) throws(TLSError) {
        guard certificate.belongs(to: key) else {
            throw TLSError("the certificate is not of the private key that stands beside it")
        }
        self.certificate = certificate
        self.key = key
    }

    /// Makes a new authority with its own key. Takes well under a millisecond, and is done off the loops all the same.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - hosts: the only hosts for which it can sign, with all below a name; empty for any.
    package static func make(
        now: Int64, random: SecureRandom, onlyFor hosts: [ServerName] = [], name: String = "tapedeck CA"
    ) throws(TLSError) -> CertificateAuthority {
        let key = try PrivateKey.make()
        var extensions: [CertificateExtension] = [.authority, .signsCertificates]
        if !hosts.isEmpty { extensions.append(.onlyFor(hosts)) }
        let serial = random.octets(16)
        let mark = serial.suffix(3).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let draft = CertificateDraft(
            commonName: "\(name) \(mark)", serial: serial, validity: (now - day)...(now + lifetime),
            extensions: extensions)
        return try CertificateAuthority(certificate: draft.sign(for: key, by: nil), key: key)
    }
}
