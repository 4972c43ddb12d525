import ControlAPI
import DeckEngine
import Foundation
import SystemIO
import TapedeckClient
import TestSupport
import Testing

/// A new configuration while the deck runs: whole or not at all, at once, and nothing is lost.
@Suite struct ReloadTests {
    private func configuration(_ status: Int, more: String = "") -> [UInt8] {
        let routes =
            #"{"a": {"match": "GET /a", "variants": {"default": {"status": \#(status), "body": "x"}}}\#(more)}"#
        return Array(#"{"version": 1, "routes": \#(routes), "scenarios": {"out": {"a": "unauthorized"}}}"#.utf8)
    }

    private func start(_ folder: TemporaryDirectory, cassette: String? = nil) async throws -> RunningDeck {
        let path = folder.file("tapedeck.json")
        try Files.writeAtomically(configuration(201), to: path)
        let read = try Configuration.load(path)
        return try await RunningDeck.start(.replay, cassette: cassette, control: true) { $0.configuration = read }
    }

    @Test func actsAtOnceOnNewExchanges() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await start(folder)
        #expect(try await deck.ask("GET", "/a").status == 201)
        #expect(try await deck.ask("GET", "/b").status == 599)
        let more = #", "b": {"match": "GET /b", "variants": {"default": {"status": 203, "body": "b"}}}"#
        try Files.writeAtomically(configuration(202, more: more), to: folder.file("tapedeck.json"))
        let answer = try await deck.control("POST", "/reload", "{}")
        let report = try JSONDecoder().decode(ReloadReport.self, from: Data(answer.body))
        #expect(report.routes == 2 && report.scenarios == 1 && report.remarks == [])
        #expect(try await deck.ask("GET", "/a").status == 202)
        #expect(try await deck.ask("GET", "/b").status == 203)
        _ = await deck.deck.stop()
    }

    @Test(arguments: [
        #"{"version": 1, "routse": {}, "seed": "x"}"#, "{", #"{"version": 1, "scenarios": {"s": {"b": "slow"}}}"#,
    ])
    func aBadOneChangesNothingAndSaysWhy(text: String) async throws {
        let folder = try TemporaryDirectory()
        let deck = try await start(folder)
        try Files.writeAtomically(Array(text.utf8), to: folder.file("tapedeck.json"))
        let answer = try await deck.control("POST", "/reload", "{}")
        #expect(answer.status == 422)
        let problem = try JSONDecoder().decode(ControlAPI.Problem.self, from: Data(answer.body))
        #expect(problem.problems?.count == (text.contains("routse") ? 2 : 1))
        #expect(problem.problems?.allSatisfy { $0.contains("tapedeck.json:1:") } == true, "\(problem)")
        #expect(await deck.deck.reload() == false)
        #expect(deck.log.text.contains("the configuration stays as it was: "))
        #expect(try await deck.ask("GET", "/a").status == 201)
        _ = await deck.deck.stop()
    }

    @Test func whatASessionCannotTakeChangesNothingAnywhere() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await start(folder)
        let made = try await deck.control("POST", "/sessions", #"{"name": "s", "faults": ["a=forbidden"]}"#)
        #expect(made.status == 200, "\(made.text)")
        let other = #"{"version": 1, "routes": {"b": {"match": "GET /a", "variants": {"default": {"status": 299}}}}}"#
        try Files.writeAtomically(Array(other.utf8), to: folder.file("tapedeck.json"))
        let answer = try await deck.control("POST", "/reload", "{}")
        #expect(answer.status == 422 && answer.text.contains("there is no route `a`"), "\(answer.text)")
        #expect(try await deck.ask("GET", "/a").status == 201, "the default session has the old one, too")
        #expect(try await deck.ask("GET", "/_deck/s/a").status == 403)
        _ = await deck.deck.stop()
    }

    @Test func choicesStayAndThoseThatAreGoneAreNamed() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await start(folder)
        _ = try await deck.control("PUT", "/scenario", #"{"scenario": "out"}"#)
        #expect(await deck.deck.reload())
        #expect(try await deck.ask("GET", "/a").status == 401)
        try Files.writeAtomically(
            Array(#"{"version": 1, "upstream": "http://x.test"}"#.utf8), to: folder.file("tapedeck.json"))
        let text = try await deck.control("POST", "/reload", "{}").text
        #expect(
            text.contains("there is no scenario `out`") && text.contains(#"\"upstreams\" holds after a restart"#),
            "\(text)")
        _ = await deck.deck.stop()
    }

    @Test func loadKeepsItsAnswersWhileTheConfigurationChanges() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await start(folder)
        let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var statuses: [Int] = []
                    for _ in 0..<25 { statuses.append(try await deck.ask("GET", "/a").status) }
                    return statuses
                }
            }
            for status in 202...206 {
                try Files.writeAtomically(configuration(status), to: folder.file("tapedeck.json"))
                #expect(await deck.deck.reload())
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(statuses.count == 100 && statuses.allSatisfy { (201...206).contains($0) })
        #expect(await deck.deck.stop().requests == 100)
    }
}
