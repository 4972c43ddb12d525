import DeckRules
import HTTPCore
import SystemIO
import TapedeckClient
import TestSupport
import Testing
import Transport

@testable import DeckEngine

/// How sessions come, go, and are kept from piling up.
@Suite struct SessionLifeTests {
    private func deck(
        _ folder: TemporaryDirectory, configuration: String = #"{"version": 1}"#,
        change: (inout DeckOptions) -> Void = { _ in }
    ) async throws -> RunningDeck {
        try Interactions.write([Interactions.file("GET", "/a", #"{"text": ["1"]}"#)], to: folder.path + "/c")
        return try await RunningDeck.start(
            .replay, cassette: folder.path + "/c", configuration: configuration, control: true, change: change)
    }

    private func port(of answer: WireResponse) throws -> Int {
        let line = try #require(answer.text.split(separator: "\n").first { $0.contains("\"url\"") })
        return try #require(line.split(separator: ":").last.flatMap { Int($0.prefix { $0.isNumber }) })
    }

    @Test func whatNobodyUsesIsClosed() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder)
        #expect(
            try await deck.control("POST", "/sessions", #"{"name": "short", "timeToLive": "1ms"}"#).status == 200)
        #expect(try await deck.control("POST", "/sessions", #"{"name": "long"}"#).status == 200)
        while deck.deck.sessions.entries.count > 1 { await deck.deck.sessions.sweep() }
        #expect(deck.deck.sessions.entries.map(\.name) == ["long"])
        #expect(deck.log.text.contains("session short was not used for"))
        #expect(try await deck.ask("GET", "/_deck/short/a").status == 599)
        #expect(try await deck.control("POST", "/sessions", #"{"timeToLive": "soon"}"#).status == 400)
        let report = await deck.deck.stop()
        #expect(report.sessions.map(\.name) == ["short", "long"], "its account is part of the run's all the same")
    }

    @Test func thereIsACap() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder) { $0.makesSessions = true }
        for _ in 0..<Sessions.capacity { _ = try deck.deck.sessions.reserve(nil) }
        let answer = try await deck.control("POST", "/sessions", "{}")
        #expect(answer.status == 429 && answer.text.contains("too-many-sessions"))
        #expect(try await deck.ask("GET", "/_deck/new/a").status == 599, "none on first sight, either")
        deck.deck.sessions.release("s1")
        #expect(try await deck.control("POST", "/sessions", "{}").status == 200)
        _ = await deck.deck.stop()
    }

    @Test func portsComeFromTheRangeUntilItIsUsedUp() async throws {
        let folder = try TemporaryDirectory()
        // A port that was free a moment ago.
        let other = try await deck(folder)
        let range = other.port...other.port
        let deck = try await deck(folder) { $0.sessionPorts = range }
        let taken = try await deck.control("POST", "/sessions", #"{"name": "a"}"#)
        #expect(taken.status == 429 && taken.text.contains("no-port"), "another program has it: \(taken.text)")
        _ = await other.deck.stop()
        let made = try await deck.control("POST", "/sessions", #"{"name": "a"}"#)
        #expect(try port(of: made) == range.lowerBound, "\(made.text)")
        #expect(try await deck.control("POST", "/sessions", "{}").status == 429)
        #expect(try await deck.control("POST", "/sessions", #"{"port": false}"#).status == 200)
        #expect(try await deck.control("DELETE", "/sessions/a").status == 200)
        #expect(try await deck.control("POST", "/sessions", #"{"name": "b"}"#).status == 200, "the port is free again")
        _ = await deck.deck.stop()
    }

    @Test func anOwnPortHasTheDecksLimits() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder, configuration: #"{"version": 1, "limits": {"head": 1024}}"#)
        let made = try await deck.control("POST", "/sessions", #"{"name": "s", "port": true}"#)
        let client = WireClient(host: "127.0.0.1", port: try port(of: made), timeout: .seconds(60))
        let long = Fields([("X-Long", String(repeating: "x", count: 2_000))])
        #expect(try await client.perform(WireRequest("GET", "/a", fields: long)).status == 431)
        #expect(try await client.perform(WireRequest("GET", "/a")).status == 200)
        _ = await deck.deck.stop()
    }

    @Test func aProxysUserWhoIsNoSessionIsTheDefaultOnes() async throws {
        let folder = try TemporaryDirectory()
        let stranger = [("Proxy-Authorization", "Basic dXNlcjpwdw==")]
        for (refuses, status) in [(false, 200), (true, 599)] {
            let deck = try await deck(folder) { $0.refusesDefaultSession = refuses }
            #expect(try await deck.ask("GET", "http://api.test/a", stranger).status == status)
            _ = await deck.deck.stop()
        }
    }

    @Test func sessionsRecordBesideEachOtherButNotTheSame() async throws {
        let folder = try TemporaryDirectory()
        let answer = [ScriptStep.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")]
        let upstream = try ScriptedUpstream([answer, answer])
        let deck = try await RunningDeck.start(.record, cassette: folder.path, control: true) {
            $0.refusesDefaultSession = true
            $0.upstreams = [NamedUpstream(url: "http://api.test")]
            $0.upstreamOptions.connectTo = ("127.0.0.1", upstream.port)
        }
        for name in ["one", "two"] {
            let made = try await deck.control("POST", "/sessions", #"{"name": "\#(name)", "cassette": "\#(name)"}"#)
            #expect(made.status == 200)
            #expect(try await deck.ask("GET", "/_deck/\(name)/\(name)").text == "hi")
        }
        let second = try await deck.control("POST", "/sessions", #"{"cassette": "two"}"#)
        #expect(second.status == 409 && second.text.contains("process \(ThisProcess.id)"), "\(second.text)")
        for name in ["one", "two"] {
            let end = try await deck.control("DELETE", "/sessions/\(name)")
            #expect(end.text.contains("recorded 1"), "\(end.text)")
            let files = try Files.list("\(folder.path)/\(name)/interactions")
            #expect(files.count == 1 && files[0].hasPrefix("get-\(name)."), "written when closing returns: \(files)")
        }
        upstream.stop()
        _ = await deck.deck.stop()
    }
}
