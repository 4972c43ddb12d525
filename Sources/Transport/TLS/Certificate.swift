import COpenSSL
package import HTTPCore

/// A certificate (X.509); immutable.
package struct Certificate: Sendable {
    let handle: OpenSSLHandle

    init(takingOwnership pointer: OpaquePointer) {
        handle = OpenSSLHandle(takingOwnership: pointer, free: X509_free)
    }

    /// Reads the first certificate of a PEM text.
    package init(pem: Bytes) throws(TLSError) {
        self.init(
            takingOwnership: try PEMText.read(pem, "the certificate cannot be read") {
                PEM_read_bio_X509($0, nil, nil, nil)
            })
    }

    package func pem() throws(TLSError) -> Bytes {
        try PEMText.write("the certificate cannot be written") { PEM_write_bio_X509($0, handle.pointer) }
    }

    /// SHA-256 over the certificate in DER, by which people compare two of them: `AB:CD:…`.
    package var fingerprint: String {
        digest(X509_digest).map { octet in
            let digits = String(octet, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: ":")
    }

    /// What names the certificate's key in the certificates that it signs (RFC 5280 §4.2.1.2, by SHA-256).
    var keyID: Bytes { Bytes(digest(X509_pubkey_digest).prefix(20)) }

    /// The subject's common name.
    package var commonName: String {
        let length = X509_NAME_get_text_by_NID(X509_get_subject_name(handle.pointer), NID_commonName, nil, 0)
        guard length > 0 else { return "" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(length) + 1) { text in
            X509_NAME_get_text_by_NID(
                X509_get_subject_name(handle.pointer), NID_commonName, text.baseAddress, Int32(text.count))
            return text.baseAddress.map { String(cString: $0) } ?? ""
        }
    }

    /// The first and the last moment at which it holds, in seconds since 1970.
    package var validity: ClosedRange<Int64> {
        let first = Self.seconds(X509_get0_notBefore(handle.pointer))
        return first...max(first, Self.seconds(X509_get0_notAfter(handle.pointer)))
    }

    /// Whether it names the hosts for which its owner may sign.
    package var isConstrained: Bool { X509_get_ext_by_NID(handle.pointer, NID_name_constraints, -1) >= 0 }

    func belongs(to key: PrivateKey) -> Bool {
        defer { OpenSSLErrors.clear() }
        return X509_check_private_key(handle.pointer, key.handle.pointer) == 1
    }

    private typealias Digest = (
        OpaquePointer?, OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt32>?
    ) -> Int32

    private func digest(_ function: Digest) -> Bytes {
        var octets = Bytes(repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard function(handle.pointer, EVP_sha256(), &octets, &count) == 1 else { return [] }
        return Bytes(octets.prefix(Int(count)))
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        guard let epoch = ASN1_TIME_set(nil, 0) else { return 0 }
        defer { ASN1_STRING_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return 0 }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}
