import SystemIO

/// Work that goes on behind exchanges, at most so much of it at a time, and all of it done before a run ends.
final class PendingWork: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var finishing: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())
    private let limit: Int

    /// - Parameter limit: pieces of work under way before who adds another waits.
    init(limit: Int = 256) { self.limit = limit }

    /// Starts a piece of work, once there is room.
    func add(_ work: @escaping @Sendable () async -> Void) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.count < limit {
                    state.count += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        Task {
            await work()
            done()
        }
    }

    /// Returns when nothing is under way.
    func finish() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.count == 0 { return true }
                state.finishing.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    private func done() {
        let resumed: [CheckedContinuation<Void, Never>] = state.withLock { state in
            if !state.waiting.isEmpty { return [state.waiting.removeFirst()] }
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.finishing = [] }
            return state.finishing
        }
        for continuation in resumed { continuation.resume() }
    }
}
