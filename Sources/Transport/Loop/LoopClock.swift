#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The clock that loops tell time and set timers by: the system's, or one that a test moves by hand.
package struct LoopClock: Sendable {
    /// Nanoseconds since some moment in the past; never runs backwards.
    package var now: @Sendable () -> UInt64
    /// Hands the clock a function to call whenever its time was moved by hand, so that a waiting loop looks again.
    package var attach: @Sendable (_ wakeUp: @escaping @Sendable () -> Void) -> Void
    /// Called on a loop's thread before it waits, with the moment of its next timer in nanoseconds; nil without one.
    package var willWait: (@Sendable (_ loop: Int, _ deadline: UInt64?) -> Void)?

    package init(
        now: @escaping @Sendable () -> UInt64,
        attach: @escaping @Sendable (_ wakeUp: @escaping @Sendable () -> Void) -> Void = { _ in },
        willWait: (@Sendable (_ loop: Int, _ deadline: UInt64?) -> Void)? = nil
    ) {
        self.now = now
        self.attach = attach
        self.willWait = willWait
    }

    /// The system's monotonic clock (`clock_gettime(2)`, `CLOCK_MONOTONIC`).
    package static let system = LoopClock(now: {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    })
}

extension Duration {
    /// Whole nanoseconds, 0 for a negative duration, cut off at about 292 years.
    package var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return 0 }
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return UInt64(Int64.max) }
        return min(UInt64(scaled) + UInt64(attoseconds) / 1_000_000_000, UInt64(Int64.max))
    }
}
