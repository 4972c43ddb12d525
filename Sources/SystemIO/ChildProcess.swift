#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A program that was started by this one and is waited for without blocking anyone.
package final class ChildProcess: Sendable {
    /// How a program ended.
    package enum Exit: Sendable, Equatable {
        case code(Int32)
        case signal(Int32)

        /// The status a shell would give: the code, or 128 and the signal's number.
        package var status: Int32 {
            switch self {
            case .code(let code): code
            case .signal(let number): 128 + number
            }
        }
    }

    private enum State {
        case running([CheckedContinuation<Exit, Never>])
        case ended(Exit)
    }

    /// The process id. Another program may have it once this one was waited for: use `signal`.
    package let pid: Int32
    /// Changed to `ended` once, together with the reaping, by the thread that waits.
    private let state = Locked(State.running([]))

    private init(pid: Int32) { self.pid = pid }

    /// Starts a program, looked up in this program's `PATH` if its name has no slash (`posix_spawnp(3)`).
    ///
    /// It has exactly `environment`, this program's working folder unless `directory` is given, and its standard streams except for those that
    /// `streams` replaces. No signal is blocked or ignored in it. Throws `ENOENT` or `EACCES` where it can't be run.
    package static func spawn(
        _ arguments: [String], environment: [String: String], directory: String? = nil, streams: Streams = Streams()
    ) throws(SystemError) -> ChildProcess {
        let pid = try Spawning.start(arguments, environment, directory, streams)
        let child = ChildProcess(pid: pid)
        do throws(SystemError) {
            try SystemThread.start("child-\(pid)") { child.reap() }
        } catch {
            // Nobody would wait for it or hear of it.
            _ = kill(pid, SIGKILL)
            _ = try? SystemCall.retry("waitpid") { waitpid(pid, nil, 0) }
            throw error
        }
        return child
    }

    /// Sends a signal, unless the program has ended.
    package func signal(_ number: Int32) {
        state.withLock { state in
            // Under the lock the program is not reaped, so its id is still its own.
            if case .running = state { _ = kill(pid, number) }
        }
    }

    /// Returns when the program has ended; any number of tasks may wait, also afterwards.
    package func wait() async -> Exit {
        await withCheckedContinuation { waiter in
            let exit = state.withLock { state -> Exit? in
                switch state {
                case .ended(let exit): return exit
                case .running(let waiters):
                    state = .running(waiters + [waiter])
                    return nil
                }
            }
            if let exit { waiter.resume(returning: exit) }
        }
    }

    /// Blocks until the program ends, then lets its id go and tells those who wait.
    private func reap() {
        var info = siginfo_t()
        _ = try? SystemCall.retry("waitid") { waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) }
        let (exit, waiters) = state.withLock { state -> (Exit, [CheckedContinuation<Exit, Never>]) in
            var status: Int32 = 0
            _ = try? SystemCall.retry("waitpid") { waitpid(pid, &status, 0) }
            let exit = Self.exit(status)
            guard case .running(let waiters) = state else { return (exit, []) }
            state = .ended(exit)
            return (exit, waiters)
        }
        for waiter in waiters { waiter.resume(returning: exit) }
    }

    /// `WIFSIGNALED`, `WTERMSIG` and `WEXITSTATUS`, which are macros.
    private static func exit(_ status: Int32) -> Exit {
        let signal = status & 0x7F
        return signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
    }
}
