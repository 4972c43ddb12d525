package import CassetteKit

/// Values on which screens break, by the name under which `set` takes them: `{"$edge": "emoji"}`.
package enum EdgeValue: String, CaseIterable, Sendable, Hashable {
    /// 10,000 characters in words, for what wraps, truncates or scrolls.
    case veryLong
    /// A string without a character.
    case empty
    /// Characters of several code points each: a family, a flag, a skin tone, a variation selector.
    case emoji
    /// Arabic and Hebrew, with digits among them.
    case rightToLeft
    /// Japanese, Greek, Cyrillic, Devanagari and Thai.
    case nonLatin
    /// The greatest integer of 64 bits, which neither 32 bits nor a double hold.
    case extremeNumber

    package var value: JSONValue {
        switch self {
        case .veryLong: .text(String(repeating: "very long ", count: 1_000))
        case .empty: .text("")
        case .emoji: .text("👩‍👩‍👧‍👦 🇺🇳 👍🏽 ❤️ 🏳️‍🌈")
        case .rightToLeft: .text("مرحبا بالعالم 123 שלום עולם")
        case .nonLatin: .text("日本語 Ελληνικά Кириллица हिन्दी ภาษาไทย")
        case .extremeNumber: .number("9223372036854775807")
        }
    }

    /// The name in an object that stands for an edge value; nil for every other value.
    package static func name(in value: JSONValue) -> String? {
        guard let members = value.members, members.count == 1, members[0].key.text == "$edge" else { return nil }
        return members[0].value.text ?? ""
    }
}
