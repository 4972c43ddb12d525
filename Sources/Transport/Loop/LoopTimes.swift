extension EventLoop {
    /// A moment of the loop's clock.
    package struct Instant: Comparable, Hashable, Sendable {
        /// Since some moment in the past.
        package var nanoseconds: UInt64

        package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

        package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

        /// The time from `start` to this moment, zero if `start` is later.
        package func since(_ start: Instant) -> Duration {
            .nanoseconds(Int64(clamping: nanoseconds >= start.nanoseconds ? nanoseconds - start.nanoseconds : 0))
        }
    }

    /// A function that the loop calls once at a moment to come. Lives on its loop.
    package final class Timer {
        let callback: () -> Void
        var deadline: UInt64 = 0
        /// Tells timers with equal deadlines apart.
        var sequence: UInt64 = 0
        /// Where it is in the heap; nil when it is not set.
        var place: Int?

        init(_ callback: @escaping () -> Void) { self.callback = callback }

        var isSet: Bool { place != nil }

        func isBefore(_ other: Timer) -> Bool {
            deadline == other.deadline ? sequence < other.sequence : deadline < other.deadline
        }
    }

    /// Waits by the loop's own timer. In a task on this loop; a cancelled task ends the wait at once.
    package func sleep(for duration: Duration) async throws(CancellationError) {
        precondition(isCurrent, "a task sleeps on its own loop")
        let sleeper = LoopBound(Sleeper(self), on: self)
        let isCancelled = await withTaskCancellationHandler {
            await sleeper.value.wait(duration)
        } onCancel: {
            perform { sleeper.value.cancel() }
        }
        if isCancelled { throw CancellationError() }
    }
}

/// One wait of a task for a timer.
private final class Sleeper {
    private enum State {
        case fresh
        case waiting(UnsafeContinuation<Bool, Never>, EventLoop.Timer)
        case done
        case cancelled
    }

    private let loop: EventLoop
    private var state = State.fresh

    init(_ loop: EventLoop) { self.loop = loop }

    /// Says whether it was cancelled.
    func wait(_ duration: Duration) async -> Bool {
        if case .cancelled = state { return true }
        return await withUnsafeContinuation { continuation in
            let timer = loop.schedule(after: duration) { self.finish() }
            state = .waiting(continuation, timer)
        }
    }

    func cancel() {
        switch state {
        case .fresh: state = .cancelled
        case .waiting(let continuation, let timer):
            state = .cancelled
            loop.cancel(timer)
            continuation.resume(returning: true)
        case .done, .cancelled: break
        }
    }

    private func finish() {
        guard case .waiting(let continuation, _) = state else { return }
        state = .done
        continuation.resume(returning: false)
    }
}
