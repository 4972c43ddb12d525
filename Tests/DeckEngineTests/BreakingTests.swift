import CassetteKit
import DeckEngine
import DeckRules
import HTTPCore
import TapedeckClient
import TestSupport
import Testing
import Transport

/// Routes, variants, faults and the control that switches them, on real sockets.
@Suite struct BreakingTests {
    private static let configuration = """
        {
          "version": 1,
          "routes": {
            "items": {"match": "GET /items", "variants": {"soldOut": {"status": 409, "body": {"error": "sold out"}}}},
            "login": {"match": "POST /login", "auth": true, "variants": {"default": {"status": 200, "body": {"ok": true}}}},
          },
          "scenarios": {"out": {"*": "unauthorized"}, "train": {"items": "slow"}},
        }
        """

    private func replay(_ change: (inout DeckOptions) -> Void = { _ in }) async throws -> RunningDeck {
        try await RunningDeck.start(.replay, configuration: Self.configuration, control: true, change: change)
    }

    @Test func aVariantThatBringsItsAnswerNeedsNoCassette() async throws {
        let deck = try await replay { $0.faults = ["items=soldOut"] }
        let answer = try await deck.ask("GET", "/items")
        #expect(answer.status == 409)
        #expect(answer.text == #"{"error":"sold out"}"#)
        _ = await deck.deck.stop()
    }

    @Test func unauthorizedSparesTheLoginAndChallengesWithBearer() async throws {
        let deck = try await replay { $0.scenario = "out" }
        let items = try await deck.ask("GET", "/items")
        #expect(items.status == 401)
        #expect(items.head.fields.text("WWW-Authenticate")?.hasPrefix("Bearer") == true)
        #expect(try await deck.ask("POST", "/login", body: "x").status == 200)
        _ = await deck.deck.stop()
    }

    @Test func controlSwitchesScenariosAndVariants() async throws {
        let deck = try await replay()
        #expect(try await deck.control("GET", "/health").text.contains(#""mode" : "replay""#))
        #expect(try await deck.ask("GET", "/items").status == 599)
        #expect(try await deck.control("PUT", "/scenario", #"{"scenario": "out"}"#).status == 200)
        #expect(try await deck.ask("GET", "/items").status == 401)
        #expect(try await deck.control("PUT", "/routes/items/variant", #"{"variant": "serverError"}"#).status == 200)
        #expect(try await deck.ask("GET", "/items").status == 500)
        let routes = try await deck.control("GET", "/routes").text
        #expect(routes.contains(#""variant" : "serverError""#))
        #expect(try await deck.control("PUT", "/scenario", #"{"scenario": null}"#).status == 200)
        #expect(try await deck.control("PUT", "/routes/nope/variant", #"{"variant": "x"}"#).status == 404)
        #expect(try await deck.control("PUT", "/scenario", #"{"scenario": "nope"}"#).status == 404)
        _ = await deck.deck.stop()
    }

    @Test func controlTakesNoForgedRequests() async throws {
        let deck = try await replay()
        let client = WireClient(host: "127.0.0.1", port: deck.controlPort, timeout: .seconds(60))
        let rebound = WireRequest("GET", "/health", fields: Fields([("Host", "evil.example:\(deck.controlPort)")]))
        #expect(try await client.perform(rebound).status == 403)
        let form = WireRequest(
            "PUT", "/scenario", fields: Fields([("Content-Type", "application/x-www-form-urlencoded")]),
            body: Array(#"{"scenario": "out"}"#.utf8))
        #expect(try await client.perform(form).status == 415)
        #expect(try await deck.control("PUT", "/scenario", "{").status == 400)
        #expect(try await deck.control("GET", "/nothing").status == 404)
        _ = await deck.deck.stop()
    }

    @Test func stopAnswersWithTheVerdict() async throws {
        let deck = try await replay { $0.strict = [.misses] }
        _ = try await deck.ask("GET", "/never")
        let answer = try await deck.control("POST", "/stop", "{}")
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""passed" : false"#))
        await deck.deck.waitForStopRequest()
        #expect(await deck.deck.stop().passed == false)
    }

    @Test(arguments: [
        ("offline", 0), ("emptyResponse", 0), ("malformedResponse", 0), ("connectionReset", 0), ("truncatedBody", 0),
        ("malformedChunk", 0), ("redirectLoop", 302), ("wrongCoding", 200), ("notFound", 404), ("tooManyRequests", 429),
    ])
    func eachFaultShowsOnTheWire(variant: String, status: Int) async throws {
        let deck = try await replay { $0.faults = ["GET /items=\(variant)"] }
        if status == 0 {
            await #expect(throws: WireError.self) { try await deck.ask("GET", "/items") }
        } else {
            #expect(try await deck.ask("GET", "/items").status == status)
        }
        _ = await deck.deck.stop()
    }

    @Test func timeoutHoldsUntilTheClientLeaves() async throws {
        let deck = try await replay { $0.faults = ["GET /items=timeout"] }
        let client = WireClient(host: "127.0.0.1", port: deck.port, timeout: .milliseconds(300))
        await #expect(throws: WireError.self) { try await client.perform(WireRequest("GET", "/items")) }
        let report = await deck.deck.stop()
        #expect(report.faults == 1)
    }

    @Test func afterAndTimesChooseTheExchanges() async throws {
        let deck = try await replay { $0.faults = ["GET /items=serverError,after=1,times=2"] }
        var statuses: [Int] = []
        for _ in 0..<5 { statuses.append(try await deck.ask("GET", "/items").status) }
        #expect(statuses == [599, 500, 500, 599, 599])
        _ = await deck.deck.stop()
    }

    @Test func aSessionWithConnectionFaultsClosesEveryConnection() async throws {
        let deck = try await replay { $0.faults = ["GET /items=offline", "login=default"] }
        let answer = try await deck.ask("POST", "/login", body: "x")
        #expect(answer.head.fields.text("Connection") == "close")
        _ = await deck.deck.stop()
    }

    @Test func latencyHoldsAnswersBack() async throws {
        let deck = try await replay {
            $0.faults = ["items=soldOut"]
            $0.latency = .fixed(.milliseconds(150))
        }
        let clock = ContinuousClock()
        let time = try await clock.measure { _ = try await deck.ask("GET", "/items") }
        #expect(time >= .milliseconds(150))
        _ = await deck.deck.stop()
    }

    @Test func wrongNamesAreRefusedBeforeAnythingStarts() async throws {
        for change in [
            { (o: inout DeckOptions) in o.scenario = "nope" }, { o in o.faults = ["GET /items=explode"] },
            { o in o.faults = ["nonsense"] }, { o in o.cassette = "/nowhere/at/all" },
            { o in o.control = ListenAddress(host: "0.0.0.0", port: 0) },
        ] {
            await #expect(throws: DeckError.self) { _ = try await replay(change) }
        }
    }

    @Test func whatOnlyDelaysLeavesARoutesOwnAnswer() async throws {
        let deck = try await replay { $0.faults = ["login=loading"] }
        let answer = try await deck.ask("POST", "/login", body: "x")
        #expect(answer.status == 200)
        #expect(answer.text == #"{"ok":true}"#)
        _ = await deck.deck.stop()
    }

    @Test func anotherSchemeIsRefusedInWords() async throws {
        let deck = try await replay()
        let answer = try await deck.ask("GET", "ftp://a.test/", [("Host", "a.test")])
        #expect(answer.status == 400)
        #expect(answer.text.contains("http://"))
        _ = await deck.deck.stop()
    }
}
