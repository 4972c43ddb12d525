#if os(macOS) || os(Linux)
    public import ControlAPI
    import Dispatch
    import Synchronization
    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    /// A deck that this process has started: on free ports, in a process of its own.
    public final class DeckProcess: Sendable {
        /// The base URL for the client under test.
        public let proxy: String
        /// The deck's control API.
        public let control: DeckControl
        /// The deck's process id.
        public let pid: Int32

        /// Ends a deck that nobody stopped, so that none outlives a test that failed.
        deinit {
            guard !isStopped.withLock({ $0 }) else { return }
            Launch.end(pid)
        }

        private let isStopped = Mutex(false)

        private init(proxy: String, control: DeckControl, pid: Int32) {
            self.proxy = proxy
            self.control = control
            self.pid = pid
        }

        /// Starts the program and returns once it takes requests.
        ///
        /// - Parameters:
        ///   - program: the program's path, or its name to be found in `PATH`.
        ///   - arguments: the command with its options, such as `["replay", "cassettes/checkout"]`; addresses and ready
        ///     file are added.
        ///   - environment: the program's environment.
        ///   - timeout: how long it may take to get ready.
        /// - Throws: `TapedeckError` with `launchFailed` or `timedOut`; the program has been ended then.
        public static func launch(
            _ program: String = "tapedeck", _ arguments: [String],
            environment: [String: String] = ProcessInfo.processInfo.environment, timeout: Duration = .seconds(10)
        ) async throws(TapedeckError) -> DeckProcess {
            let outcome = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    let launch = Launch(program: program, arguments: arguments, environment: environment)
                    continuation.resume(returning: Result { () throws(TapedeckError) in try launch.run(timeout) })
                }
            }
            let ready = try outcome.get()
            return DeckProcess(proxy: ready.proxy, control: try DeckControl(ready.control), pid: ready.pid)
        }

        /// Drains and stops the deck, waits for the process to end, and returns the verdict.
        @discardableResult
        public func stop() async throws(TapedeckError) -> StopReport {
            let report = try await control.stop()
            isStopped.withLock { $0 = true }
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                DispatchQueue.global().async { [pid] in
                    Launch.reap(pid)
                    continuation.resume()
                }
            }
            return report
        }
    }
#endif
