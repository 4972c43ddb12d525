import CassetteKit
import SystemIO
import TestSupport
import Testing

@testable import DeckEngine

/// What a recording says about rules when it ends, and what its journal shows.
@Suite struct SanitizingReportTests {
    private static let answer =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n"
        + #"{"access_token":"tok-0123456789ab","n":1}"#.prefix(40)

    @Test func namesRulesThatHidNothingAndCountsThoseThatDid() async throws {
        let folder = try TemporaryDirectory("rules")
        let upstream = try ScriptedUpstream(answering: Self.answer)
        let deck = try await RunningDeck.start(
            .record, cassette: folder.file("c"), upstream: upstream.port,
            configuration: #"""
                {"version": 1, "sanitize": {"rules": [
                  {"id": "fired", "query": ["customer"], "action": "remove"}, {"id": "idle", "headers": ["X-Never"]},
                  {"id": "cookies", "except": ["theme"]}], "pathSegments": ["/never/{id}"]}}
                """#)
        _ = try await deck.ask("GET", "/a?customer=4711&x=1")
        let report = await deck.deck.stop()
        #expect(report.idleRules == ["idle", "pathSegments"])
        let text = report.lines.joined(separator: "\n")
        #expect(text.contains("fired  request query customer  1"), "\(text)")
        #expect(text.contains("the rule idle hid nothing"), "\(text)")
        #expect(!text.contains("4711") && !text.contains("tok-0123"), "\(text)")
    }

    @Test func theJournalShowsNothingThatBecameKnownLater() async throws {
        let folder = try TemporaryDirectory("journal")
        let upstream = try ScriptedUpstream(answering: Self.answer)
        let deck = try await RunningDeck.start(
            .record, cassette: folder.file("c"), upstream: upstream.port, control: true)
        _ = try await deck.ask(
            "POST", "/early/tok-0123456789ab", [("Content-Type", "text/plain")], body: "note tok-0123456789ab")
        _ = try await deck.ask("GET", "/items", [("Authorization", "Bearer tok-0123456789ab")])
        let journal = try await deck.control("GET", "/journal").text
        #expect(journal.contains("/early/") && !journal.contains("tok-0123456789ab"), "\(journal)")
        _ = await deck.deck.stop()
    }
}
