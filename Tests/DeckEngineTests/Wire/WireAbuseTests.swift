import CassetteKit
import Codecs
import DeckEngine
import HTTPCore
import SystemIO
import TapedeckClient
import TestSupport
import Testing
import Transport

/// What clients and upstreams must not do, or do at a bad moment: nothing hangs, and nothing half is stored.
@Suite struct WireAbuseTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// Keeps upstreams for as long as the test runs.
    private final class Kept: Sendable {
        private let upstreams = Locked<[ScriptedUpstream]>([])
        func keep(_ upstream: ScriptedUpstream) { upstreams.withLock { $0.append(upstream) } }
    }

    private let kept = Kept()

    private func record(
        _ folder: TemporaryDirectory, _ upstream: ScriptedUpstream, configuration: String = #"{"version": 1}"#,
        change: (inout DeckOptions) -> Void = { _ in }
    ) async throws -> RunningDeck {
        kept.keep(upstream)
        return try await RunningDeck.start(.record, cassette: folder.path + "/c", configuration: configuration) {
            $0.upstreams = [NamedUpstream(url: "http://service.test")]
            $0.upstreamOptions.connectTo = ("127.0.0.1", upstream.port)
            change(&$0)
        }
    }

    private func interactions(_ folder: TemporaryDirectory) throws -> [Interaction] {
        try Cassette.load(folder: folder.path + "/c").interactions
    }

    @Test func aSecondRecorderIsRefusedWithThePidOfTheFirst() async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream(answering: Self.ok)
        let first = try await record(folder, upstream)
        let refusal = await #expect(throws: DeckError.self) { _ = try await record(folder, upstream) }
        #expect(refusal?.kind == .start)
        #expect(refusal?.message.contains(String(ThisProcess.id)) == true, "\(refusal?.message ?? "")")
        #expect(try await first.ask("GET", "/still").status == 200)
        _ = await first.deck.stop()
        #expect(try interactions(folder).count == 1)
    }

    @Test func aFileInPlaceOfTheFolderStopsTheStart() async throws {
        let folder = try TemporaryDirectory()
        try Files.writeAtomically(Array("text".utf8), to: folder.path + "/c")
        let upstream = try ScriptedUpstream(answering: Self.ok)
        await #expect(throws: DeckError.self) { _ = try await record(folder, upstream) }
        #expect(upstream.log.connections == 0)
    }

    @Test func replayChangesNoFile() async throws {
        let folder = try TemporaryDirectory()
        let recording = try await record(folder, try ScriptedUpstream(answering: Self.ok))
        _ = try await recording.ask("GET", "/a")
        _ = await recording.deck.stop()
        let names = try Files.list(folder.path + "/c") + Files.list(folder.path + "/c/interactions")
        let replay = try await RunningDeck.start(.replay, cassette: folder.path + "/c")
        #expect(try await replay.ask("GET", "/a").status == 200)
        #expect(try await replay.ask("GET", "/b").status == 599)
        _ = await replay.deck.stop()
        #expect(try Files.list(folder.path + "/c") + Files.list(folder.path + "/c/interactions") == names)
    }

    @Test(arguments: ["", " \n", "{}"])
    func anEmptyInteractionStopsTheStartAndIsNamed(text: String) async throws {
        let folder = try TemporaryDirectory()
        let recording = try await record(folder, try ScriptedUpstream(answering: Self.ok))
        _ = try await recording.ask("GET", "/a")
        _ = await recording.deck.stop()
        try Files.writeAtomically(Array(text.utf8), to: folder.path + "/c/interactions/get-b.000000.1.json")
        let refusal = await #expect(throws: DeckError.self) {
            _ = try await RunningDeck.start(.replay, cassette: folder.path + "/c")
        }
        #expect(refusal?.message.contains("get-b.000000.1.json") == true)
    }

    @Test func aClientThatResetsLeavesNothingBehind() async throws {
        let folder = try TemporaryDirectory()
        let gate = ScriptGate()
        let upstream = try ScriptedUpstream([[.readRequest, .wait(gate), .send(Self.ok)]])
        let deck = try await record(folder, upstream)
        let client = try RawClient(port: deck.port)
        try client.send("GET /gone HTTP/1.1\r\nHost: service.test\r\n\r\n")
        await upstream.wait { $0.requests.count == 1 }
        client.reset()
        gate.open()
        await upstream.wait { $0.ended == 1 || $0.finished == 1 }
        #expect(try await deck.ask("GET", "/next").status == 200)
        let report = await deck.deck.stop()
        #expect(report.notStored.values.reduce(0, +) <= 1)
        #expect(try interactions(folder).allSatisfy { $0.response?.status == 200 })
    }

    @Test func equalRequestsAreNumberedByTheirArrival() async throws {
        let folder = try TemporaryDirectory()
        let gate = ScriptGate()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
        let upstream = try ScriptedUpstream([
            [.readRequest, .wait(gate), .send(head + "slow")], [.readRequest, .send(head + "fast")],
        ])
        let deck = try await record(folder, upstream)
        let first = try RawClient(port: deck.port)
        try first.send("GET /same HTTP/1.1\r\nHost: service.test\r\n\r\n")
        await upstream.wait { $0.requests.count == 1 }
        #expect(try await deck.ask("GET", "/same").text == "fast")
        gate.open()
        #expect(try first.readResponse().text == "slow")
        _ = await deck.deck.stop()
        let replay = try await RunningDeck.start(.replay, cassette: folder.path + "/c")
        #expect(try await replay.ask("GET", "/same").text == "slow")
        #expect(try await replay.ask("GET", "/same").text == "fast")
        _ = await replay.deck.stop()
    }

    @Test func aStopWaitsForTheExchangeUnderWay() async throws {
        let folder = try TemporaryDirectory()
        let gate = ScriptGate()
        let upstream = try ScriptedUpstream([[.readRequest, .wait(gate), .send(Self.ok)]])
        let deck = try await record(folder, upstream)
        let client = try RawClient(port: deck.port)
        try client.send("GET /late HTTP/1.1\r\nHost: service.test\r\n\r\n")
        await upstream.wait { $0.requests.count == 1 }
        async let report = deck.deck.stop()
        gate.open()
        #expect(try client.readResponse().text == "ok")
        #expect(await report.record?.new.count == 1)
        #expect(try interactions(folder).count == 1)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n01234567890123456789",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n",
    ])
    func aBodyOverTheLimitPassesAndIsReported(answer: String) async throws {
        let folder = try TemporaryDirectory()
        let deck = try await record(folder, try ScriptedUpstream(answering: answer)) { $0.maxBody = 16 }
        #expect(try await deck.ask("GET", "/large").text == "01234567890123456789")
        let report = await deck.deck.stop()
        #expect(report.notStored == ["a body over 16 octets": 1])
        #expect(deck.log.text.contains("--max-body"))
        #expect(try interactions(folder).isEmpty)
    }

    @Test func aRequestThatIsTooLargeToMatchGetsAnAnswerItCanRead() async throws {
        let folder = try TemporaryDirectory()
        let recording = try await record(folder, try ScriptedUpstream(answering: Self.ok))
        _ = try await recording.ask("GET", "/a")
        _ = await recording.deck.stop()
        let replay = try await RunningDeck.start(.replay, cassette: folder.path + "/c") { $0.maxBody = 1_000 }
        let client = try RawClient(port: replay.port)
        try client.send("POST /a HTTP/1.1\r\nHost: service.test\r\nContent-Length: 300000\r\n\r\n")
        try client.send([UInt8](repeating: 120, count: 300_000))
        #expect(try client.readResponse().status == 413)
        #expect(client.readToEnd().ending == .fin)
        _ = await replay.deck.stop()
    }

    private static let slowBody = "POST /a HTTP/1.1\r\nHost: service.test\r\nContent-Length: 5\r\n\r\nab"

    private static func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: service.test\r\n\(fields)\r\n"
    }

    @Test(arguments: [
        (#"{"bodyTime": "80ms"}"#, slowBody, 408),
        (#"{"requestTime": "80ms"}"#, slowBody, 408),
        (#"{"headTime": "80ms"}"#, "GET /a HTTP/1.1\r\nHost: serv", 408),
        (#"{"fields": 2}"#, get("/a", "A: 1\r\nB: 2\r\n"), 431),
        (#"{"head": 1024}"#, get("/a", "A: \(String(repeating: "a", count: 1_100))\r\n"), 431),
        (#"{"target": 64}"#, get("/\(String(repeating: "a", count: 70))"), 414),
    ])
    func configuredLimitsHold(limits: String, request: String, status: Int) async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream(answering: Self.ok)
        let deck = try await record(folder, upstream, configuration: #"{"version": 1, "limits": \#(limits)}"#)
        let client = try RawClient(port: deck.port)
        try client.send(request)
        #expect(try client.readResponse().status == status)
        #expect(client.readToEnd().ending == .fin)
        _ = await deck.deck.stop()
        #expect(try interactions(folder).isEmpty)
    }

    @Test func aConnectionOverTheCapIsToldSo() async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream(answering: Self.ok)
        let deck = try await record(folder, upstream, configuration: #"{"version": 1, "limits": {"connections": 1}}"#)
        let first = try RawClient(port: deck.port)
        try first.send("GET /a HTTP/1.1\r\nHost: service.test\r\n\r\n")
        #expect(try first.readResponse().status == 200)
        let second = try RawClient(port: deck.port)
        try second.send("GET /b HTTP/1.1\r\nHost: service.test\r\n\r\n")
        let answer = try second.readResponse()
        #expect(answer.status == 503)
        #expect(answer.text.contains("too-many-connections"))
        _ = await deck.deck.stop()
    }

    @Test func aBombPassesIsReportedAndNeverUnfoldedOnDisk() async throws {
        let folder = try TemporaryDirectory()
        let bomb = try encodeContent(Bytes(repeating: 0, count: 8 << 20), .gzip)
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
        let deck = try await record(folder, try ScriptedUpstream([[.readRequest, .send(Array(head.utf8) + bomb)]]))
        let isWhole = try await deck.ask("GET", "/bomb", [("Accept-Encoding", "gzip")]).body == bomb
        #expect(isWhole)
        _ = await deck.deck.stop()
        #expect(deck.log.text.contains("kept undecoded"))
        let stored = try interactions(folder).first?.response?.body?.octets() ?? []
        #expect(stored.count <= bomb.count)
    }
}
