/// How a replacement is written where octets are escaped. Placeholders need no escape anywhere; other texts may.
extension SanitizerView {
    static func spelled(_ edit: SanitizerEdit, _ escapes: Escapes) -> SanitizerEdit {
        var edit = edit
        edit.replacement = spelled(edit.replacement, escapes)
        return edit
    }

    static func spelled(_ text: [UInt8], _ escapes: Escapes) -> [UInt8] {
        guard text.contains(where: { isSpecial($0, escapes) }) else { return text }
        var spelled: [UInt8] = []
        spelled.reserveCapacity(text.count + 16)
        for octet in text {
            if isSpecial(octet, escapes) { spelled += escape(octet, escapes) } else { spelled.append(octet) }
        }
        return spelled
    }

    private static func isSpecial(_ octet: UInt8, _ escapes: Escapes) -> Bool {
        switch escapes {
        case .json: return octet < 0x20 || octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "\\")
        case .html: return "&<>\"".utf8.contains(octet)
        case .percent, .percentAndPlus: return octet <= 0x20 || octet >= 0x7F || "%&+#?\"<>".utf8.contains(octet)
        }
    }

    private static func escape(_ octet: UInt8, _ escapes: Escapes) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        let (high, low) = (digits[Int(octet >> 4)], digits[Int(octet & 15)])
        switch escapes {
        case .json where octet >= 0x20: return [UInt8(ascii: "\\"), octet]
        case .json: return Array("\\u00".utf8) + [high, low]
        case .html: return Array("&#x".utf8) + [high, low, UInt8(ascii: ";")]
        case .percent, .percentAndPlus: return [UInt8(ascii: "%"), high, low]
        }
    }
}
