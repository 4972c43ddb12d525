package import HTTPCore

/// Content codings as the cassette needs them; the composition root fills them in.
package struct ContentCodecs: Sendable {
    /// Decodes exactly one well-formed stream; nil for an unknown coding and for anything else (RFC 9110 §8.4.1).
    package var decode: @Sendable (_ coding: String, _ octets: Bytes) -> Bytes?
    /// Applies a coding; nil for an unknown one.
    package var encode: @Sendable (_ coding: String, _ octets: Bytes) -> Bytes?

    /// Reads what can be read of octets that `decode` refuses, and says whether that is all of them; nil where nothing can.
    package var salvage: @Sendable (_ coding: String, _ octets: Bytes) -> (octets: Bytes, isWhole: Bool)?

    /// Begins to apply a coding to octets that come in pieces; nil for an unknown one. What it gives takes the next piece, and
    /// whether that is the last, and gives what is coded so far; nil where that fails.
    package var encoder: @Sendable (_ coding: String) -> Encoder?

    package typealias Encoder = @Sendable (_ piece: Bytes, _ isLast: Bool) -> Bytes?

    package init(
        decode: @Sendable @escaping (_ coding: String, _ octets: Bytes) -> Bytes?,
        encode: @Sendable @escaping (_ coding: String, _ octets: Bytes) -> Bytes?,
        salvage: @Sendable @escaping (_ coding: String, _ octets: Bytes) -> (octets: Bytes, isWhole: Bool)? = { _, _ in
            nil
        },
        encoder: @Sendable @escaping (_ coding: String) -> Encoder? = { _ in nil }
    ) {
        self.decode = decode
        self.encode = encode
        self.salvage = salvage
        self.encoder = encoder
    }

    /// Knows no coding: every coded body is kept as its octets.
    package static let none = ContentCodecs(decode: { _, _ in nil }, encode: { _, _ in nil })
}
