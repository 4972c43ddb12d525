import HTTPCore

/// The few forms of DER that certificate extensions are made of (X.690 §8, §10).
///
/// They are written here rather than from OpenSSL's configuration texts, in which a client's server name could add an entry of its
/// own.
enum DER {
    /// A tag with its contents.
    static func element(_ tag: UInt8, _ contents: Bytes) -> Bytes { [tag] + length(contents.count) + contents }

    static func sequence(_ parts: [Bytes]) -> Bytes { element(0x30, parts.flatMap { $0 }) }

    static func octetString(_ octets: Bytes) -> Bytes { element(0x04, octets) }

    static let isTrue: Bytes = [0x01, 0x01, 0xFF]

    /// A string of bits whose last `unused` ones do not count.
    static func bits(_ octet: UInt8, unused: UInt8) -> Bytes { element(0x03, [unused, octet]) }

    /// An object identifier by its encoded contents.
    static func identifier(_ contents: Bytes) -> Bytes { element(0x06, contents) }

    private static func length(_ count: Int) -> Bytes {
        if count < 0x80 { return [UInt8(count)] }
        var octets: Bytes = []
        var rest = count
        while rest > 0 {
            octets.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(octets.count)] + octets
    }
}
