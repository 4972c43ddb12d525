/// What shows by its form that it is personal: e-mail addresses, card numbers, telephone and bank account numbers.
///
/// Each is read by hand around one octet that it must have, within a fixed distance.
package enum SecretPattern: String, Sendable, CaseIterable {
    case email = "email-addresses"
    case card = "card-numbers"
    case phone = "phone-numbers"
    case iban = "ibans"

    typealias Octets = UnsafeBufferPointer<UInt8>

    /// Its place among all, for tables.
    var place: Int {
        switch self {
        case .email: 0
        case .card: 1
        case .phone: 2
        case .iban: 3
        }
    }

    /// Ends of file names, which `logo@2x.png` is, and no domains.
    private static let fileEndings: Set<String> = [
        "png", "jpg", "jpeg", "gif", "svg", "webp", "pdf", "css", "js", "mjs", "json", "html", "avif", "ico", "ts",
    ]
    /// Domains for documentation and tests, in which nobody lives (RFC 2606), and what stands for hidden ones.
    private static let openDomains = ["example", "test", "invalid", "localhost", "local"]
    private static let openNames: Set<String> = ["example.com", "example.org", "example.net"]

    /// The address around the `@` at `sign`, which begins at `after` at the earliest; nil if it is none.
    static func email(_ octets: Octets, at sign: Int, _ range: Range<Int>, after: Int) -> Range<Int>? {
        var lower = sign
        let first = max(range.lowerBound, after, sign - 65)
        while lower > first, isLocal(octets[lower - 1]) { lower -= 1 }
        var upper = sign + 1
        let last = min(range.upperBound, sign + 255)
        while upper < last, isDomain(octets[upper]) { upper += 1 }
        while upper > sign, octets[upper - 1] == UInt8(ascii: ".") || octets[upper - 1] == UInt8(ascii: "-") {
            upper -= 1
        }
        guard (1...64).contains(sign - lower), upper - sign > 4, octets[sign + 1] != UInt8(ascii: "."),
            !SecretPlaceholder.isIn(octets, lower..<sign), isLivedIn(octets, (sign + 1)..<upper),
            !(sign - lower == 3 && octets[lower..<sign].elementsEqual("git".utf8))
        else { return nil }
        return lower..<upper
    }

    private static func isLivedIn(_ octets: Octets, _ domain: Range<Int>) -> Bool {
        let labels = octets[domain].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, let top = labels.last, (2...24).contains(top.count),
            top.allSatisfy({ ($0 | 0x20) &- 0x61 < 26 }), !labels.contains(where: \.isEmpty)
        else { return false }
        let ending = String(decoding: top, as: UTF8.self).lowercased()
        let name = labels.suffix(2).map { String(decoding: $0, as: UTF8.self).lowercased() }.joined(separator: ".")
        return !fileEndings.contains(ending) && !openDomains.contains(ending) && !openNames.contains(name)
    }

    @inline(__always)
    private static func isLocal(_ octet: UInt8) -> Bool {
        SecretPlaceholder.isNameOctet(octet) || octet == UInt8(ascii: "+")
    }

    @inline(__always)
    private static func isDomain(_ octet: UInt8) -> Bool {
        SecretPlaceholder.isNameOctet(octet) && octet != UInt8(ascii: "_")
    }

    /// The end of the card number that begins at `start`: 14 to 16 digits of a known issuer, with a hyphen or space
    /// between groups or without, whose last digit checks the others (ISO/IEC 7812-1).
    static func card(_ octets: Octets, _ start: Int, _ end: Int) -> Int? {
        guard (0x33...0x36).contains(octets[start]) || octets[start] == 0x32 else { return nil }
        var digits: [UInt8] = []
        var at = start
        var upper = start
        while at < end, digits.count <= 16 {
            let octet = octets[at]
            if octet &- 0x30 < 10 {
                digits.append(octet - 0x30)
                upper = at + 1
            } else if octet != 0x20 && octet != UInt8(ascii: "-") || at + 1 >= end || octets[at + 1] &- 0x30 >= 10
                || digits.count < 4
            {
                break
            }
            at += 1
        }
        guard upper == end || !isWord(octets[upper]), isIssued(digits), isChecked(digits) else { return nil }
        return upper
    }

    private static func isIssued(_ digits: [UInt8]) -> Bool {
        guard digits.count >= 14 else { return false }
        let head = digits.prefix(4).reduce(0) { $0 * 10 + Int($1) }
        switch digits.count {
        case 14: return (3000...3059).contains(head) || (3600...3699).contains(head) || (3800...3899).contains(head)
        case 15: return (3400...3499).contains(head) || (3700...3799).contains(head)
        case 16:
            return (4000...4999).contains(head) || (5100...5599).contains(head) || (2221...2720).contains(head)
                || head == 6011 || (6200...6299).contains(head) || (6440...6599).contains(head)
                || (3528...3589).contains(head)
        default: return false
        }
    }

    /// The check of Luhn.
    static func isChecked(_ digits: [UInt8]) -> Bool {
        var sum = 0
        for (index, digit) in digits.reversed().enumerated() {
            let value = index % 2 == 1 ? Int(digit) * 2 : Int(digit)
            sum += value > 9 ? value - 9 : value
        }
        return sum % 10 == 0
    }

    /// The end of the international telephone number whose `+` is at `start`: 8 to 15 digits (ITU-T E.164), with spaces,
    /// hyphens, dots and brackets between.
    static func phone(_ octets: Octets, _ start: Int, _ end: Int) -> Int? {
        var digits = 0
        var at = start + 1
        var upper = at
        guard at < end, octets[at] &- 0x31 < 9 else { return nil }
        while at < end, digits <= 15, at - start < 32 {
            switch octets[at] {
            case 0x30...0x39:
                digits += 1
                upper = at + 1
            case 0x20, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "/"):
                break
            default: return (8...15).contains(digits) && !isWord(octets[upper]) ? upper : nil
            }
            at += 1
        }
        return (8...15).contains(digits) ? upper : nil
    }

    /// The end of the bank account number that begins at `start`: two letters, two digits, up to 30 more, with spaces
    /// between groups of four or without, whose check is right (ISO 13616).
    static func iban(_ octets: Octets, _ start: Int, _ end: Int) -> Int? {
        guard start + 15 <= end, octets[start] &- 0x41 < 26, octets[start + 1] &- 0x41 < 26,
            octets[start + 2] &- 0x30 < 10, octets[start + 3] &- 0x30 < 10
        else { return nil }
        var text: [UInt8] = []
        var at = start
        var found: Int?
        while at < end, text.count < 34 {
            if octets[at] == 0x20, text.count % 4 == 0 {
                at += 1
                continue
            }
            guard octets[at] &- 0x30 < 10 || octets[at] &- 0x41 < 26 else { break }
            text.append(octets[at])
            at += 1
            let isEnd = at == end || !isWord(octets[at])
            if text.count >= 15, isEnd, remainder(text) == 1 { found = at }
        }
        return found
    }

    /// The first four characters go to the end, letters count 10 to 35; of that number the remainder by 97.
    private static func remainder(_ text: [UInt8]) -> Int {
        var value = 0
        for octet in text[4...] + text[..<4] {
            let digit = octet &- 0x30 < 10 ? Int(octet - 0x30) : Int(octet - 0x41) + 10
            value = (value * (digit > 9 ? 100 : 10) + digit) % 97
        }
        return value
    }

    @inline(__always)
    private static func isWord(_ octet: UInt8) -> Bool {
        octet &- 0x30 < 10 || (octet | 0x20) &- 0x61 < 26
    }
}
