import SystemIO
import TestSupport
import Testing

/// The whole corpus of planted secrets through the built program: recorded and replayed, and through every way in which an exchange
/// goes wrong. Nothing of it is in any file that is left: cassette, temporary files, log, report, journal, misses.
@Suite struct SecretCorpusTests {
    @Test func aRecordingLeavesNothingAndAReplayGivesEveryAnswer() async throws {
        let run = try CorpusRun()
        let upstream = try run.upstream()
        let recorded = try await run.tapedeck(
            ["record", "--upstream", upstream.url, "c"], run.sending(out: "live"))
        await upstream.stop()
        #expect(recorded.status == 0, "\(recorded.errors.suffix(2_000))")
        // The client got what the upstream sent.
        let live = try run.answers("live")
        #expect(live.count == run.corpus.plants.count)
        for (plant, octets) in zip(run.corpus.plants, live) {
            #expect(CorpusAnswer(octets).body == plant.answer, "\(plant.label)")
        }
        #expect(try run.interactions() == run.corpus.plants.count)
        try expectNoLeak(run)
        let scanned = try await Program.tapedeck(["scan", "c"], in: run.folder)
        #expect(scanned.status == 0, "\(scanned.output)")

        let replayed = try await run.tapedeck(["replay", "--strict=misses,unused", "c"], run.sending(out: "replayed"))
        #expect(replayed.status == 0, "\(replayed.errors.suffix(2_000))")
        for (plant, octets) in zip(run.corpus.plants, try run.answers("replayed")) {
            let answer = CorpusAnswer(octets)
            #expect(answer.status == 200 && answer.isLike(plant.answer), "\(plant.label)")
            #expect(run.found(in: octets).isEmpty, "\(plant.label)")
        }
        try expectNoLeak(run)

        // What is not recorded is a miss whose text holds no secret. What an answer once handed out is known where a rule or a place
        // of the cassette names it, which is not here.
        let missed = try await run.tapedeck(["replay", "c"], run.sending("elsewhere", out: "missed"))
        #expect(missed.errors.contains("not on the cassette") || missed.errors.contains("miss"))
        let unknown = Set(run.corpus.plants.filter { $0.secret == SecretCorpus.handedOut }.map(\.label))
        for (plant, octets) in zip(run.corpus.plants, try run.answers("missed")) where !unknown.contains(plant.label) {
            #expect(CorpusAnswer(octets).status == 599, "\(plant.label)")
            #expect(run.found(in: octets).isEmpty, "\(plant.label)")
        }
        #expect(try run.leaks().filter { leak in !unknown.contains { leak.hasSuffix(": " + $0) } } == [])
    }

    private func expectNoLeak(_ run: CorpusRun) throws {
        let leaks = try run.leaks()
        #expect(leaks.isEmpty, "\(leaks)")
    }

    @Test(arguments: ["cut", "gone", "refused"])
    func whatGoesWrongLeavesNothing(_ failure: String) async throws {
        let run = try CorpusRun()
        let upstream = try run.upstream(failure == "cut" ? "cut" : "")
        let closed = try ClosedPort()
        let url = failure == "refused" ? closed.url : upstream.url
        let recorded = try await run.tapedeck(
            ["record", "--upstream", url, "c"], run.sending(out: "live", failure == "gone" ? "gone" : ""))
        await upstream.stop()
        switch failure {
        case "cut": #expect(recorded.errors.contains("cut") || recorded.errors.contains("malformed"))
        case "gone": #expect(try run.answers("live").isEmpty)
        default:
            let answers = try run.answers("live").map { CorpusAnswer($0).status }
            #expect(answers.count == run.corpus.plants.count && Set(answers) == [502])
        }
        if failure != "gone" { #expect(try run.interactions() == 0) }
        // Nobody handed out what the login's answer would have.
        let unknown = Set(run.corpus.plants.filter { $0.secret == SecretCorpus.handedOut }.map(\.label))
        let leaks = try run.leaks().filter { leak in !unknown.contains { leak.hasSuffix(": " + $0) } }
        #expect(leaks.isEmpty, "\(leaks)")
    }

    /// Two clients send; the deck is killed when the first is done, while it serves the second.
    @Test func aKilledRecordingLeavesNothing() async throws {
        let run = try CorpusRun()
        let upstream = try run.upstream()
        let script = "(\(run.sending(out: "other"))) & \(run.sending(out: "live")); kill -KILL $PPID; wait"
        _ = try await run.tapedeck(["record", "--upstream", upstream.url, "c"], script)
        await upstream.stop()
        #expect(try run.interactions() > 0)
        try expectNoLeak(run)
    }
}
