import Codecs

/// Looks for secrets in octets as they are and after undoing Base64, gzip, percent, JSON and HTML escapes, in turn and within each
/// other. Leans on nothing of the code under test but the content codings.
package struct SecretSearch: Sendable {
    package let secrets: [[UInt8]]
    /// The secrets by their first four octets, and a bit for each of those.
    private var byStart: [UInt32: [Int]] = [:]
    private var filter = [Bool](repeating: false, count: 1 << 16)

    package init(_ secrets: [String]) {
        self.secrets = secrets.map { Array($0.utf8) }
        for (index, secret) in self.secrets.enumerated() where secret.count >= 4 {
            let start = secret.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
            byStart[start, default: []].append(index)
            filter[Self.slot(start)] = true
        }
    }

    private static func slot(_ start: UInt32) -> Int { Int((start ^ start >> 16) & 0xFFFF) }

    /// The secrets that stand in the octets, in some spelling.
    package func found(in octets: [UInt8]) -> Set<String> {
        var found: Set<Int> = []
        for view in Self.views(octets, depth: 0) {
            view.withUnsafeBufferPointer { text in
                var window: UInt32 = 0
                for at in 0..<text.count {
                    window = window << 8 | UInt32(text[at])
                    guard at >= 3, filter[Self.slot(window)], let candidates = byStart[window] else { continue }
                    for index in candidates where text[(at - 3)...].starts(with: secrets[index]) { found.insert(index) }
                }
            }
        }
        return Set(found.map { String(decoding: secrets[$0], as: UTF8.self) })
    }

    private static func views(_ octets: [UInt8], depth: Int) -> [[UInt8]] {
        var views = [octets]
        if octets.starts(with: [0x1F, 0x8B]), let plain = try? decodeContent(octets, .gzip) {
            views += self.views(plain, depth: depth + 1)
        }
        // UTF-16 without its upper halves.
        if octets.contains(0) { views.append(octets.filter { $0 != 0 }) }
        for undo in [unescaped, percentDecoded, withoutReferences] {
            let view = undo(octets)
            if view.count != octets.count { views.append(view) }
        }
        guard depth < 3 else { return views }
        for view in views {
            for decoded in decodedRuns(view) { views += self.views(decoded, depth: depth + 1) }
        }
        return views
    }

    /// What each run of Base64 characters decodes to, at every alignment.
    private static func decodedRuns(_ octets: [UInt8]) -> [[UInt8]] {
        var decoded: [[UInt8]] = []
        var at = 0
        while at < octets.count {
            var end = at
            while end < octets.count, base64Value(octets[end]) != nil { end += 1 }
            if end - at >= 12 {
                for shift in 0..<4 { decoded.append(base64Decoded(octets[(at + shift)..<end])) }
            }
            at = max(end, at + 1)
        }
        return decoded
    }

    // MARK: Escapes

    private static func unescaped(_ octets: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var at = 0
        while at < octets.count {
            guard octets[at] == UInt8(ascii: "\\"), at + 1 < octets.count else {
                plain.append(octets[at])
                at += 1
                continue
            }
            let digits = octets[min(at + 2, octets.count)..<min(at + 6, octets.count)]
            if octets[at + 1] == UInt8(ascii: "u"), digits.count == 4,
                let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16), let scalar = Unicode.Scalar(unit)
            {
                plain += Array(String(Character(scalar)).utf8)
                at += 6
            } else {
                plain.append(octets[at + 1])
                at += 2
            }
        }
        return plain
    }

    private static func percentDecoded(_ octets: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var at = 0
        while at < octets.count {
            if octets[at] == UInt8(ascii: "%"), at + 2 < octets.count,
                let value = UInt8(String(decoding: octets[(at + 1)...(at + 2)], as: UTF8.self), radix: 16)
            {
                plain.append(value)
                at += 3
            } else {
                plain.append(octets[at])
                at += 1
            }
        }
        return plain
    }

    private static func withoutReferences(_ octets: [UInt8]) -> [UInt8] {
        guard octets.contains(UInt8(ascii: "&")) else { return octets }
        var text = String(decoding: octets, as: UTF8.self)
        for (name, plain) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
            text = text.replacing(name, with: plain)
        }
        return Array(text.utf8)
    }
}

/// Base64 of text, with the characters of either alphabet (RFC 4648 §4, §5), padded.
package func base64Encoded(_ octets: [UInt8], isURL: Bool = false) -> String {
    let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(isURL ? "-_" : "+/")".utf8)
    var encoded: [UInt8] = []
    for start in stride(from: 0, to: octets.count, by: 3) {
        let group = octets[start..<min(start + 3, octets.count)]
        let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
        for position in 0..<4 {
            let isFilled = position <= group.count
            encoded.append(isFilled ? alphabet[Int(bits >> UInt32(18 - 6 * position) & 63)] : UInt8(ascii: "="))
        }
    }
    return String(decoding: encoded, as: UTF8.self)
}

/// The octets of Base64 text of either alphabet; what is no character of it is passed over.
package func base64Decoded(_ text: some Sequence<UInt8>) -> [UInt8] {
    var octets: [UInt8] = []
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for octet in text {
        guard let value = base64Value(octet) else { continue }
        bits = bits << 6 | value
        count += 6
        if count >= 8 {
            count -= 8
            octets.append(UInt8(truncatingIfNeeded: bits >> count))
        }
    }
    return octets
}

func base64Value(_ octet: UInt8) -> UInt32? {
    switch octet {
    case 0x41...0x5A: UInt32(octet) - 0x41
    case 0x61...0x7A: UInt32(octet) - 0x47
    case 0x30...0x39: UInt32(octet) + 4
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
}
