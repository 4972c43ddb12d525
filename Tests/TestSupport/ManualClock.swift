import SystemIO

/// A clock that stands still until a test moves it. Its parts fit a loop's clock.
///
///     LoopClock(now: clock.now, attach: clock.attach, willWait: clock.willWait)
package final class ManualClock: Sendable {
    private struct State: Sendable {
        var now: UInt64 = 1_000_000_000
        var observers: [@Sendable () -> Void] = []
        /// The next timer of each loop, as of its last wait.
        var deadlines: [Int: UInt64] = [:]
    }

    private let state = Monitor(State())

    package init() {}

    /// Nanoseconds.
    package var now: @Sendable () -> UInt64 { { [state] in state.change { $0.now } } }

    package var attach: @Sendable (_ wakeUp: @escaping @Sendable () -> Void) -> Void {
        { [state] wakeUp in state.change { $0.observers.append(wakeUp) } }
    }

    package var willWait: @Sendable (_ loop: Int, _ deadline: UInt64?) -> Void {
        { [state] loop, deadline in state.change { $0.deadlines[loop] = deadline } }
    }

    package func advance(by duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let observers = state.change { state in
            state.now += UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
            return state.observers
        }
        for observer in observers { observer() }
    }

    /// Blocks until a loop waits for a timer that is still to come, within `time`, and gives the time until it is due. Nil if
    /// that does not happen in 20 real seconds.
    package func timeToTimer(within time: Duration) -> Duration? {
        state.wait(atMost: 20_000) { state in
            let (seconds, attoseconds) = time.components
            let limit = state.now + UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
            guard let next = state.deadlines.values.filter({ $0 > state.now && $0 <= limit }).min() else { return nil }
            return .nanoseconds(Int64(next - state.now))
        }
    }

    /// Blocks until a loop waits for a timer that is due within `seconds`. False if that does not happen in 20 real seconds.
    package func waitForTimer(within seconds: UInt64) -> Bool {
        state.wait(atMost: 20_000) { state in
            let limit = state.now + seconds * 1_000_000_000
            return state.deadlines.values.contains { $0 <= limit } ? true : nil
        } ?? false
    }
}
