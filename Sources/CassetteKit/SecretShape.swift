/// Secrets that show by their shape what they are.
///
/// Each is a fixed beginning and a run of allowed octets of a minimum length, read by hand in one pass.
package enum SecretShape: String, Sendable, CaseIterable {
    case jwt
    case pem = "private-keys"
    case github = "github-tokens"
    case gitlab = "gitlab-tokens"
    case slack = "slack-tokens"
    case stripe = "stripe-keys"
    case aws = "aws-keys"
    case google = "google-keys"
    case openAI = "openai-keys"
    case other = "provider-tokens"

    /// A beginning, the octets that follow and how many there are at least.
    private struct Prefix {
        var shape: SecretShape
        var text: [UInt8]
        var alphabet: Alphabet
        var minimum: Int
        var maximum: Int

        init(
            _ shape: SecretShape, _ text: String, _ alphabet: Alphabet, _ minimum: Int, _ maximum: Int = .max
        ) {
            self.shape = shape
            self.text = Array(text.utf8)
            self.alphabet = alphabet
            self.minimum = minimum
            self.maximum = maximum
        }
    }

    private enum Alphabet { case upper, alphanumeric, word, dotted, hexadecimal }

    /// By the first octet.
    private static let byFirst: [[Prefix]] = {
        var table = [[Prefix]](repeating: [], count: 256)
        for prefix in prefixes { table[Int(prefix.text[0])].append(prefix) }
        return table
    }()

    private static let prefixes: [Prefix] = [
        Prefix(.github, "ghp_", .alphanumeric, 20), Prefix(.github, "gho_", .alphanumeric, 20),
        Prefix(.github, "ghu_", .alphanumeric, 20), Prefix(.github, "ghs_", .word, 20),
        Prefix(.github, "ghr_", .alphanumeric, 20), Prefix(.github, "github_pat_", .word, 22),
        Prefix(.gitlab, "glpat-", .dotted, 20), Prefix(.gitlab, "gldt-", .dotted, 20),
        Prefix(.gitlab, "glrt-", .dotted, 20), Prefix(.gitlab, "glcbt-", .dotted, 20),
        Prefix(.slack, "xoxb-", .word, 10), Prefix(.slack, "xoxp-", .word, 10), Prefix(.slack, "xoxa-", .word, 10),
        Prefix(.slack, "xoxr-", .word, 10), Prefix(.slack, "xoxs-", .word, 10), Prefix(.slack, "xoxe-", .word, 10),
        Prefix(.slack, "xapp-", .word, 10),
        Prefix(.stripe, "sk_live_", .alphanumeric, 8), Prefix(.stripe, "sk_test_", .alphanumeric, 8),
        Prefix(.stripe, "rk_live_", .alphanumeric, 8), Prefix(.stripe, "rk_test_", .alphanumeric, 8),
        Prefix(.stripe, "whsec_", .alphanumeric, 16),
        Prefix(.aws, "AKIA", .upper, 16, 16), Prefix(.aws, "ASIA", .upper, 16, 16),
        Prefix(.google, "AIza", .word, 35), Prefix(.google, "ya29.", .dotted, 16),
        Prefix(.google, "GOCSPX-", .word, 20), Prefix(.google, "1//0", .word, 30),
        Prefix(.openAI, "sk-proj-", .word, 20), Prefix(.openAI, "sk-ant-", .word, 20),
        Prefix(.openAI, "sk-", .alphanumeric, 32),
        Prefix(.other, "SG.", .dotted, 32), Prefix(.other, "npm_", .alphanumeric, 36),
        Prefix(.other, "pypi-", .word, 40), Prefix(.other, "hf_", .alphanumeric, 30),
        Prefix(.other, "dop_v1_", .hexadecimal, 64), Prefix(.other, "shpat_", .hexadecimal, 32),
        Prefix(.other, "shpss_", .hexadecimal, 32), Prefix(.other, "shpca_", .hexadecimal, 32),
        Prefix(.other, "sq0atp-", .word, 22), Prefix(.other, "sq0csp-", .word, 40),
        Prefix(.other, "glsa_", .word, 32), Prefix(.other, "lin_api_", .alphanumeric, 32),
        Prefix(.other, "PMAK-", .word, 40), Prefix(.other, "figd_", .word, 30),
        Prefix(.other, "ATATT3", .dotted, 40), Prefix(.other, "hvs.", .dotted, 24),
        Prefix(.other, "dapi", .hexadecimal, 32, 32), Prefix(.other, "AGE-SECRET-KEY-1", .upper, 58),
        Prefix(.other, "sbp_", .hexadecimal, 40), Prefix(.other, "rnd_", .alphanumeric, 28),
    ]

    /// The octets with which a secret shape can begin.
    static let starts = SanitizerOctetSet(
        (0...255).filter { !byFirst[Int($0)].isEmpty || $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "-") })

    /// The shape that begins at `at`, and its end. The octet before is no part of a word.
    static func match(
        _ octets: UnsafeBufferPointer<UInt8>, _ at: Int, _ end: Int
    ) -> (shape: SecretShape, end: Int)? {
        switch octets[at] {
        case UInt8(ascii: "e"):
            guard let upper = jwt(octets, at, end) else { return nil }
            return (.jwt, upper)
        case UInt8(ascii: "-"):
            guard let upper = privateKey(octets, at, end) else { return nil }
            return (.pem, upper)
        case let first:
            for prefix in byFirst[Int(first)] {
                guard begins(octets, at, end, prefix.text) else { continue }
                var upper = at + prefix.text.count
                while upper < end, contains(prefix.alphabet, octets[upper]) { upper += 1 }
                let count = upper - at - prefix.text.count
                if count >= prefix.minimum, count <= prefix.maximum { return (prefix.shape, upper) }
            }
            return nil
        }
    }

    /// Three base64url parts with dots between, the first of which begins as `{"` does (RFC 7515 §3.1); five parts are an
    /// encrypted one (RFC 7516).
    private static func jwt(_ octets: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        guard end - start >= 20, octets[start + 1] == UInt8(ascii: "y"), octets[start + 2] == UInt8(ascii: "J") else {
            return nil
        }
        var at = start
        var lengths = [0]
        while at < end {
            let octet = octets[at]
            if octet == UInt8(ascii: ".") {
                guard lengths.count < 5 else { break }
                lengths.append(0)
            } else if contains(.word, octet) {
                lengths[lengths.count - 1] += 1
            } else {
                break
            }
            at += 1
        }
        guard lengths.count >= 3, lengths[0] >= 8, lengths[1] >= 2 || lengths.count == 5 else { return nil }
        return at
    }

    /// A PEM block whose label has `PRIVATE KEY` (RFC 7468 §10); one that is cut goes to the end of the text.
    private static func privateKey(_ octets: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        guard begins(octets, start, end, opening) else { return nil }
        var at = start + opening.count
        let limit = min(end, at + 32)
        while at < limit, !begins(octets, at, end, label) { at += 1 }
        guard at < limit else { return nil }
        while at < end, !begins(octets, at, end, closing) { at += 1 }
        at = min(end, at + closing.count)
        while at < end, !begins(octets, at, end, dashes) { at += 1 }
        return min(end, at + dashes.count)
    }

    /// 8, 4, 4, 4 and 12 hexadecimal digits with hyphens between (RFC 9562 §4).
    static func isUUID(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count == 36 else { return false }
        for offset in 0..<36 {
            let octet = octets[range.lowerBound + offset]
            switch offset {
            case 8, 13, 18, 23: if octet != UInt8(ascii: "-") { return false }
            default: if hexDigit(octet) == nil { return false }
            }
        }
        return true
    }

    private static let opening = Array("-----BEGIN ".utf8)
    private static let label = Array("PRIVATE KEY".utf8)
    private static let closing = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)

    private static func begins(
        _ octets: UnsafeBufferPointer<UInt8>, _ at: Int, _ end: Int, _ text: [UInt8]
    ) -> Bool {
        guard at + text.count <= end else { return false }
        for offset in text.indices where octets[at + offset] != text[offset] { return false }
        return true
    }

    private static func contains(_ alphabet: Alphabet, _ octet: UInt8) -> Bool {
        let isDigit = octet &- 0x30 < 10
        let isUpper = octet &- 0x41 < 26
        let isLower = octet &- 0x61 < 26
        switch alphabet {
        case .upper: return isDigit || isUpper
        case .alphanumeric: return isDigit || isUpper || isLower
        case .word: return isDigit || isUpper || isLower || octet == UInt8(ascii: "_") || octet == UInt8(ascii: "-")
        case .dotted:
            return isDigit || isUpper || isLower || octet == UInt8(ascii: "_") || octet == UInt8(ascii: "-")
                || octet == UInt8(ascii: ".")
        case .hexadecimal: return hexDigit(octet) != nil
        }
    }
}
