import CShims

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Signals as values, taken by one thread that does nothing else (`sigwait(3)`).
package enum Signals {
    /// Takes these signals from now on, for as long as the program lives, and gives each as it comes.
    ///
    /// Called from `main` before other threads begin, it leaves the signals blocked in all of them, so that no call of theirs is
    /// interrupted. A thread that was there before passes on what it gets. At most 16 wait to be read. Throws where
    /// a signal can't be taken: `SIGKILL`, `SIGSTOP`, or no signal.
    package static func stream(_ signals: [Int32]) throws(SystemError) -> AsyncStream<Int32> {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)

        let (stream, sink) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(16))
        let ready = Monitor<Result<Void, SystemError>?>(nil)
        try SystemThread.start("signals") { [set] in
            let outcome = take(signals)
            ready.change { $0 = outcome }
            if case .success = outcome { forward(set, to: sink) }
        }
        // The thread is only waited for while it makes these few calls: after that no signal is lost.
        if case .failure(let error) = ready.wait(for: { $0 }) { throw error }
        return stream
    }

    /// Makes writing to a closed pipe or socket an error (`EPIPE`) and not the program's end.
    package static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }

    private static func take(_ signals: [Int32]) -> Result<Void, SystemError> {
        for signal in signals {
            do throws(SystemError) {
                try SystemCall.once("sigaction") { tapedeck_take_signal(signal) }
            } catch {
                return .failure(error)
            }
        }
        return .success(())
    }

    private static func forward(_ signals: sigset_t, to sink: AsyncStream<Int32>.Continuation) {
        var set = signals
        var number: Int32 = 0
        while sigwait(&set, &number) == 0 { sink.yield(number) }
        sink.finish()
    }
}
