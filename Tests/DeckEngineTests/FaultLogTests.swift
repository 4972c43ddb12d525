import DeckEngine
import DeckRules
import SystemIO
import TapedeckClient
import TestSupport
import Testing

/// Chance that is the same in every interleaving, and a run's faults given back as an exact plan.
@Suite struct FaultLogTests {
    private static let configuration = """
        {"version": 1, "seed": 7,
         "routes": {
           "a": {"match": "GET /a/{n}", "variants": {"default": {"status": 200, "body": "fine"},
             "flaky": {"status": 500, "body": "broken", "probability": 0.3}}},
           "b": {"match": "GET /b", "variants": {"default": {"status": 200, "body": "fine"},
             "third": {"fault": "emptyResponse", "every": 3, "times": 4}}}},
         "scenarios": {"bad": {"a": "flaky", "b": "third"}}}
        """

    /// Asks five times for each of twelve resources and twelve times for one, so many at a time.
    ///
    /// - Returns: the fault log, and how many requests were broken.
    private func run(_ connections: Int, plan: ExactPlan? = nil, seed: UInt64? = nil) async throws -> (
        log: String, broken: Int
    ) {
        let folder = try TemporaryDirectory()
        let path = folder.file("faults.jsonl")
        let deck = try await RunningDeck.start(.replay, configuration: Self.configuration) {
            $0.scenario = plan == nil ? "bad" : nil
            $0.faultLog = path
            $0.faultPlan = plan
            $0.seed = seed
        }
        let targets = (0..<60).map { "/a/\($0 % 12)" } + Array(repeating: "/b", count: 12)
        let broken = await withTaskGroup(of: Int.self) { group in
            for first in 0..<connections {
                group.addTask {
                    var broken = 0
                    for index in stride(from: first, to: targets.count, by: connections) {
                        let answer = try? await deck.ask("GET", targets[index])
                        if answer?.status != 200 { broken += 1 }
                    }
                    return broken
                }
            }
            return await group.reduce(0, +)
        }
        _ = await deck.deck.stop()
        return (String(decoding: try Files.read(path), as: UTF8.self), broken)
    }

    @Test func theSameFaultsAtAnyNumberOfConnections() async throws {
        let one = try await run(1)
        #expect(one.broken > 8 && one.broken < 40)
        #expect(one.log.split(separator: "\n").count == one.broken)
        for number in 1...19 { #expect(try await run([1, 8, 64][number % 3]) == one) }
        #expect(try await run(8, seed: 8).log != one.log)
    }

    @Test func theLogGivenBackDoesTheSameAndNothingElse() async throws {
        let first = try await run(8)
        let plan = try FaultPlanFile.parse(Array(first.log.utf8), file: "log")
        // Another seed, for nothing is left to chance.
        #expect(try await run(64, plan: plan, seed: 99) == first)
        #expect(try await run(1, plan: ExactPlan()).broken == 0)
    }

    @Test func aPlanThatNamesWhatIsNotThereStopsTheStart() async throws {
        let line =
            #"{"session": "default", "route": "x", "key": "00000000000000000000000000000001", "ordinal": 1, "variant": "slow"}"#
        let plan = try FaultPlanFile.parse(Array(line.utf8), file: "log")
        await #expect(throws: DeckError.self) { try await run(1, plan: plan) }
        #expect(throws: RuleError.self) { try FaultPlanFile.parse(Array("{}\n".utf8), file: "log") }
        #expect(throws: RuleError.self) { try FaultPlanFile.read("/nowhere/at/all") }
    }
}
