/// Renders the help of the program and of its commands, for 80 columns.
package enum HelpText {
    private static let width = 80
    /// Where explanations begin; a longer term gets a line of its own.
    private static let column = 27

    /// What `tapedeck help` shows.
    package static func program(_ commands: [CommandSpec]) -> String {
        var lines = [
            "tapedeck records HTTP exchanges into cassettes, replays them offline, and breaks",
            "them on purpose.",
            "",
            "usage: tapedeck COMMAND [options] …",
            "",
            "commands:",
        ]
        for command in commands {
            lines += entry(command.name, command.summary, column: 15)
        }
        lines += ["", "tapedeck COMMAND --help says more about one. Begin with: tapedeck demo"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// What `tapedeck COMMAND --help` shows.
    package static func command(_ command: CommandSpec) -> String {
        var lines = wrapped("usage: tapedeck " + command.usage, indent: 16)
        lines += ["", "\(command.name): \(command.summary)"]
        for paragraph in command.discussion {
            lines += [""]
            lines += paragraph.contains("\n") ? paragraph.split(separator: "\n").map(String.init) : wrapped(paragraph)
        }
        if !command.options.isEmpty {
            lines += ["", "options:"]
            for option in command.options {
                lines += entry(option.usage, explanation(option), column: column)
            }
            lines += [""] + wrapped(environmentNote(command.options))
        }
        if !command.examples.isEmpty {
            lines += ["", command.examples.count == 1 ? "example:" : "examples:"]
            lines += command.examples.map { "  " + $0 }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func explanation(_ option: OptionSpec) -> String {
        var notes = option.defaultText.map { ["default: \($0)"] } ?? []
        if let variable = option.variable, variable != OptionSpec.variable(for: option.name) {
            notes.append("variable: \(variable)")
        }
        return option.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }

    private static func environmentNote(_ options: [OptionSpec]) -> String {
        let example = options.first { $0.variable == OptionSpec.variable(for: $0.name) } ?? options[0]
        let rule = " An option wins over its variable, a variable over the configuration file."
        let twins = options.filter { $0.variable != nil }
        guard twins.count == options.count else {
            let names = twins.map { "--\($0.name)" }.joined(separator: ", ")
            return "\(names) have environment variables: --\(example.name) is \(example.variable ?? "") there." + rule
        }
        return "Every option has an environment variable: --\(example.name) is \(example.variable ?? "") there." + rule
    }

    private static func entry(_ term: String, _ explanation: String, column: Int) -> [String] {
        let lines = wrapped(explanation, indent: column, firstIndent: column)
        let label = "  " + term
        guard let first = lines.first, label.count < column - 1 else {
            return [label] + lines
        }
        let gap = String(repeating: " ", count: column - label.count)
        return [label + gap + first.dropFirst(column)] + lines.dropFirst()
    }

    /// Breaks text at spaces; what stands in square brackets stays together.
    private static func wrapped(_ text: String, indent: Int = 0, firstIndent: Int = 0) -> [String] {
        var lines: [String] = []
        var line = String(repeating: " ", count: firstIndent)
        var isEmpty = true
        for word in words(text) {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = String(repeating: " ", count: indent)
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }

    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var depth = 0
        for piece in text.split(separator: " ") {
            if depth > 0, let last = words.popLast() {
                words.append(last + " " + piece)
            } else {
                words.append(String(piece))
            }
            depth += piece.filter { $0 == "[" }.count - piece.filter { $0 == "]" }.count
        }
        return words
    }
}
