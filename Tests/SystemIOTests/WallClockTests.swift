import SystemIO
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct WallClockTests {
    @Test func countsMillisecondsSince1970() {
        let before = Int64(time(nil))
        let now = WallClock.system.now()
        let after = Int64(time(nil))
        // `time(2)` may be a tick behind.
        #expect(now >= before * 1000 && now <= (after + 1) * 1000)
    }

    @Test func neverGoesBack() {
        let readings = (0..<1_000).map { _ in Monotonic.nanoseconds() }
        #expect(readings == readings.sorted())
    }
}
