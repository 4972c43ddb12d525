import ControlAPI
import SystemIO
import TapedeckClient
import TestSupport
import Testing

/// The public client against the built program.
@Suite struct LaunchTests {
    private static let configuration = """
        {"version": 1, "scenarios": {"down": {"*": "unavailable"}},
         "routes": {"hello": {"match": "GET /hello", "variants": {"default": {"status": 200, "body": "hi"}}}}}
        """

    @Test func launchesSteersAndStopsADeck() async throws {
        let folder = try TemporaryDirectory()
        try Files.writeAtomically(Array(Self.configuration.utf8), to: folder.file("deck.json"))
        let deck = try await DeckProcess.launch(
            Program.tapedeck, ["replay", "--quiet", "--config", folder.file("deck.json")],
            environment: Program.environment())
        #expect(try await deck.control.health().pid == Int(deck.pid))
        #expect(try await deck.control.routes().map(\.name) == ["hello"])
        #expect(try await get(deck, in: folder) == "200")
        #expect(try await deck.control.choose(variant: "serverError", ofRoute: "hello").variant == "serverError")
        #expect(try await get(deck, in: folder) == "500")
        #expect(try await deck.control.choose(scenario: "down").active == "down")
        #expect(try await get(deck, in: folder) == "500", "the choice for one route stays")
        #expect(try await deck.control.choose(variant: nil, ofRoute: "hello").variant == "unavailable")
        #expect(try await get(deck, in: folder) == "503")
        let report = try await deck.stop()
        #expect(report.passed)
        #expect(report.counts.requests == 4)
        let error = await #expect(throws: TapedeckError.self) { try await deck.control.health() }
        #expect(error?.code == .notRunning)
    }

    @Test func saysThatTheProgramEndedBeforeItWasReady() async throws {
        let error = await #expect(throws: TapedeckError.self) {
            try await DeckProcess.launch(
                Program.tapedeck, ["replay", "--quiet", "--seed", "x"], environment: Program.environment())
        }
        #expect(error?.code == .launchFailed)
    }

    @Test func saysThatThereIsNoSuchProgram() async throws {
        let error = await #expect(throws: TapedeckError.self) {
            try await DeckProcess.launch("/nowhere/tapedeck", [], environment: [:])
        }
        #expect(error?.code == .launchFailed)
    }

    private func get(_ deck: DeckProcess, in folder: TemporaryDirectory) async throws -> String {
        let arguments = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "\(deck.proxy)/hello"]
        return try await Program.run(arguments, in: folder).output
    }
}
