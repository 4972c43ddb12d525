import DeckEngine
import DeckRules
import TapedeckClient
import TestSupport
import Testing

/// A scenario that is switched while exchanges are under way, and scenarios where the real backend answers.
@Suite struct SwitchingTests {
    private static let configuration = """
        {"version": 1, "routes": {
          "a": {"match": "GET /a", "variants": {"default": {"status": 200, "body": "fine"},
            "late": {"status": 202, "body": "late", "latency": "1h"}}}},
         "scenarios": {"held": {"a": "timeout"}, "late": {"a": "late"}, "out": {"a": "unauthorized"}}}
        """

    private func begin(_ scenario: String, patience: Int) async throws -> (RunningDeck, RawClient) {
        let deck = try await RunningDeck.start(.replay, configuration: Self.configuration, control: true) {
            $0.scenario = scenario
        }
        let client = try RawClient(port: deck.port, patience: patience)
        try client.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        // The exchange has its variant once it is counted.
        while try await !deck.control("GET", "/routes").text.contains(#""requests" : 1"#) {}
        return (deck, client)
    }

    @Test(arguments: [("held", ""), ("late", "HTTP/1.1 202 Accepted\r\n")])
    func atOnceEndsWhatWaits(scenario: String, start: String) async throws {
        let (deck, client) = try await begin(scenario, patience: 20_000)
        // What has its variant may not wait yet: it is told until it is over.
        repeat {
            _ = try await deck.control("PUT", "/scenario", #"{"scenario": null, "atOnce": true}"#)
        } while try await !deck.control("GET", "/journal").text.contains(#""total" : 1"#)
        let (octets, ending) = client.readToEnd()
        #expect(ending == .fin)
        #expect(start.isEmpty ? octets.isEmpty : String(decoding: octets, as: UTF8.self).hasPrefix(start))
        #expect(try await deck.ask("GET", "/a").text == "fine")
        _ = await deck.deck.stop()
    }

    @Test(arguments: ["held", "late"]) func elseItEndsAsItBegan(scenario: String) async throws {
        let (deck, client) = try await begin(scenario, patience: 300)
        #expect(try await deck.control("PUT", "/scenario", #"{"scenario": null}"#).status == 200)
        let (octets, ending) = client.readToEnd()
        #expect(octets.isEmpty && ending == .none)
        #expect(try await deck.ask("GET", "/a").text == "fine")
        client.close()
        _ = await deck.deck.stop()
    }

    @Test(arguments: [DeckOptions.Mode.record, .passthrough])
    func scenariosActWhereTheBackendAnswersToo(mode: DeckOptions.Mode) async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream(answering: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlive")
        let deck = try await RunningDeck.start(
            mode, cassette: mode == .record ? folder.path + "/c" : nil, upstream: upstream.port,
            configuration: Self.configuration, control: true
        ) { $0.scenario = "out" }
        #expect(try await deck.ask("GET", "/a").status == 401)
        #expect(try await deck.ask("GET", "/b").text == "live")
        #expect(upstream.log.requests.count == 1)
        _ = await deck.deck.stop()
    }
}
