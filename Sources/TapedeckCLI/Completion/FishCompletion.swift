/// The script for fish: `tapedeck completion fish > ~/.config/fish/completions/tapedeck.fish`.
func fishCompletion(_ words: CompletionWords) -> String {
    var lines: [String] = []
    for command in words.commands {
        lines.append(
            "complete -c tapedeck -f -n __fish_use_subcommand -a \(command.name) -d \(fishQuoted(command.summary))")
        let seen = "-n '__fish_seen_subcommand_from \(command.name)'"
        for word in words.operands(of: command) { lines.append("complete -c tapedeck \(seen) -f -a \(word)") }
        for option in command.options {
            lines.append(
                "complete -c tapedeck \(seen) -l \(option.name)\(takesValue(option)) -d \(fishQuoted(option.help))")
        }
    }
    return lines.joined(separator: "\n") + "\n"
}

private func takesValue(_ option: OptionSpec) -> String {
    switch option.kind {
    case .flag, .optionalValue: ""
    case .value, .repeated: " -r"
    }
}

private func fishQuoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
}
