import Foundation
import SystemIO
import TestSupport
import Testing

/// The main job with foreign parts: curl as the client, nginx and Python as the backends.
@Suite struct RecordReplayTests {
    @Test func everyKindOfExchangeComesBackEqualWithoutTheBackend() async throws {
        let folder = try TemporaryDirectory()
        let files = try ServedFiles.make(in: folder)
        let python = try PrintedPortServer.python()
        let nginx = try await Nginx(files: files, backend: python.port, in: folder)
        let recorded = try await play(
            .everyKind, ["record", "--upstream", nginx.url, "--control", "off"], "recorded", files, folder)
        try await nginx.stop(in: folder)
        await python.stop()

        let replayed = try await play(
            .everyKind, ["replay", "--control", "off", "--strict"], "replayed", files, folder)
        #expect(
            recorded.map(\.status) == [
                "200", "200", "200", "200", "200", "200", "304", "404", "201", "201", "201", "200", "200", "200", "200",
                "200",
                "200", "200", "200", "204", "206", "201",
            ])
        for (a, b) in zip(recorded, replayed) {
            if a.step.contains("--head") { #expect(a.status == b.status) } else { #expect(a == b) }
        }
    }

    @Test func pythonsFileServerIsRecordedAndReplayedToo() async throws {
        let folder = try TemporaryDirectory()
        let files = try ServedFiles.make(in: folder)
        let python = try PrintedPortServer.pythonFiles(files)
        let flow = Flow([
            "$TAPEDECK_URL/data/items.json", "$TAPEDECK_URL/blob.bin", "$TAPEDECK_URL/data/", "$TAPEDECK_URL/nothing",
            "--http1.0 $TAPEDECK_URL/data/large.json",
        ])
        let recorded = try await play(
            flow, ["record", "--upstream", python.url, "--control", "off"], "a", files, folder)
        await python.stop()
        let replayed = try await play(flow, ["replay", "--control", "off", "--strict"], "b", files, folder)
        #expect(recorded.map(\.status) == ["200", "200", "200", "404", "200"])
        #expect(recorded == replayed)
    }

    @Test func aForwardProxyRecordsWhatEachHostAnswers() async throws {
        let folder = try TemporaryDirectory()
        let files = try ServedFiles.make(in: folder)
        let (a, b) = (try PrintedPortServer.pythonFiles(files), try PrintedPortServer.python())
        let flow = Flow(["\(a.url)/data/items.json", "\(b.url)/counter", "\(b.url)/counter", "\(b.url)/nothing"])
        let recorded = try await play(flow, ["record", "--control", "off"], "a", files, folder)
        await a.stop()
        await b.stop()
        let replayed = try await play(flow, ["replay", "--control", "off", "--strict"], "b", files, folder)
        #expect(recorded.map(\.status) == ["200", "200", "200", "404"])
        #expect(recorded == replayed)
    }

    @Test func replayOpensNoConnectionOfItsOwn() async throws {
        let folder = try TemporaryDirectory()
        let files = try ServedFiles.make(in: folder)
        let python = try PrintedPortServer.python()
        let flow = Flow(["$TAPEDECK_URL/counter", "$TAPEDECK_URL/never-recorded"])
        _ = try await play(
            Flow(["$TAPEDECK_URL/counter"]), ["record", "--upstream", python.url, "--control", "off"], "a", files,
            folder)
        let script = try flow.script(in: folder, results: folder.path + "/b")
        let trace = folder.path + "/trace"
        let run = try await Program.run(
            [
                "strace", "-f", "-qq", "-e", "trace=connect", "-o", trace, Program.tapedeck, "replay", "--listen",
                "127.0.0.1:0",
                "--control", "off", folder.path + "/cassette", "--", "sh", "-c",
                "echo $TAPEDECK_URL >&2; exec sh \(script)",
            ],
            in: folder)
        await python.stop()
        let port = try #require(run.errors.firstMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)/)?.output.1)
        let lines = String(decoding: try Files.read(trace), as: UTF8.self).split(separator: "\n")
        let inet = lines.filter { $0.contains("AF_INET") }
        #expect(try flow.results(in: folder.path + "/b").map(\.status) == ["200", "599"])
        #expect(inet.count == 2, "curl's two connections to the deck: \(inet)")
        #expect(inet.allSatisfy { $0.contains("htons(\(port))") })
        #expect(run.errors.contains("upstream connections 0, name look-ups 0"))
    }

    @Test func aTokenThatALoginHandsOutIsNowhereOnDisk() async throws {
        let folder = try TemporaryDirectory()
        let python = try PrintedPortServer.python()
        let script = """
            login=$(curl -s -i "$TAPEDECK_URL/login")
            token=$(printf '%s' "$login" | sed -n 's/.*"access_token": "\\([^"]*\\)".*/\\1/p')
            cookie=$(printf '%s' "$login" | sed -n 's/.*sid=\\([^;]*\\);.*/\\1/p')
            curl -s -H "Authorization: Bearer $token" -H "Cookie: sid=$cookie" "$TAPEDECK_URL/me"
            printf '%s\\n%s\\n' "$token" "$cookie" > secrets
            """
        let recorded = try await Program.tapedeck(
            [
                "record", "--listen", "127.0.0.1:0", "--control", "off", "--upstream", python.url, "cassette", "--",
                "sh", "-c", script,
            ],
            in: folder)
        await python.stop()
        #expect(recorded.output.contains(#"{"allowed": true}"#), "the live client gets the real token")
        let secrets = String(decoding: try Files.read(folder.path + "/secrets"), as: UTF8.self).split(separator: "\n")
        try #require(secrets.count == 2 && secrets.allSatisfy { $0.count > 20 })
        for secret in secrets {
            let found = try await Program.run(["grep", "-rlF", String(secret), "cassette"], in: folder)
            #expect(found.status == 1, "found in \(found.output)")
            #expect(!recorded.errors.contains(secret))
        }
        let replayed = try await Program.tapedeck(
            [
                "replay", "--listen", "127.0.0.1:0", "--control", "off", "--strict", "cassette", "--", "sh", "-c",
                script,
            ], in: folder)
        #expect(replayed.output.contains(#"{"allowed": true}"#))
        #expect(replayed.status == 0)
    }

    /// Runs a flow under the program; what the flow got.
    private func play(
        _ flow: Flow, _ arguments: [String], _ name: String, _ files: String, _ folder: TemporaryDirectory
    ) async throws -> [Flow.Result] {
        let script = try flow.script(in: folder, results: "\(folder.path)/\(name)")
        let run = try await Program.tapedeck(
            arguments + [
                "--listen", "127.0.0.1:0", folder.path + "/cassette", "--", "sh", "-c",
                "cd '\(files)' && sh '\(script)'",
            ],
            in: folder)
        #expect(run.status == 0, "\(arguments): \(run.errors)")
        return try flow.results(in: "\(folder.path)/\(name)")
    }
}
