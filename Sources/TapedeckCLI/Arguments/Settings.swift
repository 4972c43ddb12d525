import DeckRules

/// What the command line and the environment say, option by option: the flag wins over its variable.
///
/// What neither says is the configuration file's to give, and the built-in default's after that. A variable that is
/// empty counts as not set.
package struct Settings: Sendable {
    /// A value and where it came from, for messages.
    package struct Value: Sendable, Equatable {
        package let text: String
        /// `--listen` or `TAPEDECK_LISTEN`.
        package let origin: String
    }

    package let arguments: ParsedArguments
    package let variables: [String: String]

    package init(_ arguments: ParsedArguments, variables: [String: String]) {
        self.arguments = arguments
        self.variables = variables
    }

    /// The one value of an option; nil where neither flag nor variable gives it, or the command does not take it.
    package func value(_ option: OptionSpec) -> Value? {
        values(option).last
    }

    /// All values of a repeatable option, from the flags or, without any, from the lines of its variable.
    package func values(_ option: OptionSpec) -> [Value] {
        guard arguments.command.options.contains(option) else { return [] }
        if let given = arguments.values[option.name] {
            return given.map { Value(text: $0, origin: "--" + option.name) }
        }
        guard let name = option.variable, let text = variables[name], !text.isEmpty else { return [] }
        var lines = [text]
        if case .repeated = option.kind {
            lines = text.split(whereSeparator: \.isNewline).map(String.init)
        }
        return lines.map { Value(text: $0, origin: name) }
    }

    /// Whether a flag is set.
    ///
    /// - Throws: `UsageError` for a variable that is neither yes nor no.
    package func flag(_ option: OptionSpec) throws(UsageError) -> Bool {
        guard let value = value(option) else { return false }
        if value.text.isEmpty {
            return true
        }
        guard let answer = yesOrNo(value.text) else {
            throw UsageError("\(value.origin)=\(value.text) is neither yes nor no", advice: "\(value.origin)=1")
        }
        return answer
    }

    /// A number of an option that takes one.
    ///
    /// - Throws: `UsageError` for anything but decimal digits within `range`.
    package func number<Number: FixedWidthInteger>(
        _ option: OptionSpec, in range: ClosedRange<Number>
    ) throws(UsageError) -> Number? {
        guard let value = value(option) else { return nil }
        let isDigits = value.text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isDigits, let number = Number(value.text), range.contains(number) else {
            throw UsageError(
                "\(value.origin): \"\(value.text)\" is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// One of a few words.
    ///
    /// - Throws: `UsageError` that lists the words.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ option: OptionSpec, of type: Choice.Type
    ) throws(UsageError) -> Choice? {
        guard let value = value(option) else { return nil }
        guard let choice = Choice(rawValue: value.text) else {
            let words = type.allCases.map(\.rawValue)
            throw UsageError(
                "\(value.origin): \"\(value.text)\" is not one of \(words.joined(separator: ", "))",
                advice: nearestName(to: value.text, among: words).map { "did you mean \($0)?" })
        }
        return choice
    }
}

/// Reads a switch of the environment: 1, true, yes, on, or 0, false, no, off; nil for any other word.
package func yesOrNo(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "true", "yes", "on": true
    case "0", "false", "no", "off": false
    default: nil
    }
}
