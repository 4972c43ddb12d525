/// The white space of a JSON text, by the tools that commonly write it.
package struct JSONLayout: Sendable, Hashable, CustomStringConvertible {
    package enum Style: String, Sendable, Hashable, CaseIterable {
        /// `{"a":1,"b":[1,2]}`
        case compact
        /// `{"a": 1, "b": [1, 2]}`, Python's default
        case spaced
        /// A line for each member, two more spaces each level, `"a": 1`; empty containers closed at once
        case indent2
        /// The same with four spaces
        case indent4
        /// The same with a tab
        case tabs
        /// Foundation's pretty printing: two spaces, `"a" : 1`, an empty line within an empty container
        case swift2
    }

    package var style: Style
    /// Whether a line feed follows the value.
    package var endsWithLineFeed: Bool

    package init(_ style: Style, lf endsWithLineFeed: Bool = false) {
        self.style = style
        self.endsWithLineFeed = endsWithLineFeed
    }

    package static let compact = JSONLayout(.compact)

    /// The layout's name in a cassette, for example `indent2+lf`.
    package var description: String { style.rawValue + (endsWithLineFeed ? "+lf" : "") }

    /// Reads a name; nil if no layout has it.
    package init?(name: String) {
        let lf = name.hasSuffix("+lf")
        guard let style = Style(rawValue: lf ? String(name.dropLast(3)) : name) else { return nil }
        self.init(style, lf: lf)
    }

    /// The layout with which the writer gives back these octets exactly; nil if none does.
    package static func of(_ original: [UInt8], value: JSONValue) -> JSONLayout? {
        let lf = original.last == UInt8(ascii: "\n")
        return original.withUnsafeBufferPointer { buffer in
            for style in Style.allCases {
                let layout = JSONLayout(style, lf: lf)
                var writer = JSONWriter(sink: JSONComparison(original: buffer), layout: layout)
                writer.document(value)
                if writer.sink.isEqual { return layout }
            }
            return nil
        }
    }
}
