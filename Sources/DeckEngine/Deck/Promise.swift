import SystemIO

/// A value that comes once and that any number of tasks may wait for.
///
/// Any thread may fulfil and wait; the lock guards both states.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Value, Never>])
        case done(Value)
    }

    private let state = Locked(State.waiting([]))

    /// The value, as soon as it is there; a cancelled task waits on.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let ready: Value? = state.withLock { state in
                    switch state {
                    case .done(let value):
                        return value
                    case .waiting(let others):
                        state = .waiting(others + [continuation])
                        return nil
                    }
                }
                if let ready { continuation.resume(returning: ready) }
            }
        }
    }

    /// Gives the value; a second one is dropped.
    func fulfil(_ value: Value) {
        let waiting: [CheckedContinuation<Value, Never>] = state.withLock { state in
            guard case .waiting(let all) = state else { return [] }
            state = .done(value)
            return all
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    /// Whether the value has come.
    var isFulfilled: Bool {
        state.withLock { if case .done = $0 { true } else { false } }
    }
}
