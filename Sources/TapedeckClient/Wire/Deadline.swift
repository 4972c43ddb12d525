/// A moment by which something must have ended, on the clock that never goes back.
struct Deadline: Sendable {
    private let end: ContinuousClock.Instant

    init(after duration: Duration) {
        end = ContinuousClock.now + duration
    }

    /// Rounded up, so that a wait for it never ends before; 0 once it has passed. At most a day.
    var remainingMilliseconds: Int32 {
        let rest = ContinuousClock.now.duration(to: end)
        guard rest > .zero else { return 0 }
        let parts = rest.components
        guard parts.seconds < 86_400 else { return 86_400_000 }
        return Int32(parts.seconds) * 1000 + Int32(parts.attoseconds / 1_000_000_000_000_000) + 1
    }
}
