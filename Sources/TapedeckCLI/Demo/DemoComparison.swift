import Codecs
import HTTPCore
import TapedeckClient

/// Compares a replayed answer with the recorded one: octet for octet, but for the places at which a secret stood.
struct DemoComparison: Sendable {
    private let secrets: [Bytes]
    /// What every placeholder begins with.
    private static let placeholder = Bytes("REDACTED".utf8)

    init(secrets: [String]) {
        self.secrets = secrets.map { Bytes($0.utf8) }
    }

    /// The first difference in words; nil if there is none.
    ///
    /// Fields about the connection and the length are left out: they are made anew for each answer. So is Date: where
    /// nothing else changed, a cassette keeps that of an earlier run.
    func difference(_ recorded: WireResponse, _ replayed: WireResponse) -> String? {
        if recorded.head.status != replayed.head.status {
            return "status \(replayed.head.status) in place of \(recorded.head.status)"
        }
        if recorded.head.reason != replayed.head.reason {
            return "another reason phrase"
        }
        let before = lines(recorded.head.fields)
        let after = lines(replayed.head.fields)
        if before.count != after.count {
            return "\(after.count) fields in place of \(before.count)"
        }
        for (old, new) in zip(before, after) where !isEqual(old, new) {
            return "another field \(String(decoding: old.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self))"
        }
        return isEqual(plain(recorded), plain(replayed)) ? nil : "another body"
    }

    /// Whether any secret stands in these octets.
    func isLeak(_ octets: Bytes) -> Bool {
        secrets.contains { secret in
            octets.indices.contains { index in starts(octets, at: index, with: secret) }
        }
    }

    private func lines(_ fields: Fields) -> [Bytes] {
        (0..<fields.count).filter { index in
            !fields.isName("Connection", at: index) && !fields.isName("Keep-Alive", at: index)
                && !fields.isName("Date", at: index) && !fields.isName("Content-Length", at: index)
                && !fields.isName("Transfer-Encoding", at: index)
        }.map(fields.line(at:))
    }

    private func plain(_ response: WireResponse) -> Bytes {
        guard let coding = response.head.fields.text("Content-Encoding").flatMap(ContentCoding.init(token:)) else {
            return response.body
        }
        return (try? decodeContent(response.body, coding)) ?? response.body
    }

    private func isEqual(_ recorded: Bytes, _ replayed: Bytes) -> Bool {
        var old = 0
        var new = 0
        while old < recorded.count {
            if let secret = secrets.first(where: { starts(recorded, at: old, with: $0) }) {
                guard starts(replayed, at: new, with: DemoComparison.placeholder) else { return false }
                old += secret.count
                while new < replayed.count, isOfPlaceholder(replayed[new]) { new += 1 }
            } else {
                guard new < replayed.count, recorded[old] == replayed[new] else { return false }
                old += 1
                new += 1
            }
        }
        return new == replayed.count
    }

    private func starts(_ octets: Bytes, at index: Int, with prefix: Bytes) -> Bool {
        octets[index...].starts(with: prefix)
    }

    private func isOfPlaceholder(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
