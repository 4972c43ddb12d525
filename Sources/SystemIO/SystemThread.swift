import CShims

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Threads of our own, for work that blocks and for event loops.
package enum SystemThread {
    /// Starts a detached thread that runs `body` and ends with it.
    ///
    /// The thread takes no signals but those of its own faults: they are for the thread that `Signals` keeps. Of the name, which
    /// debuggers show, the system keeps 15 octets.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
        do throws(SystemError) {
            try withSignalsBlocked { () throws(SystemError) in try create(start.toOpaque()) }
        } catch {
            start.release()
            throw error
        }
    }

    private static func create(_ argument: UnsafeMutableRawPointer) throws(SystemError) {
        #if canImport(Darwin)
            var thread: pthread_t?
            try SystemCall.coded("pthread_create") { pthread_create(&thread, nil, runThread, argument) }
            if let thread { pthread_detach(thread) }
        #else
            var thread = pthread_t()
            try SystemCall.coded("pthread_create") { pthread_create(&thread, nil, runThread, argument) }
            pthread_detach(thread)
        #endif
    }

    /// A new thread inherits the mask of the one that makes it, so it is born with the signals blocked.
    private static func withSignalsBlocked(_ body: () throws(SystemError) -> Void) throws(SystemError) {
        var blocked = sigset_t()
        var old = sigset_t()
        sigfillset(&blocked)
        // A fault raises these in the thread at fault; blocked, they would end the program without a word.
        for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&blocked, signal) }
        pthread_sigmask(SIG_SETMASK, &blocked, &old)
        defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
        try body()
    }
}

/// What a new thread is handed.
private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

#if canImport(Darwin)
    private func runThread(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { begin(argument) }
#else
    private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { argument.flatMap(begin) }
#endif

private func begin(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    tapedeck_name_thread(start.name)
    start.body()
    return nil
}
