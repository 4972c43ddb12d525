import SystemIO

/// What waits on purpose in a session, delayed answers and held connections, so that a switch can end it at once.
///
/// Any thread, under the lock; what ends a wait is called outside of it.
final class Holds: Sendable {
    private struct State {
        var next = 0
        var ends: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Locked(State())

    /// Adds a wait.
    ///
    /// - Parameter end: ends it, from any thread; called once at most.
    /// - Returns: what ``remove(_:)`` takes once it is over.
    func add(_ end: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.ends[state.next] = end
            return state.next
        }
    }

    func remove(_ number: Int) { state.withLock { _ = $0.ends.removeValue(forKey: number) } }

    /// Ends all that waits now.
    func endAll() {
        let ends = state.withLock { state in
            defer { state.ends = [:] }
            return state.ends
        }
        for end in ends.values { end() }
    }
}
