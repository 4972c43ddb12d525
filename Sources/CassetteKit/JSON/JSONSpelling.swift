/// Decoding and spelling of JSON string contents (RFC 8259 §7).
enum JSONSpelling {
    /// Decodes a checked spelling to octets; lone surrogates take their three-octet form.
    static func decode(_ raw: String) -> [UInt8] {
        let source = Array(raw.utf8)
        var result = [UInt8]()
        result.reserveCapacity(source.count)
        var at = 0
        while at < source.count {
            guard source[at] == UInt8(ascii: "\\"), at + 1 < source.count else {
                result.append(source[at])
                at += 1
                continue
            }
            guard source[at + 1] == UInt8(ascii: "u") else {
                result.append(unescape(source[at + 1]))
                at += 2
                continue
            }
            var scalar = hexUnit(source, at + 2)
            at += 6
            if (0xD800..<0xDC00).contains(scalar), at + 5 < source.count, source[at] == UInt8(ascii: "\\"),
                source[at + 1] == UInt8(ascii: "u")
            {
                let low = hexUnit(source, at + 2)
                if (0xDC00..<0xE000).contains(low) {
                    scalar = 0x10000 + ((scalar - 0xD800) << 10) + (low - 0xDC00)
                    at += 6
                }
            }
            appendUTF8(scalar, to: &result)
        }
        return result
    }

    /// Spells a text: what must be escaped is, and so is what a reviewer could not see.
    static func spell(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: needsEscape) else { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            guard needsEscape(scalar) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result
    }

    /// Control characters, quotation mark and backslash, and the invisible ones that reorder or break lines: all are in
    /// the basic plane, so one escape suffices.
    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20, 0x21, 0x23...0x5B, 0x5D...0x7E: false
        case 0x00...0x9F: true
        case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }

    private static func unescape(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    private static func hexUnit(_ source: [UInt8], _ from: Int) -> UInt32 {
        var value: UInt32 = 0
        for octet in source[min(from, source.count)..<min(from + 4, source.count)] {
            value = value << 4 | UInt32(hexDigit(octet) ?? 0)
        }
        return value
    }

    /// Appends a scalar as UTF-8; a lone surrogate is written the same way, so that it equals no other string.
    static func appendUTF8(_ scalar: UInt32, to result: inout [UInt8]) {
        switch scalar {
        case 0..<0x80:
            result.append(UInt8(scalar))
        case 0x80..<0x800:
            result.append(UInt8(0xC0 | scalar >> 6))
            result.append(UInt8(0x80 | scalar & 0x3F))
        case 0x800..<0x10000:
            result.append(UInt8(0xE0 | scalar >> 12))
            result.append(UInt8(0x80 | scalar >> 6 & 0x3F))
            result.append(UInt8(0x80 | scalar & 0x3F))
        default:
            result.append(UInt8(0xF0 | scalar >> 18))
            result.append(UInt8(0x80 | scalar >> 12 & 0x3F))
            result.append(UInt8(0x80 | scalar >> 6 & 0x3F))
            result.append(UInt8(0x80 | scalar & 0x3F))
        }
    }
}

/// The value of a hexadecimal digit of either case; nil for any other octet.
@inline(__always)
func hexDigit(_ octet: UInt8) -> UInt8? {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): octet - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): octet - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): octet - UInt8(ascii: "A") + 10
    default: nil
    }
}
