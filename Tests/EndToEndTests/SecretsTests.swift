import Foundation
import SystemIO
import TestSupport
import Testing

/// Planted secrets are in no file that a run leaves: cassette, temporary files, log, report, misses; whatever goes wrong.
@Suite struct SecretsTests {
    private static let planted = [
        "BEARER": "pl4ntedBearer0001", "QUERY": "pl4ntedQuery0002", "FORM": "pl4ntedForm0003",
        "COOKIE": "pl4ntedCookie0004", "JSON": "pl4ntedJson0005", "LITERAL": "pl4nted/Lit+eral&0006",
        "BASIC": "pl4ntedBasic0007", "GITHUB": "ghp_pl4ntedABCDEFGHIJ0123456789abcd",
    ]

    /// Requests that carry every secret; what the client gets goes to `got`.
    private static let requests = """
        c() { curl -s -o got -m 5 "$@" >> got.all; cat got >> got.all 2>/dev/null; }
        c -H "Authorization: Bearer $BEARER" -b "sid=$COOKIE" "$TAPEDECK_URL/echo/a?api_key=$QUERY&n=$1"
        c -d "password=$FORM&n=$1" "$TAPEDECK_URL/echo/b"
        c -H 'Content-Type: application/json' -d "{\\"a\\":{\\"token\\":\\"$JSON\\",\\"n\\":\\"$1\\"}}" "$TAPEDECK_URL/echo/c"
        c --data-urlencode "note=$LITERAL" -H "X-Note: $LITERAL" "$TAPEDECK_URL/echo/d/$1"
        c -u "ada:$BASIC" -d "see $GITHUB here" "$TAPEDECK_URL/echo/$GITHUB/$1"
        curl -s -o got -m 0.05 -b "sid=$COOKIE" "$TAPEDECK_URL/slow?token=$QUERY&n=$1"
        """

    private func run(
        _ arguments: [String], _ script: String, in folder: TemporaryDirectory
    ) async throws -> Finished {
        try await Program.tapedeck(
            arguments + [
                "--listen", "127.0.0.1:0", "--control", "off", "--secret-env", "LITERAL", "--", "sh", "-c",
                script, "sh", "1",
            ], in: folder, environment: Self.planted)
    }

    /// The files below a folder that hold a secret, as it is or percent-encoded; the client's own are left out.
    private func leaks(_ folder: TemporaryDirectory) throws -> [String] {
        let paths = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        return try paths.filter { path in
            let full = "\(folder.path)/\(path)"
            guard Files.isFile(full), !path.hasPrefix("got") else { return false }
            let text = String(decoding: try Files.read(full), as: UTF8.self)
            let spellings = [text, text.removingPercentEncoding ?? "", path]
            return Self.planted.values.contains { secret in spellings.contains { $0.contains(secret) } }
        }
    }

    @Test func nothingPlantedIsLeftByARecordingAndAReplay() async throws {
        let folder = try TemporaryDirectory()
        let python = try PrintedPortServer.python()
        let recorded = try await run(
            ["record", "--upstream", python.url, "--report", "r.json", "c"], Self.requests, in: folder)
        #expect(recorded.errors.contains("hidden"), "\(recorded.output)\(recorded.errors)")
        await python.stop()
        // A client that leaves may have left too late not to be served.
        #expect((5...6).contains(try Files.list("\(folder.path)/c/interactions").count))
        // The client got the real answers.
        let got = String(decoding: try Files.read("\(folder.path)/got.all"), as: UTF8.self)
        #expect(got.contains("password=pl4ntedForm0003&n=1"))
        #expect(try leaks(folder) == [])
        let scanned = try await Program.tapedeck(["scan", "c"], in: folder)
        #expect(scanned.status == 0, "\(scanned.output)")
        // Other secrets are answered alike; what was not recorded is a miss without a secret in its text.
        let replay = Self.requests.replacing("$BEARER", with: "another-one").replacing("$JSON", with: "another-too")
        let replayed = try await run(
            ["replay", "--strict", "c"], replay + "\nc \"$TAPEDECK_URL/no/$GITHUB?token=$QUERY\"; cat got > missed",
            in: folder)
        #expect(replayed.errors.contains("not on the cassette"), "\(replayed.errors)")
        #expect(try leaks(folder) == [])
        let missed = String(decoding: try Files.read("\(folder.path)/missed"), as: UTF8.self)
        #expect(missed.contains("/no/REDACTED"), "\(missed)")
    }

    @Test func nothingPlantedIsLeftByAKilledRecording() async throws {
        let folder = try TemporaryDirectory()
        let python = try PrintedPortServer.python()
        let script =
            Self.requests + "\n(" + Self.requests.replacing("$1", with: "2")
            + ") &\ncurl -s -o /dev/null $TAPEDECK_URL/n; kill -KILL $PPID; wait"
        _ = try await run(["record", "--upstream", python.url, "c"], script, in: folder)
        await python.stop()
        #expect(try !Files.list("\(folder.path)/c/interactions").isEmpty)
        #expect(try leaks(folder) == [])
    }

    @Test func nothingPlantedIsLeftWhereTheUpstreamIsGone() async throws {
        let folder = try TemporaryDirectory()
        let closed = try ClosedPort()
        let finished = try await run(["record", "--upstream", closed.url, "c"], Self.requests, in: folder)
        #expect(finished.errors.contains("502") || finished.errors.contains("refused"), "\(finished.errors)")
        #expect(try leaks(folder) == [])
    }
}
