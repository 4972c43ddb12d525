import ControlAPI
import TapedeckClient
import TestSupport
import Testing

@Suite struct DeckControlTests {
    private static func answer(_ status: String, _ json: String) -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)"
    }

    @Test func putsAChoiceAsJSONWithTheToken() async throws {
        let list = #"{"active": "train", "scenarios": [{"name": "train", "entries": {"*": "slow"}}]}"#
        let upstream = try ScriptedUpstream(answering: Self.answer("200 OK", list))
        let control = try DeckControl("http://127.0.0.1:\(upstream.port)/", token: "t0k")
        let answer = try await control.choose(scenario: "train")
        #expect(answer.active == "train")
        #expect(answer.scenarios == [ScenarioState(name: "train", entries: ["*": "slow"])])
        let request = upstream.log.text(0)
        #expect(request.hasPrefix("PUT /scenario HTTP/1.1\r\n"))
        #expect(request.contains("Authorization: Bearer t0k\r\n"))
        #expect(request.contains("Content-Type: application/json\r\n"))
        #expect(request.hasSuffix(#"{"scenario":"train"}"#))
    }

    @Test func escapesTheRouteInThePath() {
        #expect(ControlPath.variant(ofRoute: "a b/c") == "/routes/a%20b%2Fc/variant")
    }

    @Test func handsOnWhatTheDeckSays() async throws {
        let problem = #"""
            {"type": "unknown-route", "title": "Not Found", "status": 404, "detail": "no route \"x\"", "advice": "see"}
            """#
        let upstream = try ScriptedUpstream(answering: Self.answer("404 Not Found", problem))
        let control = try DeckControl("127.0.0.1:\(upstream.port)")
        await #expect(throws: TapedeckError(.refused, "no route \"x\"", advice: "see")) {
            try await control.choose(variant: "slow", ofRoute: "x")
        }
    }

    @Test func tellsAForeignServerFromADeck() async throws {
        let upstream = try ScriptedUpstream(answering: Self.answer("200 OK", "[1]"))
        let control = try DeckControl("127.0.0.1:\(upstream.port)")
        let error = await #expect(throws: TapedeckError.self) { try await control.health() }
        #expect(error?.code == .unexpectedAnswer)
    }

    @Test func saysThatNothingListens() async throws {
        let upstream = try ScriptedUpstream([[.hold]])
        let control = try DeckControl("127.0.0.1:\(upstream.port)")
        upstream.stop()
        let error = await #expect(throws: TapedeckError.self) { try await control.health() }
        #expect(error?.code == .notRunning)
        #expect(error?.message == "nothing listens at http://127.0.0.1:\(upstream.port)")
        #expect(error?.advice == "start tapedeck, or give --control its control address")
    }

    @Test(arguments: ["", "https://localhost:1", "http://", "http://a b", "localhost:99999"])
    func refusesWhatIsNoAddress(url: String) {
        let error = #expect(throws: TapedeckError.self) { try DeckControl(url) }
        #expect(error?.code == .invalidAddress)
    }

    @Test func waitingGivesUpWhenTheTimeIsOver() async throws {
        let upstream = try ScriptedUpstream([[.hold]])
        let control = try DeckControl("127.0.0.1:\(upstream.port)")
        upstream.stop()
        let error = await #expect(throws: TapedeckError.self) { try await control.waitUntilReady(for: .zero) }
        #expect(error?.code == .notRunning)
    }
}
