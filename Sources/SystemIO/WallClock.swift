#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The date and time of day, handed to whoever needs it.
package struct WallClock: Sendable {
    /// Milliseconds since 1970-01-01 00:00 UTC.
    package var now: @Sendable () -> Int64

    package init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// The machine's clock.
    package static let system = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// The clock that never goes back.
package enum Monotonic {
    /// Nanoseconds since some moment before the process began.
    package static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
