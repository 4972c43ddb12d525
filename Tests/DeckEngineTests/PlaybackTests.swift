import CassetteKit
import DeckRules
import HTTPCore
import SystemIO
import TestSupport
import Testing
import Transport

@testable import DeckEngine

/// Sequences on real sockets.
@Suite struct PlaybackTests {
    @Test func parallelEqualRequestsGetEachAnswerOnce() async throws {
        let folder = try TemporaryDirectory()
        let files = (1...20).map { Interactions.file("GET", "/job", #"{"text": ["answer \#($0)"]}"#) }
        try Interactions.write(files, to: folder.path + "/c")
        let replay = try await RunningDeck.start(
            .replay, cassette: folder.path + "/c", configuration: #"{"version": 1, "playback": "error"}"#)
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await replay.ask("GET", "/job").text } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(answers) == Set((1...20).map { "answer \($0)" }))
        #expect(try await replay.ask("GET", "/job").status == 599)
        _ = await replay.deck.stop()
    }

    @Test func listCreateListIsRightHoweverOftenTheClientRefreshes() async throws {
        let folder = try TemporaryDirectory()
        let body = { (text: String) in "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)" }
        let upstream = try ScriptedUpstream(["[]", "made", "[1]"].map { [.readRequest, .send(body($0))] })
        let configuration = #"{"version": 1, "playback": "followWrites"}"#
        let record = try await RunningDeck.start(.record, cassette: folder.path + "/c", configuration: configuration) {
            $0.upstreams = [NamedUpstream(url: "http://api.test")]
            $0.upstreamOptions.connectTo = ("127.0.0.1", upstream.port)
        }
        _ = try await record.ask("GET", "/items")
        _ = try await record.ask("POST", "/items", body: "x")
        _ = try await record.ask("GET", "/items")
        _ = await record.deck.stop()
        upstream.stop()
        let replay = try await RunningDeck.start(.replay, cassette: folder.path + "/c", configuration: configuration)
        for expected in ["[]", "[]", "[]"] { #expect(try await replay.ask("GET", "/items").text == expected) }
        #expect(try await replay.ask("POST", "/items", body: "x").text == "made")
        for expected in ["[1]", "[1]"] { #expect(try await replay.ask("GET", "/items").text == expected) }
        #expect(await replay.deck.stop().unused == [])
    }

    @Test(arguments: [("2026-11-20", "2026-11-20"), ("2026-11-01", "2026-12-01")])
    func theDayOfTheCheckMovesWhenHalfOfItsTimeIsOver(_ before: String, _ after: String) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/c/cassette.json"
        for run in 1...2 {
            let record = try await RunningDeck.start(
                .record, cassette: folder.path + "/c", configuration: #"{"version": 1, "expiresIn": "30d"}"#
            ) { $0.upstreams = [NamedUpstream(url: "http://api.test")] }
            _ = await record.deck.stop()
            guard run == 1 else { continue }
            let text = String(decoding: try Files.read(path), as: UTF8.self)
            #expect(text.contains("2026-12-01"))
            try Files.writeAtomically(Array(text.replacing("2026-12-01", with: before).utf8), to: path)
        }
        #expect(try Cassette.manifest(folder: folder.path + "/c")?.checked == after)
    }

    @Test func aRouteThatRestartsRewindsTheSession() async throws {
        let folder = try TemporaryDirectory()
        let files =
            ["one", "two"].map { Interactions.file("GET", "/a", #"{"text": ["\#($0)"]}"#) }
            + [Interactions.file("POST", "/login", #"{"text": ["in"]}"#)]
        try Interactions.write(files, to: folder.path + "/c")
        let replay = try await RunningDeck.start(
            .replay, cassette: folder.path + "/c",
            configuration: #"{"version": 1, "routes": {"login": {"match": "POST /login", "restart": true}}}"#)
        for _ in 0..<2 {
            #expect(try await replay.ask("POST", "/login").text == "in")
            #expect(try await replay.ask("GET", "/a").text == "one")
            #expect(try await replay.ask("GET", "/a").text == "two")
        }
        _ = await replay.deck.stop()
    }

    /// Pending, pending, done: a client that asks until it is done comes to an end, again and again after a reset.
    @Test(arguments: ["repeatLast", "error"])
    func aFlowThatPollsEnds(_ policy: String) async throws {
        let folder = try TemporaryDirectory()
        let files = [
            Interactions.file("GET", "/job", #"{"text": ["pending"]}"#, extra: #""repeat": 2,"#),
            Interactions.file("GET", "/job", #"{"text": ["done"]}"#),
        ]
        try Interactions.write(files, to: folder.path + "/c")
        let replay = try await RunningDeck.start(
            .replay, cassette: folder.path + "/c", configuration: #"{"version": 1, "playback": "\#(policy)"}"#,
            control: true)
        for _ in 0..<2 {
            var answers: [String] = []
            while answers.last != "done", answers.count < 10 {
                answers.append(try await replay.ask("GET", "/job").text)
            }
            #expect(answers == ["pending", "pending", "done"])
            #expect(try await replay.control("POST", "/reset", "{}").status < 300)
        }
        #expect(await replay.deck.stop().unused == [])
    }

    /// Under `error` a run that asks more often than the one before is recorded so that it can be played.
    @Test func aHigherCountIsRecordedWhereItMatters() async throws {
        let folder = try TemporaryDirectory()
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let configuration = #"{"version": 1, "playback": "error"}"#
        for count in [1, 3, 2] {
            let upstream = try ScriptedUpstream(Array(repeating: [.readRequest, .send(answer)], count: count))
            let record = try await RunningDeck.start(
                .record, cassette: folder.path + "/c", configuration: configuration
            ) {
                $0.upstreams = [NamedUpstream(url: "http://api.test")]
                $0.upstreamOptions.connectTo = ("127.0.0.1", upstream.port)
            }
            for _ in 0..<count { #expect(try await record.ask("GET", "/a").text == "ok") }
            _ = await record.deck.stop()
            upstream.stop()
        }
        let replay = try await RunningDeck.start(.replay, cassette: folder.path + "/c", configuration: configuration)
        for _ in 0..<3 { #expect(try await replay.ask("GET", "/a").text == "ok") }
        #expect(try await replay.ask("GET", "/a").status == 599)
        _ = await replay.deck.stop()
    }

    /// A client that leaves before it saw an octet leaves its answer to the next one.
    @Test func aCancelledRequestGivesItsAnswerBack() async throws {
        let folder = try TemporaryDirectory()
        let files = ["one", "two"].map { Interactions.file("GET", "/a", #"{"text": ["\#($0)"]}"#) }
        try Interactions.write(files, to: folder.path + "/c")
        let replay = try await RunningDeck.start(
            .replay, cassette: folder.path + "/c",
            configuration:
                #"{"version": 1, "routes": {"a": {"match": "GET /a?*", "variants": {"late": {"latency": "20s"}}}}}"#,
            control: true)
        #expect(try await replay.control("PUT", "/routes/a/variant", #"{"variant": "late"}"#).status < 300)
        let client = try RawClient(port: replay.port)
        try client.send("GET /a HTTP/1.1\r\nHost: api.test\r\n\r\n")
        let session = replay.deck.core.session
        while session.unplayed.count == 2 { await Task.yield() }
        client.reset()
        while session.unplayed.count == 1 { await Task.yield() }
        #expect(try await replay.control("PUT", "/routes/a/variant", #"{"variant": "default"}"#).status < 300)
        #expect(try await replay.ask("GET", "/a").text == "one")
        #expect(try await replay.ask("GET", "/a").text == "two")
        _ = await replay.deck.stop()
    }

    @Test func aRuleInAnInteractionHoldsOnReplay() async throws {
        let folder = try TemporaryDirectory()
        try Interactions.write(
            [Interactions.file("GET", "/a?t=1", #"{"text": ["loose"]}"#, extra: #""match": {"ignoreQuery": ["t"]},"#)],
            to: folder.path + "/c")
        let replay = try await RunningDeck.start(.replay, cassette: folder.path + "/c")
        #expect(try await replay.ask("GET", "/a?t=77").text == "loose")
        #expect(try await replay.ask("GET", "/a?u=77").status == 599)
        _ = await replay.deck.stop()
    }
}

/// Cassettes written by hand.
enum Interactions {
    /// - Parameters:
    ///   - body: as the format has it.
    ///   - fields: further header lines, each with a comma before it.
    ///   - extra: further members, each followed by a comma.
    static func file(
        _ method: String, _ target: String, _ body: String, extra: String = "", status: Int = 200, fields: String = ""
    )
        -> String
    {
        """
        {\(extra) "request": {"method": "\(method)", "url": "http://api.test\(target)"},
         "response": {"status": \(status), "headers": ["Content-Type: application/json"\(fields)], "body": \(body)}}
        """
    }

    /// Writes a cassette; the files are numbered in their order.
    static func write(_ files: [String], to folder: String, checked: String = "2026-11-30") throws {
        try Files.makeDirectories(folder + "/interactions")
        let manifest = #"{"version": 1, "form": "reverse", "upstreams": ["http://api.test"], "checked": "\#(checked)"}"#
        try Files.writeAtomically(Array(manifest.utf8), to: folder + "/cassette.json")
        for (number, file) in files.enumerated() {
            try Files.writeAtomically(Array(file.utf8), to: "\(folder)/interactions/a.000000.\(number + 1).json")
        }
    }
}
