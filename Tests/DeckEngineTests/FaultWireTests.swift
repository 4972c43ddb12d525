import DeckEngine
import DeckRules
import TestSupport
import Testing
import Transport

/// What a client finds on its socket, octet by octet, and how the connection ends.
@Suite struct FaultWireTests {
    private static let body = "0123456789"

    /// A fault and what it looks like: what comes first, what is behind the head, how it ends.
    struct Row: Sendable, CustomTestStringConvertible {
        var variant: String
        var start = "HTTP/1.1 200 OK\r\n"
        var rest: String
        var ending: RawClient.Ending

        var testDescription: String { variant }

        static func silent(_ variant: String, _ ending: RawClient.Ending) -> Row {
            Row(variant: variant, start: "", rest: "", ending: ending)
        }
    }

    private static let ends: [(fault: String, ending: RawClient.Ending)] = [
        ("stall", .none), ("truncatedBody", .fin), ("connectionReset", .reset),
    ]
    private static let parts = [("nothing", nil), ("head", ""), ("half", "01234"), ("allButEnd", "012345678")]

    static let grid = ends.flatMap { fault, ending in
        parts.map { part, rest in
            rest.map { Row(variant: "\(fault)-\(part)", rest: $0, ending: ending) }
                ?? .silent("\(fault)-\(part)", ending)
        }
    }

    static let named: [Row] = [
        .silent("timeout", .none), .silent("emptyResponse", .fin), .silent("offline", .reset),
        Row(variant: "malformedResponse", start: "?? this is no status line\r\n", rest: "", ending: .fin),
        Row(variant: "brokenChunk", rest: "5\r\n01234\r\nnot-a-size\r\n", ending: .fin),
        Row(variant: "noGzip", rest: "this is no gzip stream", ending: .fin),
        Row(variant: "redirectLoop", start: "HTTP/1.1 302 Found\r\nLocation: /a?x=1\r\n", rest: "", ending: .fin),
    ]

    private static let configuration = {
        let cells = ends.flatMap { fault, _ in
            parts.map { part, _ in
                #""\#(fault)-\#(part)": {"fault": "\#(fault)", "sends": "\#(part)", "status": 200, "body": "\#(body)"}"#
            }
        }
        let own = [
            #""brokenChunk": {"fault": "malformedChunk", "status": 200, "body": "\#(body)"}"#,
            #""noGzip": {"fault": "wrongCoding", "status": 200, "body": "\#(body)"}"#,
        ]
        return """
            {"version": 1, "routes": {"a": {"match": "* /a?*", "variants": {\((cells + own).joined(separator: ", "))}}}}
            """
    }()

    private func deck(_ variant: String, _ poller: PollerKind = .epoll) async throws -> RunningDeck {
        try await RunningDeck.start(.replay, configuration: Self.configuration, poller: poller) {
            $0.faults = ["a=\(variant)"]
        }
    }

    private func ask(_ deck: RunningDeck, _ method: String, patience: Int = 20_000) throws -> RawClient {
        let client = try RawClient(port: deck.port, patience: patience)
        try client.send("\(method) /a?x=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return client
    }

    @Test(arguments: PollerKind.allCases, grid + named)
    func showsWhatItSays(poller: PollerKind, row: Row) async throws {
        let deck = try await deck(row.variant, poller)
        let client = try ask(deck, "GET", patience: row.ending == .none ? 300 : 20_000)
        let (octets, ending) = client.readToEnd()
        let text = String(decoding: octets, as: UTF8.self)
        #expect(ending == row.ending)
        #expect(text.hasPrefix(row.start))
        if row.start.isEmpty {
            #expect(text.isEmpty)
        } else {
            let head = text.firstRange(of: "\r\n\r\n")
            #expect(head.map { String(text[$0.upperBound...]) } == row.rest)
        }
        if FaultKind(rawValue: String(row.variant.prefix { $0 != "-" }))?.details.cutsAnswer == true, !text.isEmpty {
            #expect(text.contains("Content-Length: 10\r\n") && text.contains("Connection: close\r\n"))
        }
        client.close()
        #expect(await deck.deck.stop().faults == 1)
    }

    @Test(arguments: ["timeout", "stall-half"]) func aHoldEndsWhenTheClientDoes(variant: String) async throws {
        let deck = try await deck(variant)
        let client = try ask(deck, "GET")
        client.finish()
        #expect(client.readToEnd().ending == .fin)
        _ = await deck.deck.stop()
    }

    @Test(arguments: ["stall-half", "truncatedBody-allButEnd", "connectionReset-head"])
    func whatHasNoBodyIsNotShownAtAll(variant: String) async throws {
        let deck = try await deck(variant)
        #expect(try ask(deck, "HEAD", patience: 300).readToEnd().octets.isEmpty)
        _ = await deck.deck.stop()
    }

    @Test(arguments: [
        (#"{"fault": "timeout", "sends": "head"}"#, "cuts no answer"),
        (#"{"fault": "stall", "sends": "tail"}"#, "no part"),
    ])
    func nonsenseIsRefused(variant: String, words: String) throws {
        let text = #"{"version": 1, "variants": {"x": \#(variant)}}"#
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse(Array(text.utf8), file: "tapedeck.json") { _ in nil }
        }
        #expect(error?.description.contains(words) == true)
    }
}
