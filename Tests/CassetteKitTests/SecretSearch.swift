import HTTPCore

@testable import CassetteKit

/// Looks for secrets in octets as they are and after undoing Base64, gzip, percent and JSON escapes.
struct SecretSearch {
    let secrets: [Bytes]

    init(_ secrets: [String]) {
        self.secrets = secrets.map { Bytes($0.utf8) }
    }

    /// The secrets that stand in the octets, in some spelling.
    func found(in octets: Bytes) -> Set<String> {
        var found: Set<String> = []
        for view in Self.views(octets, depth: 0) {
            var index = SecretIndex(window: 8)
            for secret in secrets { index.add(secret, replacement: secret) }
            let matches = view.withUnsafeBufferPointer { index.matches(in: $0, 0..<$0.count) ?? [] }
            for match in matches { found.insert(text(match.replacement)) }
        }
        return found
    }

    private static func views(_ octets: Bytes, depth: Int) -> [Bytes] {
        var views = [octets]
        if octets.starts(with: [0x1F, 0x8B]), let plain = testCodecs.decode("gzip", octets) {
            views += self.views(plain, depth: depth + 1)
        }
        octets.withUnsafeBufferPointer { source in
            for escapes in [SanitizerView.Escapes.json, .percent, .html] {
                let view = SanitizerView(source, 0..<source.count, undoing: escapes)
                if view.isDecoded { views.append(view.octets) }
            }
        }
        guard depth < 3 else { return views }
        for view in views {
            for decoded in base64(view) { views += self.views(decoded, depth: depth + 1) }
        }
        return views
    }

    /// What each run of Base64 characters decodes to, at every alignment.
    private static func base64(_ octets: Bytes) -> [Bytes] {
        var decoded: [Bytes] = []
        octets.withUnsafeBufferPointer { source in
            var at = 0
            while at < source.count {
                var end = at
                while end < source.count, isBase64(source[end]) { end += 1 }
                if end - at >= 12 {
                    for shift in 0..<4 {
                        let usable = (end - at - shift) / 4 * 4
                        if let plain = Base64.decode(source, (at + shift)..<(at + shift + usable)) {
                            decoded.append(plain)
                        }
                        if let rest = Base64.decode(source, (at + shift)..<end) { decoded.append(rest) }
                    }
                }
                at = max(end, at + 1)
            }
        }
        return decoded
    }

    private static func isBase64(_ octet: UInt8) -> Bool {
        SecretPlaceholder.isNameOctet(octet) && octet != UInt8(ascii: ".") || octet == UInt8(ascii: "+")
            || octet == UInt8(ascii: "/")
    }
}
