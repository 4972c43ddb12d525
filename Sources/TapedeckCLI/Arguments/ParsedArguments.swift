/// A command line taken apart; values are not yet read for their meaning.
package struct ParsedArguments: Sendable, Equatable {
    package let command: CommandSpec
    /// Option name → values in the order given. A flag, or an option without its optional value, has "".
    package var values: [String: [String]] = [:]
    package var operands: [String] = []
    /// What follows `--`; nil without one.
    package var childCommand: [String]?
    /// Whether `--help` or `-h` was given: nothing else is checked then.
    package var wantsHelp = false

    package init(command: CommandSpec) {
        self.command = command
    }
}
