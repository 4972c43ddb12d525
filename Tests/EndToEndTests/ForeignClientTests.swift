import ControlAPI
import Foundation
import SystemIO
import TapedeckClient
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Other people's HTTP clients get from a deck, live and from the cassette, what they get from the server itself.
@Suite struct ForeignClientTests {
    /// A client as a shell command that writes the body of `$BASE/$ITEM` to its output.
    struct Client: Sendable, CustomTestStringConvertible {
        var name: String
        /// What tells whether the machine has it; `command -v` its name where it is nil.
        var check: String?
        var command: String
        var testDescription: String { name }
    }

    private static let clients = [
        Client(name: "curl", command: #"curl -s --compressed "$BASE/$ITEM""#),
        Client(name: "wget", command: #"wget -q -O - "$BASE/$ITEM""#),
        Client(
            name: "python3",
            command: """
                python3 -c "
                import http.client, os, sys, urllib.parse
                base = urllib.parse.urlsplit(os.environ['BASE'])
                connection = http.client.HTTPConnection(base.hostname, base.port)
                for _ in range(2):
                    connection.request('GET', '/' + os.environ['ITEM'], headers={'Connection': 'keep-alive'})
                    body = connection.getresponse().read()
                sys.stdout.buffer.write(body)"
                """),
        Client(
            name: "requests", check: "python3 -c 'import requests'",
            command: """
                python3 -c "
                import os, sys, requests
                with requests.Session() as session:
                    answers = [session.get(os.environ['BASE'] + '/' + os.environ['ITEM']) for _ in range(2)]
                sys.stdout.buffer.write(answers[1].content)"
                """),
        Client(
            name: "node",
            command: """
                node -e "fetch(process.env.BASE + '/' + process.env.ITEM)
                    .then(answer => answer.arrayBuffer()).then(body => process.stdout.write(Buffer.from(body)))"
                """),
    ]

    private static let items = ["data/items.json", "data/large.json", "blob.bin"]

    @Test(arguments: clients)
    func getsTheSameBodies(client: Client) async throws {
        let folder = try TemporaryDirectory()
        let found = try await Program.run(
            ["sh", "-c", client.check ?? "command -v \(client.name)"], in: folder)
        guard found.status == 0 else { try Test.cancel("\(client.name) is not installed") }
        let files = try ServedFiles.make(in: folder)
        let python = try PrintedPortServer.python()
        let nginx = try await Nginx(files: files, backend: python.port, in: folder)
        let script = Self.items.enumerated().map { n, item in
            "ITEM=\(item)\nexport ITEM\n(\(client.command)) > \"$RESULTS/\(n)\""
        }
        let path = folder.path + "/client.sh"
        try Files.writeAtomically(
            Array(("BASE=${TAPEDECK_URL:-$BASE}\nexport BASE\n" + script.joined(separator: "\n") + "\n").utf8), to: path
        )

        let direct = try await bodies(["sh", path], "direct", folder, ["BASE": nginx.url])
        let deck = [Program.tapedeck, "--listen", "127.0.0.1:0", "--control", "off"]
        let cassette = folder.path + "/cassette"
        let live = try await bodies(
            [deck[0], "record"] + deck[1...] + ["--upstream", nginx.url, cassette, "--", "sh", path], "live", folder)
        try await nginx.stop(in: folder)
        let replayed = try await bodies(
            [deck[0], "replay"] + deck[1...] + ["--strict=misses", cassette, "--", "sh", path], "replayed", folder)
        #expect(direct.allSatisfy { !$0.isEmpty })
        #expect(live == direct, "live")
        #expect(replayed == direct, "from the cassette")
    }

    private func bodies(
        _ arguments: [String], _ name: String, _ folder: TemporaryDirectory, _ environment: [String: String] = [:]
    ) async throws -> [[UInt8]] {
        let results = "\(folder.path)/\(name)"
        try Files.makeDirectories(results)
        let run = try await Program.run(
            arguments, in: folder, environment: environment.merging(["RESULTS": results]) { $1 })
        #expect(run.status == 0, "\(name): \(run.errors)")
        return try Self.items.indices.map { try Files.read("\(results)/\($0)") }
    }

    @Test func urlSessionGetsTheSameBodies() async throws {
        let folder = try TemporaryDirectory()
        let files = try ServedFiles.make(in: folder)
        let python = try PrintedPortServer.pythonFiles(files)
        let direct = try await fetch(from: python.url)
        let cassette = folder.path + "/cassette"
        let recording = try await DeckProcess.launch(
            Program.tapedeck, ["record", "--quiet", "--upstream", python.url, cassette],
            environment: Program.environment())
        let live = try await fetch(from: "\(recording.proxy)")
        _ = try await recording.stop()
        await python.stop()
        let replaying = try await DeckProcess.launch(
            Program.tapedeck, ["replay", "--quiet", cassette], environment: Program.environment())
        let replayed = try await fetch(from: "\(replaying.proxy)")
        #expect(try await replaying.stop().passed)
        #expect(direct.allSatisfy { !$0.isEmpty })
        #expect(live == direct, "live")
        #expect(replayed == direct, "from the cassette")
    }

    private func fetch(from base: String) async throws -> [Data] {
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        var bodies: [Data] = []
        for item in Self.items {
            let url = try #require(URL(string: "\(base)/\(item)"))
            bodies.append(try await session.data(from: url).0)
        }
        return bodies
    }
}
