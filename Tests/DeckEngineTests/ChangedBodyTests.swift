import CassetteKit
import DeckEngine
import DeckRules
import HTTPCore
import SystemIO
import TapedeckClient
import TestSupport
import Testing

/// Edits of recorded and live bodies, on the wire.
@Suite struct ChangedBodyTests {
    private static let original =
        #"{"items":[{"id":1,"price":1.50},{"id":2,"price":2.0e1}],"total":2,"name":"caf\u00e9"}"#

    private func cassette(_ folder: TemporaryDirectory, coding: String? = nil) throws -> String {
        let coded = coding.map { #", "coding": "\#($0)""# } ?? ""
        let fields = coding.map { #", "Content-Encoding: \#($0)""# } ?? ""
        try Interactions.write(
            [
                Interactions.file(
                    "GET", "/a", #"{"json": \#(Self.original), "layout": "compact"\#(coded)}"#, fields: fields)
            ],
            to: folder.path + "/c")
        return folder.path + "/c"
    }

    private func replay(
        _ cassette: String?, _ variant: String, _ change: @escaping (inout DeckOptions) -> Void = { _ in }
    ) async throws -> RunningDeck {
        let text = #"{"version": 1, "routes": {"a": {"match": "GET /a", "variants": {"x": \#(variant)}}}}"#
        return try await RunningDeck.start(.replay, cassette: cassette, configuration: text) {
            $0.faults = ["a=x"]
            change(&$0)
        }
    }

    @Test(arguments: [nil, "gzip", "br", "zstd", "deflate"] as [String?])
    func aCodedBodyIsChangedToo(coding: String?) async throws {
        let folder = try TemporaryDirectory()
        let deck = try await replay(
            try cassette(folder, coding: coding),
            #"{"set": {"/items/*/id": 7, "/name": {"$edge": "emoji"}}, "keep": {"/items": 1}, "zeroAt": "/total"}"#)
        let answer = try await deck.ask("GET", "/a", [("Accept-Encoding", "gzip, br, zstd, deflate")])
        #expect(answer.head.fields.text("Content-Encoding") == nil)
        #expect(answer.text.hasPrefix(#"{"items":[{"id":7,"price":1.50}],"total":0,"name":"👩"#))
        _ = await deck.deck.stop()
    }

    @Test(arguments: [
        (#"{"emptyAt": "/items", "zeroAt": "/total"}"#, #"{"items":[],"total":0,"name":"caf\u00e9"}"#),
        (
            #"{"remove": ["/items/*/price", "/name"], "repeat": {"/items": 3}}"#,
            #"{"items":[{"id":1},{"id":2},{"id":1}],"total":2}"#
        ),
    ]) func otherOctetsKeepTheirSpelling(variant: String, expected: String) async throws {
        let folder = try TemporaryDirectory()
        let deck = try await replay(try cassette(folder), variant)
        #expect(try await deck.ask("GET", "/a").text == expected)
        _ = await deck.deck.stop()
    }

    @Test func headersAreSetAndRemoved() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await replay(
            try cassette(folder),
            #"{"status": 203, "set": {"/total": 9}, "headers": {"X-A": ["1", "2"], "content-type": null}}"#)
        let answer = try await deck.ask("GET", "/a")
        #expect(answer.status == 203 && answer.text.contains(#""total":9"#))
        #expect(answer.head.fields.all("X-A").count == 2 && !answer.head.fields.contains("Content-Type"))
        _ = await deck.deck.stop()
    }

    @Test(arguments: [("chunked", true), ("chunked", false), ("length", true), ("length", false)])
    func aLiveBodyOverTheLimitPassesUnchangedAndIsToldSo(framing: String, isOver: Bool) async throws {
        let json = #"{"l":[1,2],"s":""# + String(repeating: "x", count: 100_000) + #""}"#
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        let upstream = try ScriptedUpstream(
            answering: framing == "length"
                ? "\(head)Content-Length: \(json.utf8.count)\r\n\r\n\(json)"
                : "\(head)Transfer-Encoding: chunked\r\n\r\n\(String(json.utf8.count, radix: 16))\r\n\(json)\r\n0\r\n\r\n"
        )
        let deck = try await RunningDeck.start(.passthrough, upstream: upstream.port) {
            $0.faults = ["GET /a=empty"]
            $0.maxBody = isOver ? 50_000 : 200_000
        }
        let answer = try await deck.ask("GET", "/a")
        #expect(answer.text == (isOver ? json : json.replacing("[1,2]", with: "[]")))
        #expect(deck.log.text.contains("the variant's edits do not act on it") == isOver)
        _ = await deck.deck.stop()
    }

    /// A screen ahead of its backend: one section mocked, the rest live, in every mode.
    @Test(arguments: [DeckOptions.Mode.passthrough, .record, .replay])
    func aRouteThatBringsItsAnswerNeedsNobody(mode: DeckOptions.Mode) async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream(answering: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlive")
        try Files.writeAtomically(Array(#"{"id":"7"}"#.utf8), to: folder.file("item-7.json"))
        let text = """
            {"version": 1, "routes": {
              "new": {"match": "GET /new/{id}", "variants": {"default": {"status": 201, "bodyFile": "item-{id}.json"}}}}}
            """
        try Files.writeAtomically(Array(text.utf8), to: folder.file("tapedeck.json"))
        let configuration = try Configuration.load(folder.file("tapedeck.json"))
        let deck = try await RunningDeck.start(
            mode, cassette: mode == .record ? folder.path + "/c" : nil, upstream: mode == .replay ? nil : upstream.port
        ) { $0.configuration = configuration }
        let mocked = try await deck.ask("GET", "/new/7")
        #expect(mocked.status == 201 && mocked.text == #"{"id":"7"}"#)
        #expect(try await deck.ask("GET", "/new/%2e%2e").status == 500, "no file outside of the folder is named")
        #expect(try await deck.ask("GET", "/old").text.hasPrefix("live") == (mode != .replay))
        #expect(upstream.log.requests.count == (mode == .replay ? 0 : 1))
        let report = await deck.deck.stop()
        #expect(report.record?.new.count == (mode == .record ? 1 : nil))
    }
}
