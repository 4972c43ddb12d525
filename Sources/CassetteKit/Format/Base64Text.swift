/// Base64 with the standard alphabet and padding (RFC 4648 §4).
package enum Base64Text {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    static func encode(_ octets: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((octets.count + 2) / 3 * 4)
        for start in stride(from: 0, to: octets.count, by: 3) {
            let count = min(3, octets.count - start)
            var group: UInt32 = 0
            for index in 0..<3 { group = group << 8 | (index < count ? UInt32(octets[start + index]) : 0) }
            for index in 0..<4 {
                result.append(index <= count ? alphabet[Int(group >> (18 - 6 * UInt32(index)) & 0x3F)] : padding)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Decodes; nil for any other letter, wrong padding, and bits beyond the last octet, so that no two texts mean the
    /// same octets.
    package static func decode(_ text: String) -> [UInt8]? {
        let letters = Array(text.utf8)
        guard letters.count % 4 == 0 else { return nil }
        let padded = letters.reversed().prefix(2).prefix { $0 == padding }.count
        var result: [UInt8] = []
        result.reserveCapacity(letters.count / 4 * 3)
        var bits: UInt32 = 0
        for index in 0..<letters.count - padded {
            let value = values[Int(letters[index])]
            guard value != 0xFF else { return nil }
            bits = bits << 6 | UInt32(value)
            if index % 4 == 3 {
                result.append(UInt8(bits >> 16 & 0xFF))
                result.append(UInt8(bits >> 8 & 0xFF))
                result.append(UInt8(bits & 0xFF))
            }
        }
        switch padded {
        case 1:
            guard bits & 0x3 == 0 else { return nil }
            result.append(UInt8(bits >> 10 & 0xFF))
            result.append(UInt8(bits >> 2 & 0xFF))
        case 2:
            guard bits & 0xF == 0 else { return nil }
            result.append(UInt8(bits >> 4 & 0xFF))
        default: break
        }
        return result
    }
}
