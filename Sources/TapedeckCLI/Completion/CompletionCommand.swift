/// A shell that words can be completed in.
enum CompletedShell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The table from shells to scripts.
    func script(_ words: CompletionWords) -> String {
        switch self {
        case .bash: bashCompletion(words)
        case .zsh: zshCompletion(words)
        case .fish: fishCompletion(words)
        }
    }
}

/// What can be typed after `tapedeck`.
struct CompletionWords: Sendable {
    var commands: [CommandSpec]
    /// The first words after `ctl`.
    var actions: [String]

    static let all = CompletionWords(commands: Commands.all, actions: CtlAction.names)

    /// The words that may stand where a command's operand is expected; none where that is a file.
    func operands(of command: CommandSpec) -> [String] {
        switch command.name {
        case Commands.ctl.name: actions
        case Commands.completion.name: CompletedShell.allCases.map(\.rawValue)
        case Commands.help.name: commands.map(\.name)
        default: []
        }
    }

    func options(of command: CommandSpec) -> [String] { command.options.map { "--\($0.name)" } + ["--help"] }
}

/// `tapedeck completion SHELL`: the script that makes a shell complete this program's words.
struct CompletionCommand: Sendable {
    let settings: Settings
    let console: Console

    /// - Throws: `UsageError` for another shell.
    func run() throws(UsageError) -> Int32 {
        let name = settings.arguments.operands.first ?? ""
        guard let shell = CompletedShell(rawValue: name) else {
            throw UsageError("there is no completion for \"\(name)\"", advice: "tapedeck completion bash|zsh|fish")
        }
        console.out(octets: Array(shell.script(.all).utf8))
        return ExitStatus.fine
    }
}
