import SystemIO

/// The folder of an authority: `ca.pem`, the certificate that clients trust, and `ca-key.pem`, the key together with it.
///
/// The key's file is the authority; it appears whole or not at all, by link(2), so that of two programs that make one at the
/// same time both end with the same. `ca.pem` follows from it and is written again where it is missing.
package struct AuthorityFolder: Sendable, Equatable {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// What clients are told to trust.
    package var certificateFile: String { path + "/ca.pem" }
    private var keyFile: String { path + "/ca-key.pem" }

    /// Reads the authority; nil where there is none yet.
    package func load() throws(TLSError) -> CertificateAuthority? {
        guard Files.exists(keyFile) else { return nil }
        let octets = try attempt("cannot be read") { () throws(SystemError) in try Files.read(keyFile) }
        let authority: CertificateAuthority
        do throws(TLSError) {
            authority = try CertificateAuthority(certificate: Certificate(pem: octets), key: PrivateKey(pem: octets))
        } catch {
            throw TLSError("\(keyFile): \(error.message)", advice: "make a new one: tapedeck ca create --force")
        }
        try publish(authority)
        return authority
    }

    /// Reads the authority, or makes it where there is none yet.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - hosts: see `CertificateAuthority.make`; only for a new one.
    package func loadOrMake(
        now: Int64, random: SecureRandom, onlyFor hosts: [ServerName] = []
    ) throws(TLSError) -> CertificateAuthority {
        if let authority = try load() {
            guard authority.certificate.validity.upperBound > now else {
                throw TLSError(
                    "the certificate authority in \(path) has expired",
                    advice: "make a new one, and trust that: tapedeck ca create --force")
            }
            return authority
        }
        let fresh = try CertificateAuthority.make(now: now, random: random, onlyFor: hosts)
        let text = try fresh.key.pem() + fresh.certificate.pem()
        try attempt("cannot be written") { () throws(SystemError) in
            try Files.makeDirectories(path, mode: 0o700)
            // Where another program was faster its own stays, and is read below.
            _ = try Files.writeIfAbsent(text, to: keyFile, mode: 0o600)
        }
        guard let authority = try load() else {
            throw TLSError("\(keyFile) was removed while it was made", advice: "try again")
        }
        return authority
    }

    /// Takes the authority away, so that the next one is new.
    package func remove() throws(TLSError) {
        try attempt("cannot be removed") { () throws(SystemError) in
            for file in [keyFile, certificateFile] where Files.exists(file) { try Files.remove(file) }
        }
    }

    private func publish(_ authority: CertificateAuthority) throws(TLSError) {
        let text = try authority.certificate.pem()
        if let there = try? Files.read(certificateFile), there == text { return }
        try attempt("cannot be written") { () throws(SystemError) in
            try Files.writeAtomically(text, to: certificateFile)
        }
    }

    private func attempt<Value>(_ what: String, _ body: () throws(SystemError) -> Value) throws(TLSError) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw TLSError(
                "the certificate authority \(what): \(error.message)",
                advice: "name another folder with --ca-dir, or TAPEDECK_CA_DIR")
        }
    }
}
