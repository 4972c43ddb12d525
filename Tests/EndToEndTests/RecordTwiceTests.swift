import Foundation
import SystemIO
import TestSupport
import Testing

/// Recording again: what did not change changes no line, and what differs each time becomes rules.
@Suite struct RecordTwiceTests {
    /// Gives each order an id of its own, and each answer a time.
    private static let backend = #"""
        import http.server, json, secrets, time

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            orders = {}
            def log_message(self, *arguments): pass
            def answer(self, status, value):
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("X-Answer-Number", secrets.token_hex(4))
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def do_POST(self):
                order = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                name = "ord-" + secrets.token_hex(5)
                self.orders[name] = {"id": name, "sku": order["sku"], "links": {"self": "/orders/" + name}}
                self.answer(201, {"id": name, "createdAt": time.time_ns()})
            def do_GET(self):
                path = self.path.split("?")[0]
                if path.startswith("/orders/"): self.answer(200, self.orders[path.split("/")[2]])
                else: self.answer(200, {"items": [{"n": n, "seen": secrets.token_hex(3)} for n in range(3)]})

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()
        """#

    private static let flow = #"""
        set -eu
        now=$(date +%s%N)
        id=$(curl -sf -H 'Content-Type: application/json' -d "{\"sku\": \"A\", \"sentAt\": $now}" $TAPEDECK_URL/orders | sed 's/.*"id": "\([^"]*\)".*/\1/')
        curl -sf $TAPEDECK_URL/orders/$id
        curl -sf "$TAPEDECK_URL/items?page=1&_now=$now"
        """#

    private func run(_ folder: TemporaryDirectory, _ arguments: [String]) async throws -> Finished {
        try await Program.tapedeck(
            arguments + ["--listen", "127.0.0.1:0", "--control", "off", "cassette", "--", "sh", "flow.sh"], in: folder)
    }

    /// Every file of the cassette but the measured times.
    private func files(_ folder: TemporaryDirectory) throws -> [String: [UInt8]] {
        let root = folder.path + "/cassette/interactions"
        var files = try Dictionary(uniqueKeysWithValues: Files.list(root).map { ($0, try Files.read("\(root)/\($0)")) })
        files["cassette.json"] = try Files.read(folder.path + "/cassette/cassette.json")
        return files
    }

    @Test func whatDiffersEachTimeBecomesRulesAndThenNothingChanges() async throws {
        let folder = try TemporaryDirectory()
        try Files.writeAtomically(Array(Self.flow.utf8), to: folder.path + "/flow.sh")
        let before =
            "{\n    // what we record\n    \"version\": 1,\n    \"match\": {\"ignoreQuery\": \"utm\"}, /* ads */\n}\n"
        try Files.writeAtomically(Array(before.utf8), to: folder.path + "/tapedeck.json")
        let backend = try PrintedPortServer(["python3", "-c", Self.backend], in: "/")
        let record = ["record", "--upstream", backend.url]

        let twice = try await run(folder, record + ["--twice"])
        #expect(twice.status == 0, "\(twice.errors)")
        #expect(!twice.errors.contains("no rule can say it"), "\(twice.errors)")
        let after = String(decoding: try Files.read(folder.path + "/tapedeck.json"), as: UTF8.self)
        let expected = """
            {
                // what we record
                "version": 1,
                "match": {"ignoreQuery": ["utm", "_now"], "ignoreBody": ["/sentAt"]}, /* ads */
                "routes": {"get-orders-id": {"match": "GET /orders/{id}?*", "anyPath": ["id"], "substitute": true}},
                "volatile": {"headers": ["X-Answer-Number"], "json": ["/items/*/seen", "/id", "/createdAt"]},
            }

            """
        #expect(after == expected, "\(after)\n\(twice.errors)")
        #expect(!Files.exists(folder.path + "/cassette/.twice"))

        let recorded = try files(folder)
        let again = try await run(folder, record)
        #expect(again.status == 0)
        #expect(again.errors.contains("interactions: 3 unchanged, 0 new"), "\(again.errors)")
        #expect(try files(folder) == recorded)
        let once = try await run(folder, record + ["--twice"])
        #expect(once.errors.contains("both runs were the same"), "\(once.errors)")
        #expect(String(decoding: try Files.read(folder.path + "/tapedeck.json"), as: UTF8.self) == expected)

        await backend.stop()
        let replay = try await run(folder, ["replay", "--strict"])
        #expect(replay.status == 0, "\(replay.output)\(replay.errors)")
    }

    @Test(arguments: [["--twice"], ["--twice", "--mode", "new"]])
    func whatCanNotBeComparedIsRefused(_ options: [String]) async throws {
        let folder = try TemporaryDirectory()
        let command = options.count > 1 ? ["--", "true"] : []
        let run = try await Program.tapedeck(
            ["record", "--upstream", "http://127.0.0.1:1", "--control", "off"] + options + ["cassette"] + command,
            in: folder)
        #expect(run.status == 2)
        #expect(run.errors.contains("--twice"))
    }

    @Test func aSecondRecordingOfAnUnchangedServerChangesNoLine() async throws {
        let folder = try TemporaryDirectory()
        let served = try ServedFiles.make(in: folder)
        let python = try PrintedPortServer.python()
        let nginx = try await Nginx(files: served, backend: python.port, in: folder)
        let flow = Flow([
            "$TAPEDECK_URL/data/items.json", "--compressed $TAPEDECK_URL/data/large.json", "$TAPEDECK_URL/blob.bin",
            "--head $TAPEDECK_URL/data/items.json", "$TAPEDECK_URL/missing",
            "-H 'Range: bytes=10-99' $TAPEDECK_URL/blob.bin", "$TAPEDECK_URL/data/items.json",
            "-H 'Content-Type: application/json' -d '{\"a\": 1}' $TAPEDECK_URL/echo", "$TAPEDECK_URL/empty",
            "-H 'If-Modified-Since: Fri, 01 Jan 2038 00:00:00 GMT' $TAPEDECK_URL/data/large.json",
        ])
        var recordings: [[String: [UInt8]]] = []
        for run in ["one", "two"] {
            let script = try flow.script(in: folder, results: folder.path + "/" + run)
            let ended = try await Program.tapedeck(
                [
                    "record", "--upstream", nginx.url, "--listen", "127.0.0.1:0", "--control", "off",
                    folder.path + "/cassette", "--", "sh", script,
                ], in: folder)
            #expect(ended.status == 0, "\(ended.errors)")
            recordings.append(try files(folder))
        }
        try await nginx.stop(in: folder)
        await python.stop()
        #expect(recordings[0].count >= 8)
        #expect(recordings[0] == recordings[1])
    }

    @Test func twentyParallelEqualRequestsGetTwentyAnswers() async throws {
        let folder = try TemporaryDirectory()
        let python = try PrintedPortServer.python()
        let record = "for n in $(seq 20); do curl -sf $TAPEDECK_URL/counter > recorded.$n; done"
        let replay = "seq 20 | xargs -P 20 -I N curl -sf -o replayed.N $TAPEDECK_URL/counter"
        for (words, script) in [(["record", "--upstream", python.url], record), (["replay", "--strict"], replay)] {
            let run = try await Program.tapedeck(
                words + ["--listen", "127.0.0.1:0", "--control", "off", "cassette", "--", "sh", "-c", script],
                in: folder)
            #expect(run.status == 0, "\(run.errors)")
        }
        await python.stop()
        let answers = { (name: String) in
            try (1...20).map { String(decoding: try Files.read("\(folder.path)/\(name).\($0)"), as: UTF8.self) }
        }
        let replayed = try answers("replayed")
        #expect(Set(replayed).count == 20)
        #expect(Set(replayed) == Set(try answers("recorded")))
    }
}
