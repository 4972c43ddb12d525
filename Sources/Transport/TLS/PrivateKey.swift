import COpenSSL
import CShims
import HTTPCore

/// A private key. Never printed: only `AuthorityFolder` asks for its text, to write it to its own file.
package struct PrivateKey: Sendable {
    let handle: OpenSSLHandle

    init(takingOwnership pointer: OpaquePointer) {
        handle = OpenSSLHandle(takingOwnership: pointer, free: EVP_PKEY_free)
    }

    /// Makes a key on the curve P-256, which every client of TLS 1.2 knows.
    package static func make() throws(TLSError) -> PrivateKey {
        OpenSSLErrors.clear()
        let key = try OpenSSLErrors.checked(tapedeck_tls_make_key(), "a key could not be made")
        return PrivateKey(takingOwnership: OpaquePointer(key))
    }

    /// Reads a key without a pass phrase from PEM.
    init(pem: Bytes) throws(TLSError) {
        let pointer = try PEMText.read(pem, "the private key cannot be read") { source in
            // The callback stands for a person who knows no pass phrase; without it OpenSSL would ask at the terminal.
            PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in 0 }, nil)
        }
        self.init(takingOwnership: pointer)
    }

    /// The key in PEM (PKCS #8), unprotected.
    func pem() throws(TLSError) -> Bytes {
        try PEMText.write("the private key cannot be written") { sink in
            PEM_write_bio_PrivateKey(sink, handle.pointer, nil, nil, 0, nil, nil)
        }
    }
}

/// PEM by OpenSSL's memory streams.
enum PEMText {
    static func read(
        _ pem: Bytes, _ what: String, _ body: (OpaquePointer) -> OpaquePointer?
    ) throws(TLSError) -> OpaquePointer {
        OpenSSLErrors.clear()
        let found = pem.withUnsafeBytes { octets -> OpaquePointer? in
            guard let source = BIO_new_mem_buf(octets.baseAddress, Int32(clamping: octets.count)) else { return nil }
            defer { BIO_free_all(source) }
            return body(source)
        }
        return try OpenSSLErrors.checked(found, what)
    }

    static func write(_ what: String, _ body: (OpaquePointer) -> Int32) throws(TLSError) -> Bytes {
        OpenSSLErrors.clear()
        let sink = try OpenSSLErrors.checked(BIO_new(BIO_s_mem()), what)
        defer { BIO_free_all(sink) }
        try OpenSSLErrors.check(body(sink), what)
        var text = Bytes(repeating: 0, count: Int(BIO_ctrl_pending(sink)))
        let count = text.withUnsafeMutableBytes { BIO_read(sink, $0.baseAddress, Int32($0.count)) }
        try OpenSSLErrors.check(Int(count) == text.count ? 1 : 0, what)
        return text
    }
}
