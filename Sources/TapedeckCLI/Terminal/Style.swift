/// Colors of the terminal by what they mean (ECMA-48 SGR).
package enum Style: String, Sendable {
    case strong = "1"
    case faint = "2"
    case good = "32"
    case bad = "31"
    case warning = "33"
    case name = "36"

    /// The text in this style, or as it is without color.
    package func applied(to text: String, color: Bool) -> String {
        color && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
