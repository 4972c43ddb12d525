/// Looks for what may be a secret in octets that are to be written or have been, with detectors of its own: known shapes
/// wherever they stand, credentials behind a scheme's word, passwords in URLs, and random text beside a telling name.
///
/// Knows nothing of rules, so that it finds what they miss. Time grows with the text.
package struct SecretScanner: Sendable {
    package struct Finding: Sendable, Equatable {
        /// Names the detector: a shape's id, `bearer`, `userinfo` or `random-text`.
        package var detector: String
        /// Where the secret stands among the octets.
        package var range: Range<Int>
    }

    typealias Octets = UnsafeBufferPointer<UInt8>

    /// Shapes that are not looked for, because a user switched their rule off.
    private let leaves: Set<String>

    package init(leaving: Set<String> = []) {
        leaves = leaving
    }

    /// What may be secret, left to right and apart.
    ///
    /// - Parameter name: the name under which the octets stand, where they are a value.
    package func findings(_ octets: [UInt8], name: String? = nil) -> [Finding] {
        octets.withUnsafeBufferPointer { findings($0, 0..<$0.count, name: name.map { Array($0.utf8) }) }
    }

    func findings(_ octets: Octets, _ range: Range<Int>, name: [UInt8]?) -> [Finding] {
        var found: [Finding] = []
        var at = range.lowerBound
        while at < range.upperBound {
            let octet = octets[at]
            if octet == UInt8(ascii: ":") {
                if let finding = userinfo(octets, at, range) {
                    found.append(finding)
                    at = finding.range.upperBound
                } else {
                    at += 1
                }
            } else if Self.isToken(octet) {
                at = token(octets, at, range, name, &found)
            } else {
                at += 1
            }
        }
        return found
    }

    /// Looks at the run of characters that tokens are made of, and gives the offset to go on from.
    private func token(
        _ octets: Octets, _ start: Int, _ range: Range<Int>, _ name: [UInt8]?, _ found: inout [Finding]
    ) -> Int {
        var end = start
        var isBoundary = true
        while end < range.upperBound, Self.isToken(octets[end]) {
            let octet = octets[end]
            if SecretPlaceholder.isStart(octet), SecretPlaceholder.begins(octets, end..<range.upperBound) {
                return SecretPlaceholder.end(octets, end, range.upperBound)
            }
            if isBoundary, SecretShape.starts.contains(octet),
                let match = SecretShape.match(octets, end, range.upperBound), !leaves.contains(match.shape.rawValue)
            {
                found.append(Finding(detector: match.shape.rawValue, range: end..<match.end))
                return match.end
            }
            isBoundary = !Self.isAlphanumeric(octet)
            end += 1
        }
        let word = start..<end
        if isBehindScheme(octets, word, range) {
            found.append(Finding(detector: "bearer", range: word))
        } else if word.count >= Self.randomMinimum, Self.isRandom(octets, word),
            isTelling(octets, word, range, name)
        {
            found.append(Finding(detector: "random-text", range: word))
        }
        return max(end, start + 1)
    }

    // MARK: Credentials

    private static let schemes = ["bearer ", "basic "].map { Array($0.utf8) }

    /// Whether `Bearer` or `Basic` and a space stand before a word with a digit that is long enough.
    private func isBehindScheme(_ octets: Octets, _ word: Range<Int>, _ range: Range<Int>) -> Bool {
        guard word.count >= 16, !leaves.contains("authorization"),
            octets[word].contains(where: { $0 &- 0x30 < 10 })
        else { return false }
        return Self.schemes.contains { scheme in
            let start = word.lowerBound - scheme.count
            guard start >= range.lowerBound else { return false }
            for offset in scheme.indices where octets[start + offset] | 0x20 != scheme[offset] | 0x20 { return false }
            return true
        }
    }

    /// A password before a URL's host; `colon` stands before two slashes.
    private func userinfo(_ octets: Octets, _ colon: Int, _ range: Range<Int>) -> Finding? {
        let start = colon + 3
        guard start < range.upperBound, octets[colon + 1] == UInt8(ascii: "/"), octets[colon + 2] == UInt8(ascii: "/"),
            !leaves.contains("userinfo")
        else { return nil }
        var at = start
        var password: Int?
        while at < range.upperBound, at - start < 512,
            Self.isToken(octets[at]) || octets[at] == UInt8(ascii: ":")
                || octets[at] == UInt8(ascii: "%") || octets[at] == UInt8(ascii: "!")
        {
            if octets[at] == UInt8(ascii: "/") { return nil }
            if password == nil, octets[at] == UInt8(ascii: ":") { password = at + 1 }
            at += 1
        }
        guard let password, at > password, at < range.upperBound, octets[at] == UInt8(ascii: "@"),
            !SecretPlaceholder.begins(octets, password..<at)
        else { return nil }
        return Finding(detector: "userinfo", range: password..<at)
    }

    // MARK: Random text

    private static let randomMinimum = 20
    private static let telling = [
        "token", "secret", "passw", "credential", "apikey", "accesskey", "privatekey", "authkey", "bearer", "sessionid",
        "authorization",
    ].map { Array($0.utf8) }
    /// Names that tell of something open, whatever else they tell of.
    private static let open = [
        "page", "cursor", "continuation", "next", "sync", "hash", "checksum", "etag", "type", "name", "url", "uri",
        "expire", "public", "count", "endpoint", "tokenid", "hint",
    ].map { Array($0.utf8) }

    /// Whether the name under which a word stands tells of a secret.
    private func isTelling(_ octets: Octets, _ word: Range<Int>, _ range: Range<Int>, _ name: [UInt8]?) -> Bool {
        if let found = Self.nameBefore(octets, word.lowerBound, range.lowerBound) {
            return Self.isTelling(octets[found])
        }
        guard let name, Self.isOuter(octets, word, range) else { return false }
        return Self.isTelling(name)
    }

    /// Whether nothing but the word stands in the range.
    private static func isOuter(_ octets: Octets, _ word: Range<Int>, _ range: Range<Int>) -> Bool {
        word.lowerBound == range.lowerBound && range.upperBound - word.upperBound <= 2
    }

    /// The name that stands before a value, with `:` or `=` and perhaps quotation marks between.
    private static func nameBefore(_ octets: Octets, _ value: Int, _ limit: Int) -> Range<Int>? {
        var at = value
        // `=` is among a token's characters: the name may be its beginning, which is looked at apart.
        while at > limit, isFiller(octets[at - 1]), value - at < 8 { at -= 1 }
        guard at > limit, octets[at - 1] == UInt8(ascii: ":") || octets[at - 1] == UInt8(ascii: "=") else { return nil }
        at -= 1
        while at > limit, isFiller(octets[at - 1]) { at -= 1 }
        let end = at
        while at > limit, SecretPlaceholder.isNameOctet(octets[at - 1]), end - at < 48 { at -= 1 }
        return at < end ? at..<end : nil
    }

    private static func isTelling(_ name: some Sequence<UInt8>) -> Bool {
        let folded = name.compactMap { isAlphanumeric($0) ? $0 &- 0x41 < 26 ? $0 | 0x20 : $0 : nil }
        return telling.contains { has($0, folded) } && !open.contains { has($0, folded) }
    }

    private static func has(_ word: [UInt8], _ text: [UInt8]) -> Bool {
        guard text.count >= word.count else { return false }
        return (0...(text.count - word.count)).contains { start in
            for offset in word.indices where text[start + offset] != word[offset] { return false }
            return true
        }
    }

    /// Whether a word looks drawn by lot: letters and digits, many different ones, changing often.
    private static func isRandom(_ octets: Octets, _ word: Range<Int>) -> Bool {
        guard word.count <= 4096 else { return false }
        var counts = [Int](repeating: 0, count: 256)
        var (digits, changes) = (0, 0)
        var last = 0
        for at in word {
            let octet = octets[at]
            counts[Int(octet)] += 1
            let kind = octet &- 0x30 < 10 ? 1 : octet &- 0x41 < 26 ? 2 : octet &- 0x61 < 26 ? 3 : 4
            if kind == 1 { digits += 1 }
            if kind != last { changes += 1 }
            last = kind
        }
        let different = counts.count { $0 > 0 }
        return digits >= 2 && digits < word.count && changes * 4 >= min(word.count, 64) && different >= 10
    }

    @inline(__always)
    private static func isFiller(_ octet: UInt8) -> Bool {
        octet == 0x20 || octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "'") || octet == UInt8(ascii: "\\")
    }

    @inline(__always)
    private static func isAlphanumeric(_ octet: UInt8) -> Bool {
        octet &- 0x30 < 10 || (octet | 0x20) &- 0x61 < 26
    }

    /// Letters, digits and `_ - . + / ~`: what tokens and Base64 are made of.
    @inline(__always)
    private static func isToken(_ octet: UInt8) -> Bool {
        SecretPlaceholder.isNameOctet(octet) || octet == UInt8(ascii: "+") || octet == UInt8(ascii: "/")
            || octet == UInt8(ascii: "~")
    }
}
