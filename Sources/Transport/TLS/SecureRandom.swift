import COpenSSL
package import HTTPCore

/// Octets that nobody can guess, handed to whoever needs them; keys come from OpenSSL's own source.
package struct SecureRandom: Sendable {
    /// So many octets.
    package var octets: @Sendable (_ count: Int) -> Bytes

    package init(octets: @escaping @Sendable (_ count: Int) -> Bytes) { self.octets = octets }

    /// OpenSSL's generator, seeded by the system (`RAND_bytes(3)`).
    package static let system = SecureRandom { count in
        var octets = Bytes(repeating: 0, count: count)
        let code = octets.withUnsafeMutableBufferPointer { RAND_bytes($0.baseAddress, Int32($0.count)) }
        precondition(code == 1, "the system gives no random octets")
        return octets
    }
}
