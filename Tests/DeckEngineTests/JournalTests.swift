import CassetteKit
import HTTPCore
import SystemIO
import TestSupport
import Testing
import Transport

@testable import DeckEngine

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
        (#"{"path": "/items", "calls": 2.0, "route": null}"#, true),
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

    @Test func everyPartOfAnExchangeIsTold() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder)
        _ = try await deck.ask("POST", "/login", [("Content-Type", "text/plain")], body: "twelve octets")
        let entry = try #require(deck.deck.sessions.base.session.journal.entries.first)
        #expect(entry.client.hasPrefix("127.0.0.1:") && entry.requestOctets == 13 && entry.octets > 50)
        let (received, waited) = (try #require(entry.received), try #require(entry.waited))
        #expect(received >= .zero && received <= waited && waited <= entry.duration)
        let text = try await deck.control("GET", "/journal").text
        for key in ["client", "requestOctets", "received", "waited", "duration", "octets"] {
            #expect(text.contains("\"\(key)\" : "), "\(key) in \(text)")
        }
        _ = await deck.deck.stop()
    }

    @Test func aBodyThatStreamedByIsTheLastBodyToo() async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream([
            [.readRequest, .send("HTTP/1.1 204 No Content\r\n\r\n")]
        ])
        let deck = try await RunningDeck.start(
            .record, cassette: folder.path + "/c", upstream: upstream.port, control: true)
        let type = [("Content-Type", "application/json")]
        _ = try await deck.ask("POST", "/a", type, body: #"{"password":"planted-3","n":1}"#)
        let entry = try await deck.control("GET", "/journal").text
        #expect(entry.contains("REDACTED-password") && !entry.contains("planted"), "\(entry)")
        let answer = try await deck.control(
            "POST", "/assertions", #"{"path": "/a", "calls": 1, "lastBody": {"n": 1, "password": "planted-3"}}"#)
        #expect(answer.text.contains("\"passed\" : true"), "\(answer.text)")
        _ = await deck.deck.stop()
        upstream.stop()
    }

    @Test func theJournalIsBoundedAndItsCountsAreNot() {
        let journal = Journal(capacity: 3)
        func entry(_ size: Int) -> JournalEntry {
            var entry = JournalEntry(
                method: "POST", target: "/", status: 200, outcome: .own, octets: 1, duration: .zero)
            entry.request = RawRequest(
                method: "POST", scheme: "http", authority: Authority(host: "a"), target: [47], fields: Fields(),
                body: Array(repeating: 1, count: size))
            return entry
        }
        for _ in 0..<5 { journal.add(entry(7 << 18)) }
        #expect(journal.entries.map(\.number) == [3, 4, 5] && journal.total == 5 && journal.counts == ["own": 5])
        #expect(journal.entries.map { $0.request != nil } == [false, true, true], "bodies are bounded, too")
        journal.add(entry(1))
        #expect(journal.entries.map { $0.request != nil } == [true, true, true])
        journal.clear()
        #expect(journal.entries.isEmpty && journal.total == 6)
    }

    @Test func aFailedAssertionSaysWhatCameNear() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder)
        _ = try await deck.ask("GET", "/items")
        let answer = try await deck.control("POST", "/assertions", #"{"method": "PUT", "path": "/items", "calls": 1}"#)
        for part in ["PUT /items: 0 calls, expected 1", "near: exchange 1, GET /items, status 200, hit"] {
            #expect(answer.text.contains(part), "\(answer.text)")
        }
        _ = await deck.deck.stop()
    }

    @Test(arguments: [
        #"{"paht": "/a"}"#, #"{"calls": -1}"#, #"{"order": []}"#, "[]", "x", #"{"path": 1}"#,
        #"{"never": 1}"#, #"{"outcome": "hits"}"#, #"{"order": [{"calls": 1}, {"path": "/a"}]}"#, #"{"calls": 1.5}"#,
    ])
    func whatIsNoAssertionIsRefused(_ assertion: String) async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder)
        #expect(try await deck.control("POST", "/assertions", assertion).status == 400)
        _ = await deck.deck.stop()
    }
}
