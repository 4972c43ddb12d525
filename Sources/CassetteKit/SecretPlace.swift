/// Where in a message something was hidden, in words that people can read: `request query access_token`,
/// `response json /data/*/token`.
package struct SecretLocation: Sendable, Hashable, CustomStringConvertible {
    package enum Side: String, Sendable, Hashable { case request, response }

    package enum Part: String, Sendable, Hashable, CaseIterable {
        /// A segment of the path, or a part of one.
        case path
        case query
        case header
        case trailer
        case cookie
        case form
        case json
        case multipart
        /// A body, or a part of one, without structure of its own.
        case text
    }

    package var side: Side
    package var part: Part
    /// The query item's, field's, cookie's or part's name, or the JSON pointer with `*` for array indices; empty for
    /// the path and for text.
    package var name: String

    package init(side: Side, part: Part, name: String = "") {
        self.side = side
        self.part = part
        self.name = name
    }

    /// Reads what `description` writes; nil for anything else.
    package init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, let side = Side(rawValue: String(words[0])), let part = Part(rawValue: String(words[1]))
        else { return nil }
        self.init(side: side, part: part, name: words.count == 3 ? String(words[2]) : "")
    }

    package var description: String {
        name.isEmpty ? "\(side.rawValue) \(part.rawValue)" : "\(side.rawValue) \(part.rawValue) \(name)"
    }
}

/// A place that is secret though no rule names it, because a known secret was found there. It stands in the cassette
/// and acts as a rule from then on.
package struct SecretPlace: Sendable, Hashable {
    /// The method, or `*` for any.
    package var method: String
    /// The path with `*` for a segment that may be anything and `{secret}` for one that is to be hidden.
    package var path: String
    package var location: SecretLocation

    package init(method: String, path: String, location: SecretLocation) {
        self.method = method
        self.path = path
        self.location = location
    }

    private static let secretSegment = "{secret}"

    /// The template for a path: segments at `secret` are hidden; those that sanitizing changes, numbers and long hexadecimal
    /// ids become `*`.
    ///
    /// - Parameter clean: the path without its secrets.
    static func template(path: [UInt8], clean: [UInt8], secret: Set<Int>) -> String {
        var parts: [String] = []
        let slash = UInt8(ascii: "/")
        let segments = path.split(separator: slash, omittingEmptySubsequences: false)
        let cleaned = clean.split(separator: slash, omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            if secret.contains(index) {
                parts.append(secretSegment)
            } else if isIdentifier(segment) || cleaned.count != segments.count || cleaned[index] != segment {
                parts.append("*")
            } else {
                parts.append(String(decoding: segment, as: UTF8.self))
            }
        }
        return parts.joined(separator: "/")
    }

    /// True for digits alone, and for sixteen or more hexadecimal digits and hyphens.
    private static func isIdentifier(_ segment: ArraySlice<UInt8>) -> Bool {
        guard !segment.isEmpty else { return false }
        if segment.allSatisfy({ $0 &- 0x30 < 10 }) { return true }
        return segment.count >= 16 && segment.allSatisfy { hexDigit($0) != nil || $0 == UInt8(ascii: "-") }
    }

    /// The indices of the segments to be hidden if the request is one of these, else nil. `path` is without query.
    func match(method: String?, path: [UInt8]) -> Set<Int>? {
        guard self.method == "*" || method == nil || self.method == method else { return nil }
        let wanted = Array(self.path.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let given = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard wanted.count == given.count else { return nil }
        var secret: Set<Int> = []
        for index in wanted.indices {
            let template = wanted[index]
            if template.count == 1, template.first == UInt8(ascii: "*") { continue }
            if template.first == UInt8(ascii: "{"), template.last == UInt8(ascii: "}") {
                secret.insert(index)
            } else if template != given[index] {
                return nil
            }
        }
        return secret
    }
}
