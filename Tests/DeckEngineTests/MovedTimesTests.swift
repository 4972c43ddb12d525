import DeckEngine
import DeckRules
import HTTPCore
import TapedeckClient
import TestSupport
import Testing

/// `--clock`: the times of recorded answers, all moved by one shift.
@Suite struct MovedTimesTests {
    /// Recorded an hour before and after noon; the tests' clock says Tuesday, 1 December 2026, 00:00:00.
    private func cassette(_ folder: TemporaryDirectory) throws -> String {
        let path = folder.path + "/c"
        let file = { (target: String, date: String, body: String, coding: String) in
            #"""
            {"request": {"method": "GET", "url": "http://api.test\#(target)"}, "response": {"status": 200, "headers": [
              "Date: \#(date)", "Last-Modified: Mon, 02 Nov 2026 12:00:00 GMT",
              "Set-Cookie: sid=x; Expires=Mon, 02 Nov 2026 12:10:00 GMT; Max-Age=600", "Content-Type: application/json"\#(coding)],
             "body": \#(body)}}
            """#
        }
        try Interactions.write(
            [
                file(
                    "/a", "Mon, 02 Nov 2026 12:00:10 GMT",
                    #"{"json": {"at": "2026-11-02T12:00:00Z", "n": 1.50, "ms": 1793620800000}, "layout": "compact", "coding": "gzip"}"#,
                    #", "Content-Encoding: gzip""#
                ),
                file(
                    "/b", "Mon, 02 Nov 2026 12:00:00 GMT",
                    #"{"json": {"at": "2026-11-02T12:00:00Z"}, "layout": "compact"}"#, ""),
            ], to: path)
        return path
    }

    private static let rules = #"{"version": 1, "routes": {"a": {"match": "GET /a", "clock": ["/at", "/ms"]}}}"#

    @Test func allMoveByTheSameShift() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await RunningDeck.start(.replay, cassette: try cassette(folder), configuration: Self.rules) {
            $0.clock = .now
        }
        let a = try await deck.ask("GET", "/a", [("Accept-Encoding", "gzip")])
        #expect(a.head.fields.text("Date") == "Tue, 01 Dec 2026 00:00:10 GMT")
        #expect(a.head.fields.text("Last-Modified") == "Tue, 01 Dec 2026 00:00:00 GMT")
        #expect(a.head.fields.text("Set-Cookie") == "sid=x; Expires=Tue, 01 Dec 2026 00:10:00 GMT; Max-Age=600")
        #expect(a.text == #"{"at":"2026-12-01T00:00:00Z","n":1.50,"ms":1796083200000}"#)
        let b = try await deck.ask("GET", "/b")
        #expect(b.head.fields.text("Date") == "Tue, 01 Dec 2026 00:00:00 GMT")
        #expect(b.text == #"{"at":"2026-11-02T12:00:00Z"}"#, "no rule names a time in it")
        _ = await deck.deck.stop()
    }

    @Test func asRecordedNothingMoves() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await RunningDeck.start(.replay, cassette: try cassette(folder), configuration: Self.rules)
        #expect(try await deck.ask("GET", "/a").head.fields.text("Date") == "Mon, 02 Nov 2026 12:00:10 GMT")
        _ = await deck.deck.stop()
    }

    @Test func theConfigurationAndASessionSaySoToo() async throws {
        let folder = try TemporaryDirectory()
        let rules = #"{"version": 1, "clock": {"at": "2030-01-01T00:00:00Z", "json": "/at"}}"#
        let deck = try await RunningDeck.start(
            .replay, cassette: try cassette(folder), configuration: rules, control: true)
        #expect(try await deck.ask("GET", "/b").text == #"{"at":"2030-01-01T00:00:00Z"}"#)
        #expect(try await deck.control("POST", "/sessions", #"{"name": "s", "clock": "now"}"#).status == 200)
        #expect(try await deck.ask("GET", "/_deck/s/b").text == #"{"at":"2026-12-01T00:00:00Z"}"#)
        #expect(try await deck.control("POST", "/sessions", #"{"name": "t", "clock": "later"}"#).status == 400)
        _ = await deck.deck.stop()
    }

    @Test(arguments: [#""soon""#, "7", #"{"at": "soon"}"#, #"{"on": "now"}"#, #"{"json": "at"}"#])
    func nonsenseIsRefused(clock: String) {
        #expect(throws: ConfigurationError.self) {
            try Configuration.parse(Array(#"{"version": 1, "clock": \#(clock)}"#.utf8), file: "tapedeck.json") { _ in
                nil
            }
        }
    }
}
