import Foundation
import SystemIO
import TapedeckClient
import TestSupport
import Testing

/// Decks with few descriptors, and in other places of the world.
@Suite struct ProcessLimitTests {
    /// The program as it runs with `count` descriptors at most.
    private static func limited(_ count: Int) -> [String] {
        ["sh", "-c", "ulimit -n \(count); exec \"$@\"", "sh", Program.tapedeck]
    }

    @Test func anUpstreamThatClosesEveryConnectionLeavesNoDescriptorBehind() async throws {
        let folder = try TemporaryDirectory()
        let files = try ServedFiles.make(in: folder)
        let python = try PrintedPortServer.pythonFiles(files)  // HTTP/1.0: closes after each answer.
        let flow = """
            import http.client, os, urllib.parse
            base = urllib.parse.urlsplit(os.environ['TAPEDECK_URL'])
            connection = http.client.HTTPConnection(base.hostname, base.port)
            for number in range(400):
                connection.request('GET', '/data/items.json')
                answer = connection.getresponse()
                answer.read()
                assert answer.status == 200, (number, answer.status)
            """
        let script = folder.path + "/flow.py"
        try Files.writeAtomically(Array(flow.utf8), to: script)
        let command = ["--control", "off", "--listen", "127.0.0.1:0", "cassette", "--", "python3", script]
        let recorded = try await Program.run(
            Self.limited(64) + ["record", "--upstream", python.url] + command, in: folder)
        #expect(recorded.status == 0, "\(recorded.errors)")
        await python.stop()
        let replayed = try await Program.run(Self.limited(64) + ["replay", "--strict"] + command, in: folder)
        #expect(replayed.status == 0, "\(replayed.errors)")
    }

    @Test func aDeckWithoutDescriptorsLeftWaitsForOneAndServesOn() async throws {
        let folder = try TemporaryDirectory()
        let ready = folder.path + "/ready.json"
        try Files.writeAtomically(
            Array(
                #"{"version": 1, "routes": {"a": {"match": "GET /a", "variants": {"default": {"status": 204}}}}}"#.utf8),
            to: folder.path + "/tapedeck.json")
        let started = try Program.start(
            Self.limited(48) + ["replay", "--listen", "127.0.0.1:0", "--control", "off", "--ready-file", ready],
            in: folder)
        defer { started.child.signal(SIGKILL) }
        let port = try await Self.port(in: ready)
        let crowd = try (0..<80).map { _ in try RawClient(port: port) }
        // Some of them wait in the kernel's queue now; one that is accepted already is served all the same.
        try crowd[0].send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try crowd[0].readResponse().status == 204)
        let before = try Self.processorTicks(started.child.pid)
        try await Task.sleep(for: .milliseconds(300))
        let used = try Self.processorTicks(started.child.pid) - before
        #expect(used < 20, "it must not spin while it waits: \(used) of about 30 ticks")
        for client in crowd[..<70] { client.close() }
        // The last one was never accepted before.
        try crowd[79].send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try crowd[79].readResponse().status == 204)
    }

    /// The proxy's port, once the ready file has it.
    private static func port(in ready: String) async throws -> Int {
        for _ in 0..<2_000 {
            if let text = try? Files.read(ready),
                let port = String(decoding: text, as: UTF8.self).firstMatch(of: /"proxy": ?"[^"]*:([0-9]+)"/)?.output.1
            {
                return try #require(Int(port))
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw BackendError("the deck does not get ready")
    }

    /// User and system time of a process in ticks of 10 ms (proc_pid_stat(5), fields 14 and 15).
    private static func processorTicks(_ pid: Int32) throws -> Int {
        let text = String(decoding: try Files.read("/proc/\(pid)/stat"), as: UTF8.self)
        let fields = text[text.index(after: try #require(text.lastIndex(of: ")")))...].split(separator: " ")
        return try #require(Int(fields[11])) + #require(Int(fields[12]))
    }

    @Test func timeZoneAndLanguageChangeNothing() async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream([
            [.readHead, .send(Self.answer), .close], [.readHead, .send(Self.answer), .close],
        ])
        let flow = "curl -s -i \"$TAPEDECK_URL/clock\" -o \"$RESULT\""
        let places = [
            ("a", ["TZ": "Europe/Berlin", "LANG": "ar_EG.UTF-8", "LC_ALL": "ar_EG.UTF-8"]),
            ("b", ["TZ": "Pacific/Apia", "LANG": "th_TH.UTF-8", "LC_ALL": "th_TH.UTF-8"]),
        ]
        for (name, place) in places {
            let run = try await Program.tapedeck(
                [
                    "record", "--listen", "127.0.0.1:0", "--control", "off", "--upstream",
                    "http://127.0.0.1:\(upstream.port)", name, "--", "sh", "-c", flow,
                ], in: folder, environment: place.merging(["RESULT": "\(folder.path)/live-\(name)"]) { $1 })
            #expect(run.status == 0, "\(run.errors)")
        }
        let interactions = try ["a", "b"].map { cassette in
            let names = try Files.list("\(folder.path)/\(cassette)/interactions")
            #expect(names.count == 1)
            let text = String(
                decoding: try Files.read("\(folder.path)/\(cassette)/interactions/\(names[0])"), as: UTF8.self)
            #expect(text.contains("Date: Sun, 25 Oct 2026 00:30:00 GMT"))
            let manifest = String(
                decoding: try Files.read("\(folder.path)/\(cassette)/cassette.json"), as: UTF8.self)
            #expect(manifest.contains(/"checked": "20[0-9]{2}-[0-9]{2}-[0-9]{2}"/))
            return text.replacing("\(upstream.port)", with: "PORT")
        }
        #expect(interactions[0] == interactions[1])
        var replayed: [String] = []
        for place in ["Asia/Kathmandu", "Pacific/Apia"] {
            let result = "\(folder.path)/replayed"
            let run = try await Program.tapedeck(
                [
                    "replay", "--listen", "127.0.0.1:0", "--control", "off", "--strict", "a", "--", "sh", "-c", flow,
                ], in: folder, environment: ["TZ": place, "RESULT": result])
            #expect(run.status == 0, "\(run.errors)")
            replayed.append(String(decoding: try Files.read(result), as: UTF8.self))
        }
        #expect(replayed[0] == replayed[1])
        #expect(replayed[0].contains("Date: Sun, 25 Oct 2026 00:30:00 GMT\r\n"))
        #expect(replayed[0].contains("; Expires=Sun, 25 Oct 2026 01:30:00 GMT\r\n"))
    }

    private static let answer =
        "HTTP/1.1 200 OK\r\nDate: Sun, 25 Oct 2026 00:30:00 GMT\r\n"
        + "Set-Cookie: s=1; Expires=Sun, 25 Oct 2026 01:30:00 GMT\r\nContent-Length: 2\r\n\r\nok"
}
