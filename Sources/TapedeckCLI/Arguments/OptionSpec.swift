/// One option of the command line as data: what parses, documents and looks it up.
package struct OptionSpec: Sendable, Equatable {
    /// How an option takes its value.
    package enum Kind: Sendable, Equatable {
        /// Present or absent; its variable takes `1` or `0`.
        case flag
        /// One value, as `--name VALUE` or `--name=VALUE`; the last one given counts.
        case value(String)
        /// Any number of values; its variable takes one a line.
        case repeated(String)
        /// `--name` alone, or `--name=VALUE`; the word after it is never its value.
        case optionalValue(String)
    }

    /// The name without its dashes.
    package let name: String
    package let kind: Kind
    /// What it does, in a phrase or two.
    package let help: String
    /// What acts when it is not given; nil where that needs no words.
    package let defaultText: String?
    /// The environment twin; nil for what makes sense on the command line only.
    package let variable: String?

    /// - Parameters:
    ///   - variable: the environment twin, `TAPEDECK_` and the name in capitals unless given.
    ///   - isForFlagsOnly: there is no environment twin.
    package init(
        _ name: String, _ kind: Kind, _ help: String, default defaultText: String? = nil, variable: String? = nil,
        isForFlagsOnly: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.help = help
        self.defaultText = defaultText
        self.variable = isForFlagsOnly ? nil : variable ?? OptionSpec.variable(for: name)
    }

    /// The environment twin of an option: `control-token` gives `TAPEDECK_CONTROL_TOKEN`.
    package static func variable(for name: String) -> String {
        "TAPEDECK_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// The option as it is typed, with the name of its value.
    package var usage: String {
        switch kind {
        case .flag: "--\(name)"
        case .value(let value), .repeated(let value): "--\(name) \(value)"
        case .optionalValue(let value): "--\(name)[=\(value)]"
        }
    }
}
