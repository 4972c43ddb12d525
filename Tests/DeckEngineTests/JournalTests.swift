import DeckEngine
import HTTPCore
import SystemIO
import TestSupport
import Testing
import Transport

/// What the control API tells of the exchanges, and what it checks.
@Suite struct JournalTests {
    private func deck(_ folder: TemporaryDirectory) async throws -> RunningDeck {
        try Interactions.write(
            [
                Interactions.file("GET", "/items", #"{"text": ["1"]}"#),
                Interactions.file("POST", "/login", #"{"text": ["in"]}"#),
            ], to: folder.path + "/c")
        let configuration =
            #"{"version": 1, "match": {"body": "ignore"}, "routes": {"items": {"match": "GET /items"}}}"#
        return try await RunningDeck.start(
            .replay, cassette: folder.path + "/c", configuration: configuration, control: true)
    }

    @Test func theJournalIsFilteredAndHoldsNoSecret() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder)
        _ = try await deck.ask("GET", "/items")
        _ = try await deck.ask("GET", "/nowhere?token=planted-1")
        _ = try await deck.ask(
            "POST", "/login", [("Content-Type", "application/json")], body: #"{"password":"planted-2"}"#)
        func entries(_ query: String) async throws -> Int {
            try await deck.control("GET", "/journal?" + query).text.split(separator: "\"number\"").count - 1
        }
        #expect(try await entries("") == 3)
        #expect(try await entries("route=items") == 1)
        #expect(try await entries("outcome=miss") == 1)
        #expect(try await entries("method=POST&path=/lo*") == 1)
        #expect(try await entries("status=200&after=1") == 1)
        #expect(try await entries("limit=2") == 2)
        let text = try await deck.control("GET", "/journal").text
        #expect(!text.contains("planted"), "\(text)")
        #expect(text.contains("REDACTED-password"))
        #expect(try await deck.control("GET", "/journal?after=x").status == 400)
        _ = await deck.deck.stop()
    }

    @Test(arguments: [
        (#"{"path": "/items", "calls": 2}"#, true), (#"{"path": "/items", "calls": 1}"#, false),
        (#"{"route": "items", "atLeast": 1, "atMost": 2}"#, true), (#"{"route": "items", "atMost": 1}"#, false),
        (#"{"path": "/other", "never": true}"#, true), (#"{"path": "/items", "never": true}"#, false),
        (#"{"path": "/other"}"#, false), (#"{"path": "/items"}"#, true),
        (#"{"order": [{"path": "/items"}, {"method": "POST"}, {"path": "/items"}]}"#, true),
        (#"{"order": [{"method": "POST"}, {"path": "/items"}, {"path": "/items"}]}"#, false),
        (#"{"method": "POST", "lastBody": {"b": 2, "a": 1.0}}"#, true),
        (#"{"method": "POST", "lastBody": {"a": 1}}"#, false), (#"{"method": "POST", "outcome": "miss"}"#, false),
    ])
    func assertionsSayWhetherTheyHoldAndWhy(_ assertion: String, _ holds: Bool) async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder)
        _ = try await deck.ask("GET", "/items")
        _ = try await deck.ask("POST", "/login", [("Content-Type", "application/json")], body: #"{"a":1,"b":2}"#)
        _ = try await deck.ask("GET", "/items")
        let answer = try await deck.control("POST", "/assertions", assertion)
        #expect(answer.status == 200)
        #expect(answer.text.contains("\"passed\" : \(holds)"), "\(answer.text)")
        #expect(answer.text.contains("\"explanation\" : [\n"), "\(answer.text)")
        _ = await deck.deck.stop()
    }

    @Test(arguments: [#"{"paht": "/a"}"#, #"{"calls": -1}"#, #"{"order": []}"#, "[]", "x", #"{"path": 1}"#])
    func whatIsNoAssertionIsRefused(_ assertion: String) async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder)
        #expect(try await deck.control("POST", "/assertions", assertion).status == 400)
        _ = await deck.deck.stop()
    }
}
