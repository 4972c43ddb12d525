import CassetteKit
import DeckEngine
import TapedeckClient
import TestSupport
import Testing

/// Faults where a real upstream answers: what is cut is its answer, and nothing broken is stored.
@Suite struct LiveFaultTests {
    private static let answer =
        "HTTP/1.1 200 OK\r\nX-From: upstream\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n5\r\nfghij\r\n0\r\n\r\n"

    private func ask(_ deck: RunningDeck) throws -> (octets: [UInt8], ending: RawClient.Ending) {
        let client = try RawClient(port: deck.port)
        try client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi")
        return client.readToEnd()
    }

    @Test func cutsTheUpstreamsOwnAnswerAndStoresNothing() async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream(answering: Self.answer)
        let deck = try await RunningDeck.start(.record, cassette: folder.path + "/c", upstream: upstream.port) {
            $0.faults = ["POST /a=connectionReset,times=1"]
        }
        let (octets, ending) = try ask(deck)
        let text = String(decoding: octets, as: UTF8.self)
        #expect(ending == .reset)
        #expect(text.contains("X-From: upstream\r\n") && text.contains("Content-Length: 10\r\n"))
        #expect(text.hasSuffix("\r\n\r\nabcde"))
        #expect(String(decoding: upstream.log.requests.first ?? [], as: UTF8.self).hasSuffix("\r\n\r\nhi"))
        let report = await deck.deck.stop()
        #expect(report.record?.new == [] && report.faults == 1)
        #expect(try Cassette.load(folder: folder.path + "/c").interactions.isEmpty)
    }

    @Test(arguments: [("empty", #"{"a":[],"n":1.50}"#), ("partial", #"{"a":[1,2],"n":1.50}"#)])
    func changesOfABodyActOnLiveAnswersAndAreNotStored(variant: String, expected: String) async throws {
        let folder = try TemporaryDirectory()
        let json = #"{"a":[1,2,3],"n":1.50}"#
        let upstream = try ScriptedUpstream(
            answering:
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)"
        )
        let deck = try await RunningDeck.start(.record, cassette: folder.path + "/c", upstream: upstream.port) {
            $0.faults = ["POST /a=\(variant),times=1"]
        }
        #expect(try await deck.ask("POST", "/a", body: "hi").text == expected)
        let report = await deck.deck.stop()
        #expect(report.record?.new == [] && report.notStored == ["changed by a variant": 1])
    }

    @Test func aFaultThatShowsNothingAsksNobody() async throws {
        let upstream = try ScriptedUpstream(answering: Self.answer)
        let deck = try await RunningDeck.start(.passthrough, upstream: upstream.port) {
            $0.faults = ["POST /a=emptyResponse"]
        }
        let (octets, ending) = try ask(deck)
        #expect(octets.isEmpty && ending == .fin)
        #expect(upstream.log.requests.isEmpty)
        _ = await deck.deck.stop()
    }

    @Test func anUpstreamThatIsGoneIsToldAsWithoutFaults() async throws {
        let gone = try ScriptedUpstream(answering: "")
        gone.stop()
        let deck = try await RunningDeck.start(.passthrough, upstream: gone.port) {
            $0.faults = ["POST /a=truncatedBody"]
        }
        let (octets, _) = try ask(deck)
        #expect(String(decoding: octets, as: UTF8.self).hasPrefix("HTTP/1.1 502 "))
        _ = await deck.deck.stop()
    }
}
