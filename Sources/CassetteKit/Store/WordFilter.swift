/// Hashes of words as bits, two for each: what was put in is found, and sometimes what was not.
struct WordFilter: Sendable {
    private var bits: [UInt64]
    private let mask: Int

    /// For the words of a text of so many octets; takes a quarter of that to a half.
    init(octets: Int) {
        var count = 1_024
        while count < octets * 2 { count *= 2 }
        bits = [UInt64](repeating: 0, count: count / 64)
        mask = count - 1
    }

    mutating func insert(_ word: UInt64) {
        let (one, other) = places(word)
        bits[one >> 6] |= 1 << UInt64(one & 63)
        bits[other >> 6] |= 1 << UInt64(other & 63)
    }

    func contains(_ word: UInt64) -> Bool {
        let (one, other) = places(word)
        return bits[one >> 6] & 1 << UInt64(one & 63) != 0 && bits[other >> 6] & 1 << UInt64(other & 63) != 0
    }

    private func places(_ word: UInt64) -> (Int, Int) {
        let mixed = word &* 0x9E37_79B9_7F4A_7C15
        return (Int(truncatingIfNeeded: mixed >> 32) & mask, Int(truncatingIfNeeded: mixed ^ word >> 17) & mask)
    }
}
