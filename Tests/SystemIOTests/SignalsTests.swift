import SystemIO
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A signal is the whole process's: each test has its own.
@Suite struct SignalsTests {
    /// Other threads are there already, with the signal open to them.
    @Test func takesASignalWhicheverThreadGetsIt() async throws {
        var signals = try Signals.stream([SIGUSR2]).makeAsyncIterator()
        for _ in 0..<20 {
            kill(getpid(), SIGUSR2)
            #expect(await signals.next() == SIGUSR2)
        }
    }

    @Test func takesSeveralSignalsInOneStream() async throws {
        var signals = try Signals.stream([SIGWINCH, SIGURG]).makeAsyncIterator()
        for signal in [SIGWINCH, SIGURG, SIGWINCH] {
            kill(getpid(), signal)
            #expect(await signals.next() == signal)
        }
    }

    @Test(arguments: [SIGKILL, 0, 9_999] as [Int32])
    func refusesWhatCannotBeTaken(signal: Int32) {
        #expect(throws: SystemError(call: "sigaction", errno: EINVAL)) { _ = try Signals.stream([signal]) }
    }
}
