import SystemIO

/// Counts a server's open connections, from all loops, and tells when the last has left.
final class Census: Sendable {
    private struct State {
        var open = 0
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [] }
            return waiting
        }
    }

    private let state = Locked(State())

    /// Counts one more, and gives how many there are now.
    func enter() -> Int {
        state.withLock {
            $0.open += 1
            return $0.open
        }
    }

    func leave() {
        let waiting = state.withLock { state in
            state.open -= 1
            return state.open == 0 ? state.takeWaiting() : []
        }
        for continuation in waiting { continuation.resume() }
    }

    var open: Int { state.withLock { $0.open } }

    /// Returns when no connection is open, or at the next `giveUp`.
    func waitForNone() async {
        await withCheckedContinuation { continuation in
            let isNone = state.withLock { state in
                if state.open > 0 { state.waiting.append(continuation) }
                return state.open == 0
            }
            if isNone { continuation.resume() }
        }
    }

    /// Lets all go on that wait, whatever is still open.
    func giveUp() {
        let waiting = state.withLock { $0.takeWaiting() }
        for continuation in waiting { continuation.resume() }
    }
}
