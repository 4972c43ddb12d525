/// The script for bash: `source <(tapedeck completion bash)`.
func bashCompletion(_ words: CompletionWords) -> String {
    let cases = words.commands.map { command in
        let all = words.operands(of: command) + words.options(of: command)
        return "        \(command.name)) words=\"\(all.joined(separator: " "))\" ;;"
    }
    return """
        _tapedeck() {
            local cur=${COMP_WORDS[COMP_CWORD]} words=""
            if [ "$COMP_CWORD" -eq 1 ]; then
                words="\(words.commands.map(\.name).joined(separator: " "))"
            else
                case ${COMP_WORDS[1]} in
        \(cases.joined(separator: "\n"))
                esac
            fi
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        }
        complete -o default -F _tapedeck tapedeck

        """
}
