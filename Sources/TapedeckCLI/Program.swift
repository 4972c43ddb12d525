import ControlAPI
import DeckEngine
import SystemIO
import Transport

/// The program: takes a command line, runs it, and gives the status to end with.
package struct Program: Sendable {
    package let console: Console
    /// The environment's variables, read once at start.
    package let variables: [String: String]

    package init(console: Console, variables: [String: String]) {
        self.console = console
        self.variables = variables
    }

    /// - Parameter arguments: the words after the program's name.
    package func run(_ arguments: [String]) async -> Int32 {
        do {
            return try await dispatch(arguments)
        } catch let error as UsageError {
            report(error.message, error.advice)
            return ExitStatus.usage
        } catch let error as CommandError {
            report(error.message, error.advice)
            return error.status
        } catch let error as DeckError {
            report(error.message, error.advice.isEmpty ? nil : error.advice)
            return error.kind == .usage ? ExitStatus.usage : ExitStatus.start
        } catch {
            report("\(error)", nil)
            return ExitStatus.start
        }
    }

    private func dispatch(_ arguments: [String]) async throws -> Int32 {
        let parser = ArgumentParser(commands: Commands.all)
        switch arguments.first {
        case nil:
            console.note(trimmed(HelpText.program(Commands.all)))
            return ExitStatus.usage
        case "--help", "-h":
            console.out(trimmed(HelpText.program(Commands.all)))
            return ExitStatus.fine
        case "--version":
            console.out("tapedeck \(ProgramVersion.current)")
            return ExitStatus.fine
        default:
            break
        }
        let parsed = try parser.parse(arguments)
        if parsed.wantsHelp {
            console.out(trimmed(HelpText.command(parsed.command)))
            return ExitStatus.fine
        }
        return try await perform(parsed, parser)
    }

    private func perform(_ parsed: ParsedArguments, _ parser: ArgumentParser) async throws -> Int32 {
        let settings = Settings(parsed, variables: variables)
        switch parsed.command.name {
        case Commands.record.name:
            return try await run(.record, settings)
        case Commands.replay.name:
            return try await run(.replay, settings)
        case Commands.passthrough.name:
            return try await run(.passthrough, settings)
        case Commands.demo.name:
            return try await DemoCommand(settings, console).run()
        case Commands.ls.name:
            return try ListCommand(settings: settings, console: console).run()
        case Commands.show.name:
            return try ShowCommand(settings: settings, console: console).run()
        case Commands.diff.name:
            return try DiffCommand(settings: settings, console: console).run()
        case Commands.status.name:
            return try StatusCommand(settings: settings, console: console, now: WallClock.system.now()).run()
        case Commands.verdict.name:
            return try VerdictCommand(settings: settings, console: console).run()
        case Commands.check.name:
            return try CheckCommand(settings: settings, console: console).run()
        case Commands.completion.name:
            return try CompletionCommand(settings: settings, console: console).run()
        case Commands.scan.name:
            return try ScanCommand(settings: settings, console: console).run()
        case Commands.sanitize.name:
            return try SanitizeCommand(settings: settings, console: console).run()
        case Commands.sanitizers.name:
            return try SanitizersCommand(settings: settings, console: console).run()
        case Commands.ca.name:
            return try AuthorityCommand(settings: settings, console: console, clock: .system, random: .system).run()
        case Commands.ctl.name:
            return try await CtlCommand(settings, console).run()
        case Commands.help.name:
            let topic = try parsed.operands.first.map(parser.command(named:))
            console.out(trimmed(topic.map(HelpText.command) ?? HelpText.program(Commands.all)))
        default:
            console.out("tapedeck \(ProgramVersion.current)")
        }
        return ExitStatus.fine
    }

    private func run(_ mode: DeckOptions.Mode, _ settings: Settings) async throws -> Int32 {
        let options = try RunOptionsReader(settings).read(mode)
        if mode == .record, try settings.flag(Options.twice) {
            let configuration = ConfigurationFile(settings)
            return try await RecordTwice(options, configuration, console: console, variables: variables).run()
        }
        return try await RunCommand(options: options, console: console, variables: variables).run()
    }

    private func report(_ message: String, _ advice: String?) {
        let name = Style.bad.applied(to: "tapedeck:", color: console.errorHasColor)
        console.note("\(name) \(message)")
        if let advice {
            console.note("  → \(advice)")
        }
    }

    private func trimmed(_ text: String) -> String {
        text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
