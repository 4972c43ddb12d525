/// The script for zsh: write it to a file `_tapedeck` in a folder of `$fpath`, or `source <(tapedeck completion zsh)`.
func zshCompletion(_ words: CompletionWords) -> String {
    let commands = words.commands.map { "        '\($0.name):\(zshQuoted($0.summary))'" }
    let cases = words.commands.map { command in
        let options = command.options.map { "'--\($0.name)[\(zshQuoted($0.help))]\(zshArgument($0))'" }
        let operands = words.operands(of: command)
        let rest =
            operands.isEmpty ? "'*:file:_files'" : "'2:word:(\(operands.joined(separator: " ")))' '*:file:_files'"
        return "        \(command.name)) _arguments \((options + [rest]).joined(separator: " ")) ;;"
    }
    return """
        #compdef tapedeck
        _tapedeck() {
            local -a commands
            commands=(
        \(commands.joined(separator: "\n"))
            )
            if (( CURRENT == 2 )); then
                _describe command commands
                return
            fi
            case ${words[2]} in
        \(cases.joined(separator: "\n"))
            esac
        }
        compdef _tapedeck tapedeck

        """
}

private func zshArgument(_ option: OptionSpec) -> String {
    switch option.kind {
    case .flag, .optionalValue: ""
    case .value(let value), .repeated(let value):
        value == "FILE" || value == "DIR" ? ":\(value):_files" : ":\(zshQuoted(value)):"
    }
}

/// A text inside single quotes and brackets.
private func zshQuoted(_ text: String) -> String {
    text.map { character in
        switch character {
        case "'": "'\\''"
        case "[", "]", ":": "\\\(character)"
        default: String(character)
        }
    }.joined()
}
