import COpenSSL
import HTTPCore

/// A certificate before it is signed.
struct CertificateDraft {
    var commonName: String?
    /// Sixteen random octets.
    var serial: Bytes
    /// Seconds since 1970.
    var validity: ClosedRange<Int64>
    var extensions: [CertificateExtension]

    /// Longer common names are against X.520; clients look at the alternative names anyway.
    private static let longestName = 64

    /// Makes the certificate for a key, signed by an authority, or by its own key where there is none.
    func sign(for key: PrivateKey, by issuer: CertificateAuthority?) throws(TLSError) -> Certificate {
        let what = "a certificate could not be made"
        OpenSSLErrors.clear()
        let made = Certificate(takingOwnership: try OpenSSLErrors.checked(X509_new(), what))
        let pointer = made.handle.pointer
        try OpenSSLErrors.check(X509_set_version(pointer, 2), what)
        try setSerial(of: pointer, what)
        try OpenSSLErrors.check(
            ASN1_TIME_set(X509_getm_notBefore(pointer), time(validity.lowerBound)) == nil ? 0 : 1, what)
        try OpenSSLErrors.check(
            ASN1_TIME_set(X509_getm_notAfter(pointer), time(validity.upperBound)) == nil ? 0 : 1, what)
        let subject = X509_get_subject_name(pointer)
        try add("O", "tapedeck", to: subject, what)
        if let commonName, commonName.utf8.count <= Self.longestName { try add("CN", commonName, to: subject, what) }
        let issuerName = issuer.map { X509_get_subject_name($0.certificate.handle.pointer) } ?? subject
        try OpenSSLErrors.check(X509_set_issuer_name(pointer, issuerName), what)
        try OpenSSLErrors.check(X509_set_pubkey(pointer, key.handle.pointer), what)
        let ids = [
            CertificateExtension.keyID(made.keyID),
            CertificateExtension.issuerKeyID(issuer?.certificate.keyID ?? made.keyID),
        ]
        for one in extensions + ids { try one.add(to: pointer) }
        let size = X509_sign(pointer, (issuer?.key ?? key).handle.pointer, EVP_sha256())
        try OpenSSLErrors.check(size > 0 ? 1 : 0, what)
        return made
    }

    private func time(_ seconds: Int64) -> Int { Int(clamping: seconds) }

    private func setSerial(of pointer: OpaquePointer, _ what: String) throws(TLSError) {
        // RFC 5280 §4.1.2.2: above zero and at most 20 octets; a first octet of 0x40…0x7F keeps it so.
        let octets = [(serial.first ?? 0) & 0x3F | 0x40] + serial.dropFirst()
        let number = try OpenSSLErrors.checked(BN_bin2bn(octets, Int32(octets.count), nil), what)
        defer { BN_free(number) }
        _ = try OpenSSLErrors.checked(BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)), what)
    }

    private func add(_ kind: String, _ value: String, to name: OpaquePointer?, _ what: String) throws(TLSError) {
        let text = Bytes(value.utf8)
        try OpenSSLErrors.check(
            X509_NAME_add_entry_by_txt(name, kind, Self.utf8, text, Int32(text.count), -1, 0), what)
    }

    /// `MBSTRING_UTF8`, whose definition Swift does not read.
    private static let utf8: Int32 = 0x1000
}
