import HTTPCore

/// Text in UTF-16 (RFC 2781), as UTF-8 for the rules.
struct UTF16Text {
    let utf8: [UInt8]
    private let isBig: Bool
    private let hasMark: Bool

    /// nil unless a byte order mark, the type's charset or the first octets say so, and all of it is well-formed.
    init?(_ octets: [UInt8], _ type: MediaType?) {
        guard octets.count >= 4, octets.count % 2 == 0 else { return nil }
        let charset = type?.parameter("charset")?.lowercased()
        switch (octets[0], octets[1]) {
        case (0xFF, 0xFE): (isBig, hasMark) = (false, true)
        case (0xFE, 0xFF): (isBig, hasMark) = (true, true)
        case (let first, 0) where first > 0 && octets[3] == 0: (isBig, hasMark) = (false, false)
        case (0, let second) where second > 0 && octets[2] == 0: (isBig, hasMark) = (true, false)
        default:
            guard let charset, charset.hasPrefix("utf-16") else { return nil }
            (isBig, hasMark) = (charset != "utf-16le", false)
        }
        var units: [UInt16] = []
        units.reserveCapacity(octets.count / 2)
        for at in stride(from: hasMark ? 2 : 0, to: octets.count, by: 2) {
            let (high, low) = isBig ? (octets[at], octets[at + 1]) : (octets[at + 1], octets[at])
            units.append(UInt16(high) << 8 | UInt16(low))
        }
        var utf8: [UInt8] = []
        utf8.reserveCapacity(units.count * 2)
        guard
            !transcode(
                units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true, into: { utf8.append($0) })
        else { return nil }
        self.utf8 = utf8
    }

    /// Text in the order that this one has, with a mark if it has one.
    func encoded(_ utf8: [UInt8]) -> [UInt8] {
        var octets: [UInt8] = hasMark ? (isBig ? [0xFE, 0xFF] : [0xFF, 0xFE]) : []
        for unit in String(decoding: utf8, as: UTF8.self).utf16 {
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            octets += isBig ? [high, low] : [low, high]
        }
        return octets
    }
}
