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
    ///
    /// - Parameter begins: gets, before the wait, what ends it from any thread as if its time were up.
    package func sleep(
        for duration: Duration, begins: ((@escaping @Sendable () -> Void) -> Void)? = nil
    ) async throws(CancellationError) {
        precondition(isCurrent, "a task sleeps on its own loop")
        let sleeper = LoopBound(Sleeper(self), on: self)
        begins? { [self] in perform { sleeper.value.end(isCancelled: false) } }
        let isCancelled = await withTaskCancellationHandler {
            await sleeper.value.wait(duration)
        } onCancel: {
            perform { sleeper.value.end(isCancelled: true) }
        }
        if isCancelled { throw CancellationError() }
    }
}

/// One wait of a task for a timer.
private final class Sleeper {
    private enum State {
        case fresh
        case waiting(UnsafeContinuation<Bool, Never>, EventLoop.Timer)
        case ended(isCancelled: Bool)
    }

    private let loop: EventLoop
    private var state = State.fresh

    init(_ loop: EventLoop) { self.loop = loop }

    /// Says whether it was cancelled.
    func wait(_ duration: Duration) async -> Bool {
        if case .ended(let isCancelled) = state { return isCancelled }
        return await withUnsafeContinuation { continuation in
            let timer = loop.schedule(after: duration) { self.end(isCancelled: false) }
            state = .waiting(continuation, timer)
        }
    }

    func end(isCancelled: Bool) {
        let before = state
        if case .ended = before { return }
        state = .ended(isCancelled: isCancelled)
        guard case .waiting(let continuation, let timer) = before else { return }
        loop.cancel(timer)
        continuation.resume(returning: isCancelled)
    }
}
