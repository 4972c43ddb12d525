package import HTTPCore

/// Which content codings a client takes (RFC 9110 §12.5.3).
///
/// A request without Accept-Encoding gets `identity`, though the RFC would allow any coding: such a client most often
/// can't decode; but it gets the coding if the recorded request had none either. A weight of 0 refuses; `*` stands for every coding that is not named.
package struct PreparedCodings: Sendable, Hashable {
    private var accepted: Set<String> = []
    private var refused: Set<String> = []
    private var takesOthers = false
    /// Whether the request has no Accept-Encoding at all.
    package private(set) var isAbsent = true

    /// Takes no coding.
    package init() {}

    /// Takes every coding.
    package static let any: PreparedCodings = {
        var codings = PreparedCodings()
        codings.takesOthers = true
        codings.isAbsent = false
        return codings
    }()

    /// Reads the request's fields. A malformed weight refuses.
    package init(_ fields: Fields) {
        isAbsent = !fields.contains("Accept-Encoding")
        for value in fields.all("Accept-Encoding") {
            for member in value.split(separator: UInt8(ascii: ",")) {
                let parts = String(decoding: member, as: UTF8.self).lowercased().split(separator: ";").map(Self.trimmed)
                guard let coding = parts.first, !coding.isEmpty else { continue }
                let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
                let isAccepted = weight.map { Self.isPositive($0.dropFirst(2)) } ?? true
                if coding == "*" {
                    takesOthers = isAccepted
                } else if isAccepted {
                    accepted.insert(Self.plain(String(coding)))
                } else {
                    refused.insert(Self.plain(String(coding)))
                }
            }
        }
    }

    /// Whether the client takes a coding, for example `gzip`.
    package func allows(_ coding: String) -> Bool {
        let coding = Self.plain(coding.lowercased())
        return accepted.contains(coding) || takesOthers && !refused.contains(coding)
    }

    /// `x-gzip` is another name for `gzip` (RFC 9110 §8.4.1.3).
    private static func plain(_ coding: String) -> String { coding == "x-gzip" ? "gzip" : coding }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    /// Whether a weight such as `0.5` is above zero.
    private static func isPositive(_ weight: Substring) -> Bool {
        guard let first = weight.utf8.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1") else {
            return false
        }
        return weight.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") }
            && weight.utf8.contains { (0x31...0x39).contains($0) }
    }
}
