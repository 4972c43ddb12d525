import DeckEngine
import DeckRules
import HTTPCore
import TapedeckClient
import TestSupport
import Testing

/// Faults that no server can cause, told to the app; and scenarios made of others.
@Suite struct ShimTests {
    @Test(arguments: [("offline", "-1009"), ("timeout", "-1001")])
    func tellsTheCodeInAField(variant: String, code: String) async throws {
        let deck = try await RunningDeck.start(.replay, configuration: #"{"version": 1, "shim": true}"#) {
            $0.faults = ["GET /a=\(variant)"]
        }
        let answer = try await deck.ask("GET", "/a")
        #expect(answer.status == 599)
        #expect(answer.head.fields.text("Tapedeck-URLError") == code)
        #expect(await deck.deck.stop().faults == 1)
    }

    @Test func leavesWhatTheWireCanShowToTheWire() async throws {
        let deck = try await RunningDeck.start(.replay, configuration: #"{"version": 1, "shim": true}"#) {
            $0.faults = ["GET /a=emptyResponse"]
        }
        await #expect(throws: WireError.self) { try await deck.ask("GET", "/a") }
        _ = await deck.deck.stop()
    }

    private func scenarios(_ text: String) throws -> Configuration {
        let routes = #""a": {"match": "GET /a"}, "b": {"match": "GET /b"}"#
        return try Configuration.parse(
            Array(#"{"version": 1, "routes": {\#(routes)}, "scenarios": \#(text)}"#.utf8), file: "tapedeck.json"
        ) { _ in nil }
    }

    @Test func aScenarioExtendsOthersAndHasTheLastWord() throws {
        let configuration = try scenarios(
            #"""
            {"base": {"*": "slow", "a": "forbidden"}, "more": {"extends": "base", "a": "notFound", "b": "loading"},
             "both": {"extends": ["more", "base"], "b": "empty"}}
            """#)
        let more = configuration.rules.scenarios["more"]
        #expect(more?.star == "slow" && more?.entries == ["a": "notFound", "b": "loading"])
        #expect(configuration.rules.scenarios["both"]?.entries == ["a": "forbidden", "b": "empty"])
    }

    @Test(arguments: [
        (#"{"x": {"extends": "y"}, "y": {"extends": "x"}}"#, "extends itself"),
        (#"{"x": {"extends": "nope"}}"#, "there is no scenario `nope`"),
        (#"{"x": {"extends": 1}}"#, "a scenario's name"),
    ])
    func whatItExtendsIsThereAndNotItself(text: String, words: String) {
        let error = #expect(throws: ConfigurationError.self) { try scenarios(text) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}
