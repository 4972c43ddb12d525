/// Decides what a running deck does next: a state machine over signals, the command's end, and requests to stop.
///
/// A signal goes to the command first; when that has ended, the deck drains. A second signal waits for no exchange: it
/// leaves the deck a moment to write what it has, then ends all. A third leaves none.
package struct RunMachine: Sendable, Equatable {
    /// What happens to a run.
    package enum Event: Sendable, Equatable {
        /// SIGINT or SIGTERM.
        case interrupted(signal: Int32)
        /// SIGHUP.
        case hungUp
        /// The control API was asked to stop.
        case stopRequested
        /// The command after `--` has ended with this status, as shells have it.
        case commandEnded(status: Int32)
        /// The deck has drained and flushed.
        case drained(passed: Bool)
        /// The moment that a second signal leaves is over.
        case momentOver
    }

    /// What is to be done about it, in this order.
    package enum Action: Sendable, Equatable {
        case signalCommand(Int32)
        case reload
        case drain
        /// Send `momentOver` in a moment: long enough to write files, too short to be noticed.
        case awaitMoment
        /// Nothing more: end the program with this status.
        case end(status: Int32)
    }

    private enum Phase: Sendable {
        /// Requests are taken, and the command runs, if there is one.
        case running
        /// The command was told to end.
        case awaitingCommand
        case draining
    }

    private var phase = Phase.running
    private var commandRuns: Bool
    private var commandStatus: Int32 = 0
    /// The signals received so far, the last of them first.
    private var signals: [Int32] = []
    /// The signal that asks a command to end where none was received.
    private let terminate: Int32

    /// - Parameters:
    ///   - hasCommand: whether a command was started.
    ///   - terminate: the number of SIGTERM.
    package init(hasCommand: Bool, terminate: Int32) {
        commandRuns = hasCommand
        self.terminate = terminate
    }

    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .interrupted(let signal):
            signals.insert(signal, at: 0)
            return (commandRuns ? [.signalCommand(signal)] : []) + afterSignal()
        case .hungUp:
            return phase == .draining ? [] : [.reload]
        case .stopRequested:
            let isFirst = phase == .running
            return (isFirst && commandRuns ? [.signalCommand(terminate)] : []) + windDown()
        case .commandEnded(let status):
            commandRuns = false
            commandStatus = status
            return drain()
        case .drained(let passed):
            // Only a second signal drains beside a command that will not end.
            if commandRuns { return interruptedEnd }
            let verdict = passed ? ExitStatus.fine : ExitStatus.failed
            return [.end(status: commandStatus == 0 ? verdict : commandStatus)]
        case .momentOver:
            return interruptedEnd
        }
    }

    private mutating func afterSignal() -> [Action] {
        switch signals.count {
        case 1: windDown()
        case 2: drain() + [.awaitMoment]
        default: interruptedEnd
        }
    }

    /// A command that would not end does not outlive its run.
    private var interruptedEnd: [Action] {
        let end = Action.end(status: ExitStatus.signal(signals.first ?? terminate))
        return commandRuns ? [.signalCommand(kill), end] : [end]
    }

    /// The number of SIGKILL on every system (POSIX).
    private var kill: Int32 { 9 }

    private mutating func windDown() -> [Action] {
        guard phase == .running else { return [] }
        if commandRuns {
            phase = .awaitingCommand
            return []
        }
        return drain()
    }

    private mutating func drain() -> [Action] {
        guard phase != .draining else { return [] }
        phase = .draining
        return [.drain]
    }
}
