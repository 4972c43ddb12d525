/// Runs work that blocks or takes long on a few threads of its own, first come first served, away from the event loops.
package final class BackgroundQueue: Sendable {
    /// Why a piece of work was not begun.
    package enum Refusal: Error, Sendable, Equatable {
        /// As many pieces wait as the queue has room for; only with `whenFull: .refuse`.
        case full
        case shutDown
    }

    /// What a caller wants when the queue is full.
    package enum WhenFull: Sendable { case wait, refuse }

    private let monitor: Monitor<Jobs>
    private let capacity: Int

    /// Starts the threads. `capacity` is how many pieces may wait before those that can do without are refused.
    package init(label: String, threads: Int, capacity: Int) throws(SystemError) {
        let monitor = Monitor(Jobs())
        self.monitor = monitor
        self.capacity = capacity
        for index in 0..<max(1, threads) {
            try SystemThread.start("\(label)-\(index)") { Self.run(monitor) }
        }
    }

    deinit { shutdown() }

    /// Runs `work` on a thread of the queue and returns what it returns.
    ///
    /// With `.wait` it takes its place in the line however long that is: every caller is suspended meanwhile, so the line is no longer than
    /// they are many. Throws what `work` throws, or `Refusal`.
    package func run<Value: Sendable>(
        whenFull: WhenFull = .wait, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Value, any Error>) in
            let refusal = monitor.change { jobs -> Refusal? in
                if jobs.isEnding { return .shutDown }
                if whenFull == .refuse, jobs.waiting >= capacity { return .full }
                jobs.append { waiter.resume(with: Swift.Result { try work() }) }
                return nil
            }
            if let refusal { waiter.resume(throwing: refusal) }
        }
    }

    /// Takes no more work. What waits is still done; then the threads end. Returns at once.
    package func shutdown() {
        monitor.change { $0.isEnding = true }
    }

    private static func run(_ monitor: Monitor<Jobs>) {
        while true {
            let step = monitor.wait { jobs -> Step? in
                if let job = jobs.popFirst() { return .work(job) }
                return jobs.isEnding ? .end : nil
            }
            guard case .work(let job) = step else { return }
            job()
        }
    }

    private enum Step { case work(@Sendable () -> Void), end }

    /// The line of work: taken from the front, added at the back, both in constant time.
    private struct Jobs: Sendable {
        private var line: [(@Sendable () -> Void)?] = []
        private var front = 0
        var isEnding = false
        var waiting: Int { line.count - front }

        mutating func append(_ job: @escaping @Sendable () -> Void) { line.append(job) }

        mutating func popFirst() -> (@Sendable () -> Void)? {
            guard front < line.count else { return nil }
            let job = line[front]
            line[front] = nil
            front += 1
            if front > 64, front * 2 > line.count {
                line.removeFirst(front)
                front = 0
            }
            return job
        }
    }
}
