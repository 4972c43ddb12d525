import Foundation
import SystemIO
import TestSupport
import Testing

/// The command line as a user meets it.
@Suite struct CommandTests {
    @Test(arguments: [[:], ["http_proxy": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9"]])
    func aCommandReachesTheDeckAndItsControl(proxies: [String: String]) async throws {
        let folder = try TemporaryDirectory()
        let python = try PrintedPortServer.python()
        let record = ["record", "--listen", "localhost:0", "--control", "localhost:0", "--upstream", python.url, "c"]
        let recorded = try await Program.tapedeck(
            record + ["--", "sh", "-c", "curl -s --fail $TAPEDECK_URL/counter"], in: folder)
        #expect(recorded.status == 0, "\(recorded.errors)")
        await python.stop()
        let replay = ["replay", "--listen", "localhost:0", "--control", "localhost:0", "c", "--"]
        let noProxy = proxies.isEmpty ? "" : "no_proxy=localhost,127.0.0.1 "
        let answer = try await Program.tapedeck(
            replay + ["sh", "-c", noProxy + "curl -s --fail $TAPEDECK_URL/counter"], in: folder, environment: proxies)
        #expect(answer.output == #"{"calls": 1}"#)
        let throughProxy = try await Program.tapedeck(
            ["replay", "--proxy-env"] + replay.dropFirst() + [
                "sh", "-c", "curl -s --fail $TAPEDECK_URL/counter && curl -s --fail $TAPEDECK_CONTROL_URL/health",
            ], in: folder)
        #expect(throughProxy.output.hasPrefix(#"{"calls": 1}"#), "\(throughProxy)")
        #expect(throughProxy.output.contains(#""mode" : "replay""#), "\(throughProxy)")
        let health = try await Program.tapedeck(
            replay + ["sh", "-c", noProxy + "curl -s --fail $TAPEDECK_CONTROL_URL/health"], in: folder,
            environment: proxies)
        #expect(health.output.contains(#""mode" : "replay""#), "\(health)")
    }

    @Test func theCommandsOwnFailureWins() async throws {
        let folder = try TemporaryDirectory()
        let run = try await Program.tapedeck(
            ["replay", "--listen", "localhost:0", "--control", "off", "--", "sh", "-c", "exit 7"], in: folder)
        #expect(run.status == 7)
    }

    @Test func termEndsAStrictReplayWithItsVerdict() async throws {
        let folder = try TemporaryDirectory()
        let python = try PrintedPortServer.python()
        _ = try await Program.tapedeck(
            [
                "record", "--listen", "localhost:0", "--control", "off", "--upstream", python.url, "c", "--", "sh",
                "-c",
                "curl -s $TAPEDECK_URL/counter",
            ], in: folder)
        await python.stop()
        let strict = ["replay", "--listen", "localhost:0", "--control", "off", "--strict", "c", "--", "sh", "-c"]
        let unused = try await Program.tapedeck(strict + ["kill -TERM $PPID; exec tail -f /dev/null"], in: folder)
        #expect(unused.errors.contains("not asked for") || unused.errors.contains("unused"), "\(unused.errors)")
        #expect(unused.status == 1 || unused.status == 143)
        let missed = try await Program.tapedeck(
            strict + ["curl -s $TAPEDECK_URL/counter $TAPEDECK_URL/other; true"], in: folder)
        #expect(missed.status == 1, "\(missed.errors)")
        let fine = try await Program.tapedeck(strict + ["curl -s $TAPEDECK_URL/counter"], in: folder)
        #expect(fine.status == 0, "\(fine.errors)")
    }

    @Test func theReadyFileIsThereWhileTheDeckRunsAndGoneAfter() async throws {
        let folder = try TemporaryDirectory()
        try Files.writeAtomically(Array("stale".utf8), to: folder.path + "/ready.json")
        let run = try await Program.tapedeck(
            [
                "replay", "--listen", "localhost:0", "--control", "off", "--ready-file", "ready.json", "--", "cat",
                "ready.json",
            ],
            in: folder)
        #expect(run.output.contains(#""proxy""#) && run.output.contains(#""pid""#))
        #expect(!Files.exists(folder.path + "/ready.json"))
    }

    @Test(arguments: [
        (["replay", "nowhere"], 2, "nowhere"), (["recrod"], 2, "record"), (["replay", "--lisen", "x"], 2, "--listen"),
        (["record", "c", "--upstream", "ftp://x"], 2, "http"), (["replay", "--listen", "localhost:99999"], 2, "99999"),
        (["replay", "--scenario", "nope"], 2, "nope"), (["replay", "--fault", "GET /x=explode"], 2, "explode"),
    ])
    func wrongWordsEndWithTwoAndSayWhatToType(arguments: [String], status: Int32, word: String) async throws {
        let folder = try TemporaryDirectory()
        let run = try await Program.tapedeck(arguments, in: folder)
        #expect(run.status == status)
        #expect(run.errors.contains(word), "\(run.errors)")
    }

    @Test func replayOnlyRefusesToConnect() async throws {
        let folder = try TemporaryDirectory()
        let run = try await Program.tapedeck(
            ["record", "--upstream", "http://127.0.0.1:9", "c"], in: folder, environment: ["TAPEDECK_REPLAY_ONLY": "1"])
        #expect(run.status == 2)
        #expect(run.errors.contains("TAPEDECK_REPLAY_ONLY"))
    }

    @Test func aTakenPortEndsWithThreeAndNamesIt() async throws {
        let folder = try TemporaryDirectory()
        let python = try PrintedPortServer.python()
        let run = try await Program.tapedeck(
            ["replay", "--listen", "127.0.0.1:\(python.port)", "--control", "off"], in: folder)
        await python.stop()
        #expect(run.status == 3)
        #expect(run.errors.contains(String(python.port)))
    }
}
