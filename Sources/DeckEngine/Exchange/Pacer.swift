import DeckRules
import HTTPCore
import Transport

/// Lets octets through at a rate, evenly: in portions of five milliseconds. Who was held up catches up on fifteen of them at
/// most, so that no more than 20 ms' worth ever goes out at once.
struct Pacer {
    private let bandwidth: Bandwidth
    private var started: EventLoop.Instant
    private var passed = 0

    init(_ bandwidth: Bandwidth, now: EventLoop.Instant) {
        self.bandwidth = bandwidth
        started = now
    }

    private static let mostToCatchUp = Duration.milliseconds(15)

    /// The most octets that go out at once.
    var portion: Int { max(1, bandwidth.bytesPerSecond / 200) }

    /// Counts octets, and says how long to wait until they have taken their time.
    mutating func pass(_ count: Int, now: EventLoop.Instant) -> Duration {
        passed += count
        let due = Duration.nanoseconds(Int64(Double(passed) / Double(bandwidth.bytesPerSecond) * 1e9))
        let behind = now.since(started) - due
        guard behind > Self.mostToCatchUp else { return .zero - behind }
        started.nanoseconds += (behind - Self.mostToCatchUp).wholeNanoseconds
        return .zero
    }
}

extension ServerExchange {
    /// Writes octets at a pacer's rate; without one at once.
    func write(_ octets: Bytes, at pacer: inout Pacer?) async throws(ConnectionError) {
        guard let portion = pacer?.portion else { return try await write(octets) }
        var sent = 0
        while sent < octets.count {
            let next = min(portion, octets.count - sent)
            try await write(Bytes(octets[sent..<(sent + next)]))
            sent += next
            if let wait = pacer?.pass(next, now: loop.now()) { try await pause(wait) }
        }
    }

    /// Waits by the loop's timer.
    ///
    /// - Throws: `.cancelled` when the client leaves meanwhile.
    func pause(_ time: Duration) async throws(ConnectionError) {
        guard time > .zero else { return }
        do { try await loop.sleep(for: time) } catch { throw .cancelled }
    }
}
