import SystemIO
import TestSupport
import Testing

@testable import TapedeckCLI

@Suite struct CheckCommandTests {
    private func check(_ text: String) async throws -> (status: Int32, program: TestProgram, path: String) {
        let folder = try TemporaryDirectory()
        let path = folder.file("deck.json")
        try Files.writeAtomically(Array(text.utf8), to: path)
        let program = TestProgram()
        let status = await program.run("check", "--config", path)
        return (status, program, path)
    }

    @Test func showsWhatTheConfigurationComesTo() async throws {
        let (status, program, path) = try await check(
            """
            {"version": 1, "upstream": "https://staging.example.com",
             "routes": {
               "login": {"match": "POST /api/v1/login", "auth": true},
               "item": {"match": "GET /api/v1/items/{itemId}", "variants": {"soldOut": {"status": 409}}},
             },
             "scenarios": {"train": {"*": "slow", "item": "timeout"}}}
            """)
        #expect(status == 0)
        #expect(program.error.isEmpty)
        try checkGolden(program.out.replacing(path, with: "deck.json"), is: "check.txt")
    }

    @Test func reportsAllProblemsAtOnce() async throws {
        let (status, program, path) = try await check(
            #"{"version": 1, "rootes": {}, "routes": {"a": {"match": "GET no-slash"}}}"#)
        #expect(status == 2)
        #expect(program.out.isEmpty)
        #expect(program.error.contains("\(path):1:"))
        #expect(program.error.contains("$.rootes"))
        #expect(program.error.contains("$.routes.a"))
    }

    @Test(arguments: [
        ("get /a", "methods are told apart"), ("GET /_deck/s/a", "/_deck/NAME is taken off"),
        ("POST /_up/auth/login", "/_up/NAME is taken off"),
    ])
    func warnsOfARouteThatNeverMatches(pattern: String, words: String) async throws {
        let (status, program, path) = try await check(
            #"{"version": 1, "routes": {"a": {"match": "\#(pattern)"}, "b": {"match": "GET /b/{x}"}}}"#)
        #expect(status == 0)
        #expect(program.error.contains("\(path):1:") && program.error.contains("`a` never matches"), "\(program.error)")
        #expect(program.error.contains(words) && !program.error.contains("`b`"))
    }

    @Test func saysThatThereIsNoFile() async {
        let program = TestProgram()
        #expect(await program.run("check", "--config", "/nowhere/deck.json") == 2)
        #expect(program.error.contains("/nowhere/deck.json"))
    }
}
