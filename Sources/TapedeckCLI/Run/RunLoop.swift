import DeckEngine
import Dispatch
import SystemIO

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Brings what happens to a run in one line, and does what `RunMachine` decides.
struct RunLoop: Sendable {
    private let command: RunCommand
    private let deck: Deck
    private let child: ChildProcess?

    init(_ command: RunCommand, _ deck: Deck, _ child: ChildProcess?) {
        self.command = command
        self.deck = deck
        self.child = child
    }

    /// Runs to the end and gives the status to end with.
    func run(_ signals: AsyncStream<Int32>) async -> Int32 {
        let (events, sink) = AsyncStream.makeStream(of: RunMachine.Event.self)
        watch(signals, sink)
        var machine = RunMachine(hasCommand: child != nil, terminate: SIGTERM)
        for await event in events {
            for action in machine.handle(event) {
                if case .end(let status) = action { return status }
                perform(action, sink)
            }
        }
        return ExitStatus.fine
    }

    private func watch(_ signals: AsyncStream<Int32>, _ sink: AsyncStream<RunMachine.Event>.Continuation) {
        Task {
            for await signal in signals {
                sink.yield(signal == SIGHUP ? .hungUp : .interrupted(signal: signal))
            }
        }
        Task {
            await deck.waitForStopRequest()
            sink.yield(.stopRequested)
        }
        if command.options.isWatching {
            FileWatch { [deck] in
                deck.configurationFiles
            } onChange: {
                sink.yield(.hungUp)
            }.start()
        }
        if let child {
            Task { sink.yield(.commandEnded(status: await child.wait().status)) }
        }
    }

    private func perform(_ action: RunMachine.Action, _ sink: AsyncStream<RunMachine.Event>.Continuation) {
        switch action {
        case .signalCommand(let signal):
            // A terminal's interrupt has reached the command already: it is in the same group of processes.
            if signal != SIGINT || !isTerminal(0) { child?.signal(signal) }
        case .reload:
            // The log says what came of it.
            Task { _ = await deck.reload() }
        case .drain:
            Task {
                let report = await deck.stop()
                let isWritten = finish(report)
                sink.yield(.drained(passed: report.passed && isWritten))
            }
        case .awaitMoment:
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) { sink.yield(.momentOver) }
        case .end:
            break
        }
    }

    /// Tells the account; says whether every file of it was written.
    private func finish(_ report: RunReport) -> Bool {
        if !command.options.isQuiet || !report.passed {
            report.lines.forEach(command.words.out)
        }
        var isWritten = true
        for (file, octets) in [(command.options.reportFile, report.json), (command.options.junitFile, report.junit)] {
            guard let file else { continue }
            do throws(SystemError) {
                try Files.writeAtomically(octets, to: file)
            } catch {
                command.log.write(LogEvent(.error, "the report was not written: \(error.message)"))
                isWritten = false
            }
        }
        return isWritten
    }
}
