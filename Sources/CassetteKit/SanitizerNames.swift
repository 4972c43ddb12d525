/// Finds the rule for a name, ignoring case, `_`, `-`, `.` and spaces.
///
/// One pass from the name's end keeps a hash of what it has seen, so that endings (`newPassword`) cost no more than
/// whole names. Only hashes are kept: a name that collides would be hidden for nothing, which does no harm.
struct SanitizerNames: Sendable {
    private struct Entry: Sendable {
        /// The rule for the name as a whole.
        var exact: Int?
        /// The rule for names that end so.
        var suffix: Int?
    }

    private var entries: [UInt64: Entry] = [:]
    /// A bit for each hash that is in the table, by the hash's upper bits.
    private var filter = [UInt64](repeating: 0, count: 1024)

    /// Stands for the rule of names that are left alone.
    static let open = -1

    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let prime: UInt64 = 0x0000_0100_0000_01B3

    /// Adds a name, or an ending of names. The first rule to claim a name keeps it; a whole name beats an ending.
    mutating func add(_ name: String, rule: Int, isSuffix: Bool) {
        var hash = Self.seed
        for octet in name.utf8.reversed() {
            guard let folded = Self.fold(octet) else { continue }
            hash = (hash ^ UInt64(folded)) &* Self.prime
        }
        var entry = entries[hash] ?? Entry()
        if isSuffix {
            entry.suffix = entry.suffix ?? rule
        } else {
            entry.exact = entry.exact ?? rule
        }
        entries[hash] = entry
        let bit = Self.bit(hash)
        filter[bit >> 6] |= 1 << (bit & 63)
    }

    /// The rule for the name that stands at `range`; the part in the last brackets or behind the last dot counts as
    /// the name too (`user[password]`).
    func rule(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        guard !entries.isEmpty, let rule = claimed(octets, range), rule != Self.open else { return nil }
        return rule
    }

    private func claimed(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        var hash = Self.seed
        var suffix: Int?
        var at = range.upperBound
        if at > range.lowerBound, octets[at - 1] == UInt8(ascii: "]") { at -= 1 }
        let limit = max(range.lowerBound, at - Self.longest)
        while at > limit {
            at -= 1
            let octet = octets[at]
            if octet == UInt8(ascii: "[") || octet == UInt8(ascii: ".") {
                if let exact = entry(hash)?.exact { return exact }
                if octet == UInt8(ascii: "[") {
                    // `tokens[]`: the name stands before the empty brackets.
                    if hash == Self.seed { continue }
                    return suffix
                }
            }
            guard let folded = Self.fold(octet) else { continue }
            hash = (hash ^ UInt64(folded)) &* Self.prime
            if let found = entry(hash)?.suffix { suffix = found }
        }
        if at == range.lowerBound, let exact = entry(hash)?.exact { return exact }
        return suffix
    }

    /// Whether the name is one that is left alone.
    func isOpen(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        !entries.isEmpty && claimed(octets, range) == Self.open
    }

    func rule(_ name: [UInt8]) -> Int? {
        name.withUnsafeBufferPointer { rule($0, 0..<name.count) }
    }

    /// Longer names are looked at by their end alone.
    private static let longest = 128

    @inline(__always)
    private func entry(_ hash: UInt64) -> Entry? {
        let bit = Self.bit(hash)
        guard filter[bit >> 6] & (1 << (bit & 63)) != 0 else { return nil }
        return entries[hash]
    }

    @inline(__always)
    private static func bit(_ hash: UInt64) -> Int { Int((hash ^ hash >> 32) & 65_535) }

    /// A name as it is compared.
    static func folded(_ name: some Sequence<UInt8>) -> [UInt8] { name.compactMap(fold) }

    @inline(__always)
    private static func fold(_ octet: UInt8) -> UInt8? {
        switch octet {
        case 0x41...0x5A: octet | 0x20
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: " "): nil
        default: octet
        }
    }
}
