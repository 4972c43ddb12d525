import CassetteKit
import DeckEngine
import HTTPCore
import SystemIO
import TapedeckClient
import TestSupport
import Testing
import Transport

/// One recording for all values of a path's parameter.
@Suite struct SharedPathTests {
    private static let route = #""item": {"match": "GET /items/{itemId}?*", "anyPath": "itemId", "substitute": true}"#

    private func configuration(_ route: String = route) -> String { #"{"version": 1, "routes": {\#(route)}}"# }

    private func replay(_ files: [String], _ configuration: String, _ folder: TemporaryDirectory) async throws
        -> RunningDeck
    {
        try Interactions.write(files, to: folder.path + "/c")
        return try await RunningDeck.start(.replay, cassette: folder.path + "/c", configuration: configuration)
    }

    @Test func everyValueGetsTheAnswerWithItsOwnValueInIt() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await replay(
            [
                Interactions.file(
                    "GET", "/items/17?x=1", #"{"json": {"id": 17, "self": "/items/17", "n": 17}, "layout": "compact"}"#)
            ],
            configuration(), folder)
        let recorded = try await deck.ask("GET", "/items/17?x=1")
        #expect(recorded.text == #"{"id":17,"self":"/items/17","n":17}"#)
        let other = try await deck.ask("GET", "/items/4711?x=1")
        #expect(other.text == #"{"id":4711,"self":"/items/4711","n":17}"#)
        #expect(other.head.fields.text("Content-Length") == "\(other.body.count)")
        #expect(try await deck.ask("GET", "/items/a%20b?x=1").text == #"{"id":"a b","self":"/items/a%20b","n":17}"#)
        #expect(try await deck.ask("GET", "/items/4711?x=2").status == 599)
        #expect(try await deck.ask("GET", "/items/4711/more?x=1").status == 599)
        _ = await deck.deck.stop()
    }

    @Test func withoutSubstitutionTheAnswerIsAsRecorded() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await replay(
            [Interactions.file("GET", "/items/17", #"{"text": ["{\"id\": 17}"]}"#)],
            configuration(#""item": {"match": "GET /items/{itemId}", "anyPath": ["itemId"]}"#), folder)
        #expect(try await deck.ask("GET", "/items/18").text == #"{"id": 17}"#)
        _ = await deck.deck.stop()
    }

    /// All values share one order: the second request gets the second answer, whatever it asks for.
    @Test func theOrderIsOneForAllValues() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await replay(
            [1, 2].map {
                Interactions.file("GET", "/items/\($0)", #"{"text": ["{\"id\":\#($0),\"name\":\"no \#($0)\"}"]}"#)
            },
            configuration(), folder)
        #expect(try await deck.ask("GET", "/items/8").text == #"{"id":8,"name":"no 1"}"#)
        #expect(try await deck.ask("GET", "/items/9").text == #"{"id":9,"name":"no 2"}"#)
        #expect(try await deck.ask("GET", "/items/1").text == #"{"id":1,"name":"no 2"}"#)
        #expect(await deck.deck.stop().unused == [])
    }

    @Test func aCodedBodyKeepsItsCodingAndFieldsAreEncoded() async throws {
        let folder = try TemporaryDirectory()
        let file = """
            {"request": {"method": "GET", "url": "http://api.test/items/{itemId}", "headers": ["Accept-Encoding: gzip"]},
             "response": {"status": 200, "headers": ["Content-Type: application/json", "Content-Encoding: gzip",
               "Location: /items/{itemId}"], "body": {"text": ["{\\"id\\": \\"{itemId}\\"}"], "coding": "gzip"}}}
            """
        let deck = try await replay([file], configuration(), folder)
        let answer = try await deck.ask("GET", "/items/a%0D%0Ab", [("Accept-Encoding", "gzip")])
        #expect(answer.head.fields.text("Content-Encoding") == "gzip")
        #expect(answer.head.fields.text("Location")?.hasSuffix("/items/a%0D%0Ab") == true)
        #expect(answer.head.fields.text("Content-Length") == "\(answer.body.count)")
        let plain = CassetteCodecs.make { _ in }.decode("gzip", answer.body)
        #expect(plain.map { String(decoding: $0, as: UTF8.self) } == #"{"id": "a\r\nb"}"#)
        _ = await deck.deck.stop()
    }

    /// A name is chosen from what was asked for first; another value later is the same interaction, found as it was.
    @Test func recordingAgainWithOtherValuesChangesNoLine() async throws {
        let folder = try TemporaryDirectory()
        var names: [[String]] = []
        for id in ["17", "99"] {
            let body = #"{"id":\#(id),"name":"lamp"}"#
            let upstream = try ScriptedUpstream(
                [
                    [
                        .readRequest,
                        .send(
                            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                        ),
                    ]
                ])
            let record = try await RunningDeck.start(
                .record, cassette: folder.path + "/c", configuration: configuration()
            ) {
                $0.upstreams = [NamedUpstream(url: "http://api.test")]
                $0.upstreamOptions.connectTo = ("127.0.0.1", upstream.port)
            }
            #expect(try await record.ask("GET", "/items/\(id)").text == body, "live, the app gets what was sent")
            let report = await record.deck.stop()
            upstream.stop()
            #expect(report.record?.changed == [])
            names.append(try Files.list(folder.path + "/c/interactions"))
        }
        #expect(names[0] == names[1])
        #expect(names[0].first?.hasPrefix("get-items-17.") == true)
    }

    @Test(arguments: [
        (#""a": {"match": "GET /items/{itemId}", "anyPath": ["itemID"]}"#, "did you mean"),
        (#""a": {"match": "GET /items", "anyPath": ["id"]}"#, "write {id} for the segment"),
        (#""a": {"match": "GET /items?q={q}", "anyPath": ["q"]}"#, "the route's path has no parameter `q`"),
        (#""a": {"match": "GET /items/{id}", "substitute": true}"#, "nothing is substituted without `anyPath`"),
        (#""a": {"match": "GET /items/{id}", "anyPath": 3}"#, "a parameter's name is expected here"),
    ])
    func aRuleThatCanNotHoldIsAnError(_ route: String, _ part: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse(Array(configuration(route).utf8), file: "tapedeck.json") { _ in nil }
        }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasPrefix("tapedeck.json:1:") == true)
    }
}
