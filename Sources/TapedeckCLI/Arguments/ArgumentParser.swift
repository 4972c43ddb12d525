import DeckRules

/// Takes command lines apart by the table of commands.
///
/// Options and operands may be mixed; `--` ends both. `-` alone is an operand.
package struct ArgumentParser: Sendable {
    package let commands: [CommandSpec]

    package init(commands: [CommandSpec]) {
        self.commands = commands
    }

    /// The command of that name.
    ///
    /// - Throws: `UsageError` that suggests the nearest name.
    package func command(named name: String) throws(UsageError) -> CommandSpec {
        if let command = commands.first(where: { $0.name == name }) {
            return command
        }
        let nearest = nearestName(to: name, among: commands.map(\.name))
        throw UsageError(
            "unknown command \"\(name)\"" + (nearest.map { "; did you mean \($0)?" } ?? ""),
            advice: nearest.map { "tapedeck \($0) --help" } ?? "tapedeck help")
    }

    /// - Parameter arguments: the words after the program's name; the first is the command.
    package func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
        guard let name = arguments.first else {
            throw UsageError("no command", advice: "tapedeck help")
        }
        var parsed = ParsedArguments(command: try command(named: name))
        var rest = arguments.dropFirst()
        while let word = rest.popFirst() {
            if word == "--" {
                parsed.childCommand = Array(rest)
                break
            }
            if word == "-h" || word == "--help" {
                parsed.wantsHelp = true
                return parsed
            }
            if word.hasPrefix("-"), word != "-" {
                try takeOption(word, &rest, into: &parsed)
            } else {
                parsed.operands.append(word)
            }
        }
        try checkOperands(parsed)
        return parsed
    }

    private func takeOption(
        _ word: String, _ rest: inout ArraySlice<String>, into parsed: inout ParsedArguments
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = String(parts[0].drop { $0 == "-" })
        guard parts[0].hasPrefix("--"), let option = parsed.command.options.first(where: { $0.name == name }) else {
            throw unknownOption(parts[0], name, parsed.command)
        }
        let attached = parts.count == 2 ? parts[1] : nil
        let value: String
        switch option.kind {
        case .flag:
            if attached != nil {
                throw UsageError("--\(name) takes no value", advice: "type --\(name) alone")
            }
            value = ""
        case .optionalValue:
            value = attached ?? ""
        case .value(let valueName), .repeated(let valueName):
            guard let next = attached ?? takeValue(&rest) else {
                throw UsageError("--\(name) needs a value", advice: "type --\(name) \(valueName)")
            }
            value = next
        }
        parsed.values[name, default: []].append(value)
    }

    /// The next word, unless it is an option: `--listen --quiet` has forgotten something.
    private func takeValue(_ rest: inout ArraySlice<String>) -> String? {
        guard let next = rest.first, !next.hasPrefix("--") else { return nil }
        rest.removeFirst()
        return next
    }

    private func unknownOption(_ typed: String, _ name: String, _ command: CommandSpec) -> UsageError {
        let help = "tapedeck \(command.name) --help"
        if let nearest = nearestName(to: name, among: command.options.map(\.name)) {
            return UsageError("unknown option \(typed); did you mean --\(nearest)?", advice: help)
        }
        let others = commands.filter { $0.options.contains { $0.name == name } }.map(\.name)
        if !others.isEmpty {
            let owners = others.joined(separator: ", ")
            return UsageError("\(typed) is not an option of \(command.name), but of \(owners)", advice: help)
        }
        return UsageError("unknown option \(typed)", advice: help)
    }

    private func checkOperands(_ parsed: ParsedArguments) throws(UsageError) {
        let command = parsed.command
        let help = "tapedeck \(command.usage)"
        if parsed.operands.count < command.operands.lowerBound {
            throw UsageError("\(command.name): a word is missing", advice: help)
        }
        if parsed.operands.count > command.operands.upperBound {
            let extra = parsed.operands[command.operands.upperBound]
            throw UsageError("\(command.name): \"\(extra)\" is one word too many", advice: help)
        }
        if let child = parsed.childCommand {
            if !command.takesCommand {
                throw UsageError("\(command.name) runs no command, so nothing may follow --", advice: help)
            }
            if child.isEmpty {
                throw UsageError("no command after --", advice: help)
            }
        }
    }
}
