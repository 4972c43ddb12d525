#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Makes files outlive a power failure, many at a time and on a thread of its own (`fsync(2)`).
///
/// Files that are added wait at most half a second and go together: each file once, then each of their folders once. A file that was
/// removed meanwhile needs nothing. A failure is kept and thrown by the next `flush`.
package final class FsyncGroup: Sendable {
    /// How long a file waits for others, in milliseconds.
    private static let gathering = 500

    private let monitor: Monitor<Pending>

    /// Starts the thread.
    package init() throws(SystemError) {
        let monitor = Monitor(Pending())
        self.monitor = monitor
        try SystemThread.start("fsync") { Self.run(monitor) }
    }

    deinit { monitor.change { $0.isEnding = true } }

    /// Adds a file that has its final name.
    package func add(_ path: String) {
        monitor.change { _ = $0.paths.insert(path) }
    }

    /// Returns when all that was added is on the disk. Throws the first failure since the last `flush`.
    package func flush() async throws(SystemError) {
        let result = await withCheckedContinuation { (waiter: CheckedContinuation<Result<Void, SystemError>, Never>) in
            monitor.change { $0.waiters.append(waiter) }
        }
        try result.get()
    }

    private struct Pending: Sendable {
        var paths: Set<String> = []
        var waiters: [CheckedContinuation<Result<Void, SystemError>, Never>] = []
        var isEnding = false
        var isUrgent: Bool { isEnding || !waiters.isEmpty }
    }

    private static func run(_ monitor: Monitor<Pending>) {
        var failure: SystemError?
        while true {
            _ = monitor.wait { !$0.paths.isEmpty || $0.isUrgent ? true : nil }
            _ = monitor.wait(atMost: gathering) { $0.isUrgent ? true : nil }
            let batch = monitor.change { pending in
                defer { (pending.paths, pending.waiters) = ([], []) }
                return pending
            }
            failure = sync(batch.paths) ?? failure
            for waiter in batch.waiters { waiter.resume(returning: failure.map { .failure($0) } ?? .success(())) }
            if !batch.waiters.isEmpty { failure = nil }
            if batch.isEnding { return }
        }
    }

    /// Syncs files, then their folders; goes on after a failure and returns the first one.
    private static func sync(_ paths: Set<String>) -> SystemError? {
        let files = paths.sorted()
        let folders = Set(files.compactMap(Files.parent(of:))).sorted()
        var first: SystemError?
        for path in files + folders {
            do throws(SystemError) {
                let file = try Descriptor.open(path, O_RDONLY)
                _ = try SystemCall.retry("fsync", path) { fsync(file.number) }
            } catch  where error.errno != ENOENT {
                first = first ?? error
            } catch {
                // Removed since it was added: nothing is left to be kept.
            }
        }
        return first
    }
}
