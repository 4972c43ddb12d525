import CassetteKit
import DeckEngine
import DeckRules
import SystemIO
import TestSupport
import Testing
import Transport

/// Rates and recorded times, in every mode.
@Suite struct PaceTests {
    private static let body = String(repeating: "x", count: 4_000)
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n" + body

    private func time(_ deck: RunningDeck, _ method: String = "GET", body: String? = nil) async throws -> Duration {
        let clock = ContinuousClock()
        let start = clock.now
        let answer = try await deck.ask(method, "/a", body: body)
        #expect(answer.text == Self.body)
        return clock.now - start
    }

    @Test func aRateActsOnRecordedAndOnLiveAnswers() async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream(answering: Self.answer)
        let slow = #"{"version": 1, "bandwidth": 20000}"#
        let record = try await RunningDeck.start(
            .record, cassette: folder.path + "/c", upstream: upstream.port, configuration: slow
        ) {
            $0.upstreams = [NamedUpstream(url: "http://api.test")]
            $0.upstreamOptions.connectTo = ("127.0.0.1", upstream.port)
        }
        #expect(try await time(record) > .milliseconds(180))
        #expect(await record.deck.stop().record?.new.count == 1, "what was only throttled is stored")
        let replay = try await RunningDeck.start(.replay, cassette: folder.path + "/c", configuration: slow)
        #expect(try await time(replay) > .milliseconds(180))
        _ = await replay.deck.stop()
    }

    @Test func uploadsAreHeldToTheRateToo() async throws {
        let upstream = try ScriptedUpstream(answering: Self.answer)
        let deck = try await RunningDeck.start(
            .passthrough, upstream: upstream.port, configuration: #"{"version": 1, "bandwidth": 20000}"#)
        #expect(try await time(deck, "POST", body: Self.body) > .milliseconds(360))
        _ = await deck.deck.stop()
    }

    @Test func recordedTimesComeAgainAtTheSpeedThatIsAskedFor() async throws {
        let folder = try TemporaryDirectory()
        let half = String(repeating: "x", count: 2_000)
        let upstream = try ScriptedUpstream(answering: Self.answer)
        let record = try await RunningDeck.start(
            .record, cassette: folder.path + "/c", upstream: upstream.port, configuration: #"{"version": 1}"#
        ) {
            $0.upstreams = [NamedUpstream(url: "http://api.test")]
            $0.upstreamOptions.connectTo = ("127.0.0.1", upstream.port)
        }
        _ = try await time(record)
        _ = await record.deck.stop()
        let name = try #require(try Files.list(folder.path + "/c/interactions").first)
        try Files.writeAtomically(
            Array(#"{"\#(name)": [200000, 0, 2000, 200000, 2000]}"#.utf8), to: folder.path + "/c/timings.json")
        for (latency, least, most) in [("recorded", 390, 20_000), (#"{"recorded": {"speed": 4}}"#, 95, 390)] {
            let text = latency.hasPrefix("{") ? latency : #""\#(latency)""#
            let replay = try await RunningDeck.start(
                .replay, cassette: folder.path + "/c", configuration: #"{"version": 1, "latency": \#(text)}"#)
            let client = try RawClient(port: replay.port)
            let clock = ContinuousClock()
            let start = clock.now
            try client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try client.readThrough("\r\n\r\n")
            let first = clock.now - start
            #expect(try client.take(2_000) == Array(half.utf8))
            #expect(try client.take(2_000) == Array(half.utf8))
            let whole = clock.now - start
            #expect(first >= .milliseconds(least / 2 - 5) && whole >= .milliseconds(least))
            #expect(whole < .milliseconds(most))
            _ = await replay.deck.stop()
        }
    }
}
