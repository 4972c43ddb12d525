import COpenSSL
import HTTPCore

/// An extension of a certificate (RFC 5280 §4.2).
struct CertificateExtension {
    /// OpenSSL's number of its kind.
    let kind: Int32
    /// Whether whoever does not know the kind has to refuse the certificate.
    let isCritical: Bool
    /// The value in DER.
    let value: Bytes

    /// Signs certificates, of hosts alone: none of further authorities.
    static let authority = CertificateExtension(
        kind: NID_basic_constraints, isCritical: true, value: DER.sequence([DER.isTrue, [0x02, 0x01, 0x00]]))
    static let notAuthority = CertificateExtension(
        kind: NID_basic_constraints, isCritical: true, value: DER.sequence([]))
    /// keyCertSign and cRLSign.
    static let signsCertificates = CertificateExtension(
        kind: NID_key_usage, isCritical: true, value: DER.bits(0x06, unused: 1))
    /// digitalSignature.
    static let signsHandshakes = CertificateExtension(
        kind: NID_key_usage, isCritical: true, value: DER.bits(0x80, unused: 7))
    /// id-kp-serverAuth, which Apple's systems demand.
    static let forServers = CertificateExtension(
        kind: NID_ext_key_usage, isCritical: false,
        value: DER.sequence([DER.identifier([0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01])]))

    static func host(_ name: ServerName) -> CertificateExtension {
        CertificateExtension(kind: NID_subject_alt_name, isCritical: false, value: DER.sequence([generalName(name)]))
    }

    /// The authority signs for these hosts alone, and for all below a name (RFC 5280 §4.2.1.10).
    static func onlyFor(_ names: [ServerName]) -> CertificateExtension {
        let subtrees = names.map { name in
            switch name {
            case .name: DER.sequence([generalName(name)])
            case .address(let octets):
                DER.sequence([DER.element(0x87, octets + Bytes(repeating: 0xFF, count: octets.count))])
            }
        }
        return CertificateExtension(
            kind: NID_name_constraints, isCritical: true,
            value: DER.sequence([DER.element(0xA0, subtrees.flatMap { $0 })]))
    }

    static func keyID(_ octets: Bytes) -> CertificateExtension {
        CertificateExtension(kind: NID_subject_key_identifier, isCritical: false, value: DER.octetString(octets))
    }

    static func issuerKeyID(_ octets: Bytes) -> CertificateExtension {
        CertificateExtension(
            kind: NID_authority_key_identifier, isCritical: false,
            value: DER.sequence([DER.element(0x80, octets)]))
    }

    private static func generalName(_ name: ServerName) -> Bytes {
        switch name {
        case .name(let text): DER.element(0x82, Bytes(text.utf8))
        case .address(let octets): DER.element(0x87, octets)
        }
    }

    /// Adds it to a certificate that is being made.
    func add(to certificate: OpaquePointer) throws(TLSError) {
        let what = "an extension of a certificate could not be made"
        let octets = try OpenSSLErrors.checked(ASN1_OCTET_STRING_new(), what)
        defer { ASN1_OCTET_STRING_free(octets) }
        try OpenSSLErrors.check(ASN1_OCTET_STRING_set(octets, value, Int32(value.count)), what)
        let made = try OpenSSLErrors.checked(
            X509_EXTENSION_create_by_NID(nil, kind, isCritical ? 1 : 0, octets), what)
        defer { X509_EXTENSION_free(made) }
        try OpenSSLErrors.check(X509_add_ext(certificate, made, -1), what)
    }
}
