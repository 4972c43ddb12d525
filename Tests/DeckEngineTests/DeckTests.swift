import CassetteKit
import DeckEngine
import DeckRules
import HTTPCore
import SystemIO
import TapedeckClient
import TestSupport
import Testing
import Transport

/// The spine: a deck on real sockets, with a scripted upstream.
@Suite struct DeckTests {
    private static let item = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{\"id\":1}"

    /// Records `targets` in order; the upstream answers them by its scripts.
    private func record(
        _ answers: [String], _ targets: [String], into folder: String, configuration: String = #"{"version": 1}"#
    ) async throws -> RunReport {
        let upstream = try ScriptedUpstream(answers.map { [.readRequest, .send($0)] })
        let running = try await RunningDeck.start(
            .record, cassette: folder, configuration: configuration
        ) {
            // A name in place of the port, which differs each time.
            $0.upstreams = [NamedUpstream(url: "http://api.test")]
            $0.upstreamOptions.connectTo = ("127.0.0.1", upstream.port)
        }
        for target in targets { _ = try await running.ask("GET", target) }
        let report = await running.deck.stop()
        upstream.stop()
        return report
    }

    @Test(arguments: PollerKind.allCases)
    func replaysWhatItRecordedWithoutTheUpstream(poller: PollerKind) async throws {
        let folder = try TemporaryDirectory()
        let report = try await record([Self.item], ["/items/1?a=1"], into: folder.path + "/c")
        #expect(report.record?.new.count == 1)
        #expect(report.upstreamConnections >= 1)
        let replay = try await RunningDeck.start(.replay, cassette: folder.path + "/c", poller: poller)
        let answer = try await replay.ask("GET", "/items/1?a=1")
        #expect(answer.status == 200)
        #expect(answer.text == #"{"id":1}"#)
        let end = await replay.deck.stop()
        #expect(end.hits == 1)
        #expect(end.upstreamConnections == 0 && end.nameLookups == 0)
        #expect(end.lines.contains("upstream connections 0, name look-ups 0"))
    }

    @Test func anUnknownRequestIsAMissThatNamesWhatIsNear() async throws {
        let folder = try TemporaryDirectory()
        _ = try await record([Self.item], ["/items/1?a=1"], into: folder.path + "/c")
        let replay = try await RunningDeck.start(.replay, cassette: folder.path + "/c") { $0.strict = [.misses] }
        let answer = try await replay.ask("GET", "/items/1?a=2")
        #expect(answer.status == 599)
        #expect(answer.head.fields.text("Tapedeck-Miss") == "1")
        #expect(answer.text.contains("query item a"))
        let plain = try await replay.ask("GET", "/items/1?a=2", [("Accept", "text/plain")])
        #expect(plain.text.contains("To match it:"))
        #expect(await replay.deck.stop().failures.count == 1)
    }

    @Test(arguments: [
        ("repeatLast", [1, 2, 3, 3, 3]), ("loop", [1, 2, 3, 1, 2]), ("error", [1, 2, 3, 0, 0]),
    ])
    func equalRequestsGetTheRecordedOrderThenWhatThePolicySays(policy: String, expected: [Int]) async throws {
        let folder = try TemporaryDirectory()
        let answers = (1...3).map { "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\($0)" }
        _ = try await record(answers, ["/n", "/n", "/n"], into: folder.path + "/c")
        let replay = try await RunningDeck.start(
            .replay, cassette: folder.path + "/c", configuration: #"{"version": 1, "playback": "\#(policy)"}"#)
        var got: [Int] = []
        for _ in expected { got.append(Int(try await replay.ask("GET", "/n").text) ?? 0) }
        #expect(got == expected)
        _ = await replay.deck.stop()
    }

    @Test func theSameAnswerThreeTimesIsFoldedAndStillPlayedThreeTimes() async throws {
        let folder = try TemporaryDirectory()
        let end = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nend"
        _ = try await record(
            [Self.item, Self.item, Self.item, end], ["/n", "/n", "/n", "/n"], into: folder.path + "/c")
        #expect(try Cassette.load(folder: folder.path + "/c").interactions.count == 2)
        let replay = try await RunningDeck.start(.replay, cassette: folder.path + "/c")
        var got: [String] = []
        for _ in 0..<4 { got.append(try await replay.ask("GET", "/n").text) }
        #expect(got == [#"{"id":1}"#, #"{"id":1}"#, #"{"id":1}"#, "end"])
        _ = await replay.deck.stop()
    }

    @Test func recordingAgainTouchesNoFile() async throws {
        let folder = try TemporaryDirectory()
        let first = "HTTP/1.1 200 OK\r\nDate: Mon, 30 Nov 2026 10:00:00 GMT\r\nContent-Length: 1\r\n\r\nx"
        let second = first.replacing("10:00:00", with: "11:11:11")
        _ = try await record([first], ["/a"], into: folder.path + "/c")
        let again = try await record([second], ["/a"], into: folder.path + "/c")
        #expect(again.record?.unchanged.count == 1)
        #expect(again.record?.isChange == false)
    }

    @Test func newRecordsOnlyWhatIsNotThere() async throws {
        let folder = try TemporaryDirectory()
        _ = try await record([Self.item], ["/a"], into: folder.path + "/c")
        let upstream = try ScriptedUpstream(answering: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nnew")
        let deck = try await RunningDeck.start(.record, cassette: folder.path + "/c", upstream: upstream.port) {
            $0.recordMode = .new
            $0.upstreams = [NamedUpstream(url: "http://api.test")]
            $0.upstreamOptions.connectTo = ("127.0.0.1", upstream.port)
        }
        #expect(try await deck.ask("GET", "/b").text == "new")
        _ = await deck.deck.stop()
        #expect(try Cassette.load(folder: folder.path + "/c").interactions.count == 2)
        #expect(upstream.log.requests.count == 1)
    }

    @Test func anUpstreamThatIsNotThereIsA502InWordsAndNothingIsStored() async throws {
        let folder = try TemporaryDirectory()
        let gone = try ScriptedUpstream(answering: "")
        gone.stop()
        let deck = try await RunningDeck.start(.record, cassette: folder.path + "/c", upstream: gone.port)
        let answer = try await deck.ask("GET", "/a")
        #expect(answer.status == 502)
        #expect(answer.head.fields.contains("Tapedeck-Error"))
        let report = await deck.deck.stop()
        #expect(report.record?.new == [])
        #expect(try Cassette.load(folder: folder.path + "/c").interactions.isEmpty)
    }

    @Test func aCutAnswerIsNotStoredAndNotTakenForWhole() async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream([
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close]
        ])
        let deck = try await RunningDeck.start(.record, cassette: folder.path + "/c", upstream: upstream.port)
        await #expect(throws: WireError.self) { try await deck.ask("GET", "/a") }
        let report = await deck.deck.stop()
        #expect(report.record?.new == [])
        #expect(report.notStored.values.reduce(0, +) == 1)
    }

    @Test func aSecretIsNeitherOnDiskNorInTheLog() async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream([
            [
                .readRequest,
                .send(
                    "HTTP/1.1 200 OK\r\nSet-Cookie: sid=planted-cookie-1; Path=/\r\nContent-Type: application/json\r\nContent-Length: 36\r\n\r\n{\"access_token\":\"planted-token-2-x\"}"
                ),
            ]
        ])
        let deck = try await RunningDeck.start(.record, cassette: folder.path + "/c", upstream: upstream.port)
        let answer = try await deck.ask(
            "POST", "/login?api_key=planted-key-3", [("Authorization", "Bearer planted-bearer-4")],
            body: "password=planted-5")
        #expect(answer.text.contains("planted-token-2-x"), "the live client gets the real answer")
        _ = try await deck.ask("GET", "/missing?api_key=planted-key-3")
        _ = await deck.deck.stop()
        for name in try Files.list(folder.path + "/c/interactions") {
            let text = String(decoding: try Files.read(folder.path + "/c/interactions/" + name), as: UTF8.self)
            #expect(!text.contains("planted"), "\(name): \(text)")
        }
        #expect(!deck.log.text.contains("planted"))
    }

    @Test func aRecordingThatCannotBeWrittenFailsTheRun() async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream(answering: Self.item)
        let running = try await RunningDeck.start(.record, cassette: folder.path + "/c", upstream: upstream.port)
        try Files.remove(folder.path + "/c/interactions")
        #expect(try await running.ask("GET", "/a").text == #"{"id":1}"#)
        let report = await running.deck.stop()
        #expect(!report.passed)
        #expect(report.failures.contains { $0.contains("could not be written") })
    }
}
