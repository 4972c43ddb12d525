import CassetteKit
import DeckEngine
import SystemIO
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `tapedeck record`, `replay` and `passthrough`: a deck from its start to its verdict.
struct RunCommand: Sendable {
    let options: RunOptions
    let console: Console
    let variables: [String: String]

    /// Runs until a signal, the end of the command, or a request to stop.
    ///
    /// - Throws: `UsageError` and `CommandError` where the deck or the command cannot be started.
    func run() async throws -> Int32 {
        options.readyFile?.remove()
        defer { options.readyFile?.remove() }
        for warning in UnknownVariables.warnings(in: variables) { log.write(LogEvent(.warning, warning)) }
        let signals = try Signals.stream([SIGINT, SIGTERM, SIGHUP])
        let environment = try DeckEnvironment.ofProcess(variables, log: log.write)
        let deck = try await start(environment)
        let child: ChildProcess?
        do throws(CommandError) {
            try options.readyFile?.write(
                proxy: deck.proxyURL, control: deck.controlURL, pid: getpid(), upstreams: deck.upstreamURLs)
            announce(deck)
            child = try startCommand(deck)
        } catch {
            _ = await deck.stop()
            throw error
        }
        return await RunLoop(self, deck, child).run(signals)
    }

    var log: LogWriter {
        LogWriter(console: console, form: options.logForm, quiet: options.isQuiet, clock: .system)
    }

    /// Where our own words go: with a command, stdout is the command's.
    var words: Console { options.childCommand == nil ? console : console.redirectedToError }

    private func start(_ environment: DeckEnvironment) async throws -> Deck {
        do throws(DeckError) {
            return try await Deck.start(options.deck, environment: environment)
        } catch {
            let advice = error.advice.isEmpty ? nil : error.advice
            switch error.kind {
            case .usage: throw UsageError(error.message, advice: advice)
            case .start: throw CommandError(status: ExitStatus.start, error.message, advice: advice)
            }
        }
    }

    private func announce(_ deck: Deck) {
        if options.isQuiet { return }
        if options.logForm == .json {
            var fields = [(name: "proxy", value: deck.proxyURL)]
            if let control = deck.controlURL { fields.append(("control", control)) }
            log.write(LogEvent(.info, "ready", fields))
            return
        }
        let name = options.deck.mode.rawValue
        let title = Style.strong.applied(to: name, color: words.outHasColor)
        let width = max(name.count, "control".count) + 3
        let gap = { (word: String) in String(repeating: " ", count: max(1, width - word.count)) }
        words.out("\(title)\(gap(name))\(deck.proxyURL)" + (options.deck.cassette.map { "   \($0)" } ?? ""))
        if let control = deck.controlURL { words.out("control\(gap("control"))\(control)") }
        for (name, url) in deck.upstreamURLs { words.out("\(name)\(gap(name))\(url)") }
    }

    /// The authority's certificate for the command. One is made only for a command that is to use the deck as its proxy.
    private func authorityFile() -> String? {
        guard let path = options.deck.authorityFolder else { return nil }
        let folder = AuthorityFolder(path)
        do throws(TLSError) {
            let found =
                try options.isProxyForCommand
                ? folder.loadOrMake(now: WallClock.system.now() / 1_000, random: .system) : folder.load()
            // The command may go to another folder.
            return found == nil ? nil : (try? Files.realPath(folder.certificateFile)) ?? folder.certificateFile
        } catch {
            if options.isProxyForCommand {
                log.write(LogEvent(.warning, "no HTTPS: \(error.message): \(error.advice)"))
            }
            return nil
        }
    }

    private func startCommand(_ deck: Deck) throws(CommandError) -> ChildProcess? {
        guard let command = options.childCommand else { return nil }
        var environment = ChildEnvironment(
            proxy: deck.proxyURL, control: deck.controlURL, authorityFile: authorityFile(),
            isProxy: options.isProxyForCommand)
        environment.upstreams = deck.upstreamURLs
        do throws(SystemError) {
            return try ChildProcess.spawn(command, environment: environment.merged(into: variables))
        } catch {
            let status = error.errno == ENOENT ? ExitStatus.notFound : ExitStatus.notExecutable
            throw CommandError(
                status: status, "\(command[0]) cannot be run: \(error.reason)",
                advice: "what follows -- is a program with its arguments")
        }
    }
}
