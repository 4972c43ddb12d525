import HTTPCore
package import SystemIO

/// Makes the certificates that a deck shows, signed by its authority: one for each host, kept as long as it holds.
///
/// Any thread may ask; making one takes a fraction of a millisecond and belongs off the loops.
package final class CertificateIssuer: Sendable {
    /// Certificates of so many hosts are kept; above that the oldest goes.
    static let capacity = 1_024
    /// The longest that the strictest client accepts is longer; a leaf never needs to be shown for so long.
    static let lifetime: Int64 = 197 * CertificateAuthority.day
    /// A certificate begins a day back, for clients whose clocks are slow.
    static let backdated: Int64 = CertificateAuthority.day

    package let authority: CertificateAuthority
    private let clock: WallClock
    private let random: SecureRandom

    private struct Kept {
        var identities: [ServerName: TLSIdentity] = [:]
        /// In the order in which they were made, from `first` on.
        var order: [ServerName] = []
    }

    private let kept = Locked(Kept())

    package init(authority: CertificateAuthority, clock: WallClock, random: SecureRandom) {
        self.authority = authority
        self.clock = clock
        self.random = random
    }

    /// A host's certificate where one is kept that still holds for a day.
    package func kept(for name: ServerName) -> TLSIdentity? {
        let tomorrow = now + CertificateAuthority.day
        return kept.withLock { kept in
            kept.identities[name].flatMap { $0.certificate.validity.upperBound > tomorrow ? $0 : nil }
        }
    }

    /// The certificate for a host: kept, or made and kept.
    package func identity(for name: ServerName) throws(TLSError) -> TLSIdentity {
        if let identity = kept(for: name) { return identity }
        let identity = try makeIdentity(for: name, from: -Self.backdated, lasting: Self.lifetime)
        kept.withLock { kept in
            if kept.identities.updateValue(identity, forKey: name) == nil { kept.order.append(name) }
            if kept.order.count > Self.capacity { kept.identities[kept.order.removeFirst()] = nil }
        }
        return identity
    }

    /// A certificate that is shown once, as faults need them.
    ///
    /// - Parameters:
    ///   - offset: when it begins to hold, in seconds from now.
    ///   - seconds: how long it holds.
    package func makeIdentity(
        for name: ServerName, from offset: Int64, lasting seconds: Int64
    ) throws(TLSError) -> TLSIdentity {
        let first = now + offset
        let draft = CertificateDraft(
            commonName: name.text, serial: random.octets(16), validity: first...(first + seconds),
            extensions: [.notAuthority, .signsHandshakes, .forServers, .host(name)])
        let key = try PrivateKey.make()
        return TLSIdentity(certificate: try draft.sign(for: key, by: authority), key: key)
    }

    /// An issuer with an authority that was made just now and that nobody can have heard of.
    package func stranger() throws(TLSError) -> CertificateIssuer {
        CertificateIssuer(
            authority: try .make(now: now, random: random, name: "unknown CA"), clock: clock, random: random)
    }

    private var now: Int64 { clock.now() / 1_000 }
}
