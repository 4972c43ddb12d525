/// A set of octets in four words, so that a test is a shift and a mask.
struct SanitizerOctetSet: Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(_ octets: some Sequence<UInt8>) {
        for octet in octets {
            let bit: UInt64 = 1 << UInt64(octet & 63)
            switch octet >> 6 {
            case 0: words.0 |= bit
            case 1: words.1 |= bit
            case 2: words.2 |= bit
            default: words.3 |= bit
            }
        }
    }

    @inline(__always)
    func contains(_ octet: UInt8) -> Bool {
        let word = octet < 128 ? (octet < 64 ? words.0 : words.1) : (octet < 192 ? words.2 : words.3)
        return word &>> UInt64(octet & 63) & 1 != 0
    }
}
