import SystemIO
import Transport

/// The deck's certificate authority, read or made when the first CONNECT needs it, and the certificates that come of it.
///
/// Any thread may ask.
final class Interception: Sendable {
    private let folder: AuthorityFolder?
    private let clock: WallClock
    private let random: SecureRandom
    /// Set once; never taken back.
    private let loaded = Locked<CertificateIssuer?>(nil)

    /// - Parameter folder: where the authority is kept; nil where there is no place for it.
    init(folder: String?, clock: WallClock, random: SecureRandom) {
        self.folder = folder.map { AuthorityFolder($0) }
        self.clock = clock
        self.random = random
    }

    /// What makes certificates, where the authority has been read.
    var issuer: CertificateIssuer? { loaded.withLock { $0 } }

    /// Reads the authority, or makes it. Blocks: off the loops.
    func load() throws(TLSError) -> CertificateIssuer {
        if let issuer { return issuer }
        guard let folder else {
            throw TLSError(
                "there is no folder for the certificate authority",
                advice: "name one with --ca-dir, or TAPEDECK_CA_DIR")
        }
        // Two that come here at once read the same authority.
        let authority = try folder.loadOrMake(now: clock.now() / 1_000, random: random)
        let made = CertificateIssuer(authority: authority, clock: clock, random: random)
        return loaded.withLock { loaded in
            let issuer = loaded ?? made
            loaded = issuer
            return issuer
        }
    }
}
