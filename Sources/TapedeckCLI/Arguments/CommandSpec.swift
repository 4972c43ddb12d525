/// One command as data: its operands, its options, and its words in the help.
package struct CommandSpec: Sendable, Equatable {
    package let name: String
    /// What it does, in one line of the program's help.
    package let summary: String
    /// The line after `usage:`, without the program's name.
    package let usage: String
    /// Paragraphs under the usage, each one string, wrapped when shown.
    package let discussion: [String]
    /// How many operands it takes.
    package let operands: ClosedRange<Int>
    /// Whether `-- COMMAND` may follow.
    package let takesCommand: Bool
    package let options: [OptionSpec]
    /// Command lines to paste.
    package let examples: [String]

    package init(
        _ name: String, summary: String, usage: String, discussion: [String] = [], operands: ClosedRange<Int>,
        takesCommand: Bool = false, options: [OptionSpec] = [], examples: [String] = []
    ) {
        self.name = name
        self.summary = summary
        self.usage = usage
        self.discussion = discussion
        self.operands = operands
        self.takesCommand = takesCommand
        self.options = options
        self.examples = examples
    }
}
