import CassetteKit
import DeckEngine
import SystemIO

/// `tapedeck record --twice`: records a flow, runs it once more, and writes the places that differed into the configuration.
struct RecordTwice: Sendable {
    private let options: RunOptions
    private let configuration: ConfigurationFile
    private let console: Console
    private let variables: [String: String]
    private let cassette: String

    /// - Throws: `UsageError` without a command, or where a mode would not record everything.
    init(
        _ options: RunOptions, _ configuration: ConfigurationFile, console: Console, variables: [String: String]
    ) throws(UsageError) {
        guard options.childCommand != nil, let cassette = options.deck.cassette else {
            throw UsageError("--twice has no command to run", advice: "tapedeck record --twice CASSETTE -- COMMAND")
        }
        guard options.deck.mode == .record, options.deck.recordMode == .all else {
            throw UsageError("--twice records everything both times", advice: "take --mode out, or write --mode all")
        }
        self.options = options
        self.configuration = configuration
        self.console = console
        self.variables = variables
        self.cassette = cassette
    }

    /// Runs the command twice; gives its status where that is a failure.
    func run() async throws -> Int32 {
        // Beside what it is compared with, and unknown to whoever reads the cassette.
        let second = CassetteFolder(cassette).path + "/.twice"
        var status = try await RunCommand(options: options, console: console, variables: variables).run()
        guard status == ExitStatus.fine else { return status }
        defer { try? Files.removeTree(second) }
        try prepare(second)
        var options = options
        options.deck.cassette = second
        (options.reportFile, options.junitFile) = (nil, nil)
        options.isQuiet = true
        words.out("once more, to see what differs:")
        status = try await RunCommand(options: options, console: console, variables: variables).run()
        guard status == ExitStatus.fine else { return status }
        try compare(with: second)
        return ExitStatus.fine
    }

    private var words: Console { console.redirectedToError }

    /// The second recording hides what the first one found out to be secret.
    private func prepare(_ folder: String) throws {
        if Files.exists(folder) { try Files.removeTree(folder) }
        try Files.makeDirectories(folder + "/interactions")
        let manifest = try Files.read(CassetteFolder(cassette).manifest)
        try Files.writeAtomically(manifest, to: CassetteFolder(folder).manifest)
    }

    private func compare(with folder: String) throws {
        let environment = try DeckEnvironment.ofProcess(variables, log: { _ in })
        let rules = try TwiceRules(
            options.deck, environment, first: try openCassette(cassette), second: try openCassette(folder))
        for sentence in rules.unexplained { words.out("no rule can say it: \(sentence)") }
        if rules.edits.isEmpty {
            words.out(rules.unexplained.isEmpty ? "both runs were the same" : "nothing was written")
            return
        }
        let path = configuration.path ?? "tapedeck.json"
        try write(rules, to: path)
        words.out(
            "\(path): \(rules.edits.count) \(rules.edits.count == 1 ? "rule" : "rules") written, for you to review:")
        for edit in rules.edits { words.out("  \(edit.line)") }
    }

    /// The whole file with the rules or, where they would not do, as it was.
    private func write(_ rules: TwiceRules, to path: String) throws {
        let before = configuration.path == nil ? Array("{\n  \"version\": 1\n}\n".utf8) : try Files.read(path)
        let after = rules.applied(to: before)
        do throws(ConfigurationError) {
            _ = try Configuration.parse(after, file: path) { try? Files.read($0) }
        } catch {
            throw CommandError(
                status: ExitStatus.usage, "the rules do not fit into \(path): \(error.description)",
                advice: "write them by hand: \(rules.edits.map(\.line).joined(separator: "; "))")
        }
        try Files.writeAtomically(after, to: path)
    }
}
