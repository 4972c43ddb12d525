/// The spellings under which a literal secret is searched for. Percent, JSON and HTML escapes are undone in the text
/// instead, whatever their mixture; here is what can't be undone in place: Base64.
enum SecretSpellings {
    /// Shorter literals would be found in everything.
    static let minimum = 4

    /// An index over the literals that are long enough.
    static func index(of literals: [String]) -> SecretIndex {
        let usable = literals.map { Array($0.utf8) }.filter { $0.count >= minimum }
        let window = usable.map(\.count).min() ?? 8
        var index = SecretIndex(window: window)
        let placeholder = Array(SecretPlaceholder.text("literal").utf8)
        for literal in usable { index.add(literal, replacement: placeholder) }
        for literal in usable { addBase64(literal, to: &index, minimum: max(window, 6)) }
        return index
    }

    /// Adds a known secret in all spellings that can't be undone in place.
    static func add(_ secret: [UInt8], replacement: [UInt8], to index: inout SecretIndex) {
        index.add(secret, replacement: replacement)
        addBase64(secret, to: &index, minimum: SecretLedger.trackedLength)
    }

    private static func addBase64(_ secret: [UInt8], to index: inout SecretIndex, minimum: Int) {
        for spelling in base64(secret) where spelling.count >= minimum {
            index.add(spelling, replacement: filler(spelling.count), isFiller: true)
        }
    }

    /// The characters that stand for the secret whatever stands before and behind it, at each of three alignments, in
    /// both alphabets (RFC 4648 §4, §5).
    static func base64(_ secret: [UInt8]) -> [[UInt8]] {
        var spellings: [[UInt8]] = []
        for shift in 0..<3 {
            let padded = [UInt8](repeating: 0, count: shift) + secret
            let encoded = Base64.encode(padded, isURL: false)
            // The first characters hold bits of what stands before, the last one bits of what stands behind.
            let first = (shift * 8 + 5) / 6
            let last = padded.count * 8 / 6
            guard last > first else { continue }
            let plain = Array(encoded[first..<last])
            spellings.append(plain)
            let url = plain.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? 0x5F : $0 }
            if url != plain { spellings.append(url) }
        }
        return spellings
    }

    /// Base64 characters to stand in the place of others.
    private static func filler(_ count: Int) -> [UInt8] {
        let word = Array("REDACTED".utf8)
        return (0..<count).map { word[$0 % word.count] }
    }
}

/// Base64 (RFC 4648), both alphabets.
enum Base64 {
    private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let url = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// With `isURL` in the URL-safe alphabet; `pads` to a multiple of four characters.
    static func encode(_ octets: [UInt8], isURL: Bool, pads: Bool = true) -> [UInt8] {
        let alphabet = isURL ? url : standard
        var out: [UInt8] = []
        out.reserveCapacity(octets.count / 3 * 4 + 4)
        var at = 0
        while at < octets.count {
            let left = octets.count - at
            let group =
                UInt32(octets[at]) << 16 | (left > 1 ? UInt32(octets[at + 1]) << 8 : 0)
                | (left > 2 ? UInt32(octets[at + 2]) : 0)
            for position in 0..<4 {
                if position <= left {
                    out.append(alphabet[Int(group >> (18 - UInt32(position) * 6) & 63)])
                } else if pads {
                    out.append(UInt8(ascii: "="))
                }
            }
            at += 3
        }
        return out
    }

    /// Decodes text of either alphabet, padded or not; nil for anything else.
    static func decode(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> [UInt8]? {
        var end = range.upperBound
        while end > range.lowerBound, range.upperBound - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        guard (end - range.lowerBound) % 4 != 1 else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(range.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for at in range.lowerBound..<end {
            guard let value = value(text[at]) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                out.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return out
    }

    @inline(__always)
    private static func value(_ octet: UInt8) -> UInt32? {
        switch octet {
        case 0x41...0x5A: UInt32(octet) - 0x41
        case 0x61...0x7A: UInt32(octet) - 0x47
        case 0x30...0x39: UInt32(octet) + 4
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
