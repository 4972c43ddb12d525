import CassetteKit
import DeckEngine
import DeckRules
import Foundation
import SystemIO
import TapedeckClient
import TestSupport
import Testing

/// Every latency model on a clock that a test moves.
@Suite struct LatencyTests {
    private static let routes = #""routes": {"a": {"match": "GET /a/{n}", "variants": {"default": {"status": 200}}}}"#

    /// A deck whose time stands still, and its clock. Nothing else has a timer within nine seconds.
    private func deck(
        _ latency: String, cassette: String? = nil, routes: String = routes
    ) async throws -> (RunningDeck, ManualClock) {
        let clock = ManualClock()
        let text = #"{"version": 1, "latency": \#(latency), \#(routes)}"#
        return (try await RunningDeck.start(.replay, cassette: cassette, configuration: text, clock: clock), clock)
    }

    /// Asks, and moves the clock to when the answer is due and no further.
    private func delay(_ deck: RunningDeck, _ clock: ManualClock, _ target: String) throws -> Duration {
        let client = try RawClient(port: deck.port)
        try client.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        let time = try #require(clock.timeToTimer(within: .seconds(9)))
        clock.advance(by: time - .nanoseconds(1))
        #expect(clock.timeToTimer(within: .seconds(9)) == .nanoseconds(1), "it is not due yet")
        clock.advance(by: .nanoseconds(1))
        #expect(try client.readResponse().status == 200)
        return time
    }

    @Test func aFixedTimeIsThatTime() async throws {
        let (deck, clock) = try await deck(#""750ms""#)
        #expect(try delay(deck, clock, "/a/1") == .milliseconds(750))
        _ = await deck.deck.stop()
    }

    @Test func manyAtOnceWaitBesideEachOther() async throws {
        let (deck, clock) = try await deck(
            #""none""#,
            routes: """
                "routes": {
                    "a": {"match": "GET /a/{n}", "variants": {"default": {"status": 200, "latency": "300ms"}}},
                    "b": {"match": "GET /b", "variants": {"default": {"status": 204}}}
                }
                """)
        let clients = try (0..<50).map { _ in try RawClient(port: deck.port) }
        for (number, client) in clients.enumerated() {
            try client.send("GET /a/\(number) HTTP/1.1\r\nHost: x\r\n\r\n")
        }
        while deck.deck.exchangesUnderWay < clients.count { await Task.yield() }
        // Whatever loop has begun one has gone on to wait when it answers this.
        for _ in 0..<16 {
            let client = try RawClient(port: deck.port)
            try client.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try client.readResponse().status == 204)
        }
        #expect(clock.timeToTimer(within: .seconds(9)) == .milliseconds(300))
        // One step of the clock is enough for all: none waited for another.
        clock.advance(by: .milliseconds(300))
        for client in clients { #expect(try client.readResponse().status == 200) }
        _ = await deck.deck.stop()
    }

    @Test(arguments: [
        (#"{"uniform": {"min": "2s", "max": "4s"}}"#, 2.0, 4.0),
        (#"{"lognormal": {"median": "1s", "p99": "2s"}}"#, 0.2, 5.0),
    ]) func chanceStaysInItsRangeAndComesAgain(latency: String, least: Double, most: Double) async throws {
        var runs: [[Duration]] = []
        for _ in 1...2 {
            var run: [Duration] = []
            for number in 1...4 {
                let (deck, clock) = try await deck(latency)
                run.append(try delay(deck, clock, "/a/\(number)"))
                _ = await deck.deck.stop()
            }
            runs.append(run)
        }
        #expect(runs[0] == runs[1])
        #expect(Set(runs[0]).count == 4)
        #expect(runs[0].allSatisfy { $0 >= .seconds(least) && $0 <= .seconds(most) })
    }

    @Test(arguments: [(#""recorded""#, 1), (#"{"recorded": {"speed": 4}}"#, 4)])
    func recordedTimesCountToTheFirstOctetAndBetweenPieces(latency: String, speed: Int) async throws {
        let folder = try TemporaryDirectory()
        try Interactions.write([Interactions.file("GET", "/a/1", #"{"text": ["abcdef"]}"#)], to: folder.path + "/c")
        try Files.writeAtomically(
            Array(#"{"a.000000.1.json": [2000000, 0, 2, 1000000, 4]}"#.utf8), to: folder.path + "/c/timings.json")
        let (deck, clock) = try await deck(latency, cassette: folder.path + "/c", routes: #""routes": {}"#)
        let client = try RawClient(port: deck.port)
        try client.send("GET /a/1 HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(clock.timeToTimer(within: .seconds(9)) == .milliseconds(2_000 / speed))
        clock.advance(by: .milliseconds(2_000 / speed))
        #expect(try client.readThrough("\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(try client.take(2) == Array("ab".utf8))
        // The sweeper's timer, which is eight seconds away now, is not meant.
        #expect(clock.timeToTimer(within: .seconds(3)) == .milliseconds(1_000 / speed))
        clock.advance(by: .milliseconds(1_000 / speed))
        #expect(try client.take(4) == Array("cdef".utf8))
        _ = await deck.deck.stop()
    }

    @Test func whatADeckAddsIsNotInTheRecordedTimes() async throws {
        let folder = try TemporaryDirectory()
        let clock = ManualClock()
        let upstream = try ScriptedUpstream(answering: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        let deck = try await RunningDeck.start(
            .record, cassette: folder.path + "/c", upstream: upstream.port,
            configuration: #"{"version": 1, "latency": "5s"}"#, clock: clock)
        let client = try RawClient(port: deck.port)
        try client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(clock.timeToTimer(within: .seconds(9)) == .seconds(5))
        clock.advance(by: .seconds(5))
        #expect(try client.readResponse().status == 200)
        #expect(await deck.deck.stop().record?.new.count == 1)
        let timings = String(decoding: try Files.read(folder.path + "/c/timings.json"), as: UTF8.self)
        #expect(timings.contains("[0, 0, 2]"), "\(timings)")
    }

    /// 64 KiB a second: ten seconds' worth take ten seconds, to a hundredth.
    @Test(arguments: [false, true]) func aRateIsThatRateBothWays(isUpload: Bool) async throws {
        let body = String(repeating: "x", count: 655_360)
        let own = #"{"status": 200, "body": "\#(isUpload ? "" : body)"}"#
        let routes = #""bandwidth": 65536, "routes": {"a": {"match": "* /a", "variants": {"default": \#(own)}}}"#
        let (deck, clock) = try await deck(#""none""#, routes: routes)
        // On a thread of its own, for it blocks while it waits for a timer.
        let mover = Mover(
            clock, within: isUpload ? .milliseconds(1_100) : .milliseconds(10), atMost: .milliseconds(10_100))
        let answer = try await deck.ask(isUpload ? "POST" : "GET", "/a", body: isUpload ? body : nil)
        let time = mover.stop()
        #expect(answer.body.count == (isUpload ? 0 : 655_360))
        #expect(time > .milliseconds(9_900), "\(time)")
        _ = await deck.deck.stop()
    }
}

/// Moves a clock from timer to timer, so far and no further: what takes longer never comes.
private final class Mover: Sendable {
    private struct State {
        var total = Duration.zero
        var isStopped = false
    }

    private let state = Locked(State())

    init(_ clock: ManualClock, within patience: Duration, atMost limit: Duration) {
        Thread.detachNewThread { [self] in
            while let step = clock.timeToTimer(within: patience) {
                let isWithin = state.withLock { state in
                    guard !state.isStopped, state.total + step <= limit else { return false }
                    state.total += step
                    return true
                }
                guard isWithin else { return }
                clock.advance(by: step)
            }
        }
    }

    /// How far the clock was moved.
    func stop() -> Duration {
        state.withLock { state in
            state.isStopped = true
            return state.total
        }
    }
}
