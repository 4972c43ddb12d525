/// A JSON string as spelled between its quotation marks.
///
/// Equality and hashing go by the octets of the spelling, not by Unicode equivalence.
package struct JSONString: Sendable {
    /// The octets between the quotation marks, escapes as written; valid UTF-8 and well-formed per RFC 8259 §7.
    package let raw: String

    /// Takes a spelling that the parser has checked.
    init(checkedSpelling raw: String) {
        self.raw = raw
    }

    /// Spells a text with the fewest escapes; invisible and direction-changing characters are escaped so that a
    /// reviewer sees them.
    package init(_ text: String) {
        self.raw = JSONSpelling.spell(text)
    }

    /// The decoded text. A lone surrogate escape, which no text can hold, becomes U+FFFD; see `octets`.
    package var text: String {
        hasEscapes ? String(decoding: octets, as: UTF8.self) : raw
    }

    /// The decoded text as octets: UTF-8, but a lone surrogate escape becomes its three-octet form, so that different
    /// strings stay different.
    package var octets: [UInt8] {
        hasEscapes ? JSONSpelling.decode(raw) : Array(raw.utf8)
    }

    /// Whether the decoded text is this one, octet for octet.
    package func isText(_ text: String) -> Bool {
        // Decoding never lengthens, so most other texts are told apart by their length.
        if raw.utf8.count < text.utf8.count { return false }
        if !hasEscapes { return raw.utf8.count == text.utf8.count && raw.utf8.elementsEqual(text.utf8) }
        return octets.elementsEqual(text.utf8)
    }

    private var hasEscapes: Bool {
        let backslash = UInt8(ascii: "\\")
        return raw.utf8.withContiguousStorageIfAvailable { $0.contains(backslash) } ?? raw.utf8.contains(backslash)
    }
}

extension JSONString: Hashable {
    package static func == (left: JSONString, right: JSONString) -> Bool {
        left.raw.utf8.elementsEqual(right.raw.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for octet in raw.utf8 { hasher.combine(octet) }
        hasher.combine(UInt8(0xFF))
    }
}

extension JSONString: ExpressibleByStringLiteral {
    package init(stringLiteral value: StaticString) {
        self.init(value.description)
    }
}
