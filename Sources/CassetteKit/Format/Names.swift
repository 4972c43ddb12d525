package import HTTPCore

/// Names of files in a cassette: `a-z 0-9 . - _`, told apart without case, no folder.
package enum Names {
    /// The greatest length of a stem, so that digits, a six-digit ordinal and `.json` keep a name within 120 octets.
    static let stemLimit = 100

    /// The part of a name that is for people: method, path, and the operation's name where there is one.
    ///
    /// - Parameters:
    ///   - target: Path and query, or `*`; the query takes no part.
    ///   - operation: The name of a GraphQL operation.
    package static func stem(method: String, target: Bytes, operation: String? = nil) -> String {
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        var words = Bytes()
        append(method.utf8, to: &words)
        append(percentDecode(path, plusIsSpace: false), to: &words)
        if let operation { append(operation.utf8, to: &words) }
        let full = String(decoding: words.isEmpty ? Bytes("request".utf8) : words, as: UTF8.self)
        guard words.count > stemLimit else { return full }
        let digest = hex(SHA256.digest(words).prefix(4))
        return trimmed(full.prefix(stemLimit - digest.count - 1)) + "-" + digest
    }

    /// The name of an interaction's file.
    static func interaction(stem: String, digits: String, ordinal: Int) -> String {
        "\(stem).\(digits).\(ordinal).json"
    }

    /// The name of a body's file: the interaction's, eight digits of the body's own hash, an extension.
    static func body(of interaction: String, octets: Bytes, fileExtension: String) -> String {
        let stem = interaction.hasSuffix(".json") ? String(interaction.dropLast(5)) : interaction
        return "\(stem).\(hex(SHA256.digest(octets).prefix(4))).\(fileExtension)"
    }

    /// The ordinal in an interaction's name, which is the last part before `.json`; 1 where there is none.
    package static func ordinal(of name: String) -> Int {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return 1 }
        let digits = parts[parts.count - 2]
        guard (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return 1 }
        return max(1, digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }

    /// An interaction's name without ordinal and `.json`, in lower case: what equal requests share.
    static func family(of name: String) -> String {
        var parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        if parts.last == "json" { parts.removeLast() }
        if parts.count > 1, let last = parts.last, last.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            parts.removeLast()
        }
        return parts.joined(separator: ".")
    }

    /// Whether a name may be that of a body's file.
    static func isBodyName(_ name: String) -> Bool {
        (1...200).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ".") && !name.hasSuffix(".json")
            && name.utf8.allSatisfy(isAllowed)
    }

    /// Lower-case hexadecimal digits.
    static func hex(_ octets: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: octets.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
    }

    private static func isAllowed(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Adds words in lower case; every run of other octets becomes one hyphen between words, and no word begins or ends
    /// with a dot or hyphen.
    private static func append(_ text: some Sequence<UInt8>, to words: inout Bytes) {
        var gap = true
        for octet in text {
            let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet) ? octet | 0x20 : octet
            let isSeparator = lower == UInt8(ascii: "-") || lower == UInt8(ascii: ".") && (gap || words.isEmpty)
            guard isAllowed(lower), !isSeparator else {
                gap = true
                continue
            }
            if gap, !words.isEmpty { words.append(UInt8(ascii: "-")) }
            gap = false
            words.append(lower)
        }
        while words.last == UInt8(ascii: ".") { words.removeLast() }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let last = text.last, last == "-" || last == "." { text.removeLast() }
        return String(text)
    }
}
