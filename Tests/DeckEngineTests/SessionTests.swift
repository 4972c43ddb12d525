import ControlAPI
import DeckRules
import Foundation
import HTTPCore
import SystemIO
import TapedeckClient
import TestSupport
import Testing
import Transport

@testable import DeckEngine

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Tests that run beside each other on one deck.
@Suite struct SessionTests {
    private func deck(
        _ folder: TemporaryDirectory, configuration: String = #"{"version": 1}"#,
        change: @escaping (inout DeckOptions) -> Void = { _ in }
    ) async throws -> RunningDeck {
        let files = (1...3).map { Interactions.file("GET", "/a", #"{"text": ["\#($0)"]}"#) }
        try Interactions.write(files, to: folder.path + "/c")
        return try await RunningDeck.start(
            .replay, cassette: folder.path + "/c", configuration: configuration, control: true, change: change)
    }

    private func make(_ deck: RunningDeck, _ document: String) async throws -> WireResponse {
        try await deck.control("POST", "/sessions", document)
    }

    @Test func eachSessionHasItsOwnCursor() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder)
        #expect(try await make(deck, #"{"name": "one"}"#).status == 200)
        #expect(try await make(deck, #"{"name": "two"}"#).text.contains("/_deck/two"))
        for expected in ["1", "2"] {
            #expect(try await deck.ask("GET", "/_deck/one/a").text == expected)
            #expect(try await deck.ask("GET", "/a", [("Tapedeck-Session", "two")]).text == expected)
        }
        #expect(try await deck.ask("GET", "/a").text == "1")
        let user = [("Proxy-Authorization", "Basic b25lOng=")]
        #expect(try await deck.ask("GET", "http://api.test/a", user).text == "3", "the proxy's user is one")
        let stranger = [("Proxy-Authorization", "Basic dXNlcjpwdw==")]
        #expect(try await deck.ask("GET", "/a", stranger).text == "2", "a user who is no session")
        let journal = try await deck.control("GET", "/journal?session=one")
        #expect(journal.text.contains("\"total\" : 3"))
        #expect(try await deck.control("GET", "/health?session=three").status == 404)
        let end = try await deck.control("DELETE", "/sessions/one")
        #expect(end.text.contains("\"hits\" : 3"))
        #expect(try await deck.ask("GET", "/_deck/one/a").status == 599)
        let report = await deck.deck.stop()
        #expect(report.hits == 7)
        #expect(report.unused == [], "session one asked for all")
    }

    @Test func aSessionMayHaveItsOwnPort() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder)
        let made = try await make(deck, #"{"name": "p", "port": true}"#)
        let port = try #require(
            made.text.split(separator: "\n").first { $0.contains("\"url\"") }?.split(separator: ":").last
                .flatMap { Int($0.prefix { $0.isNumber }) })
        #expect(port != deck.port)
        let answer = try await WireClient(host: "127.0.0.1", port: port, timeout: .seconds(60))
            .perform(WireRequest("GET", "/a"))
        #expect(answer.text == "1")
        #expect(try await deck.ask("GET", "/_deck/p/a").text == "2")
        #expect(try await deck.control("DELETE", "/sessions/p").status == 200)
        _ = await deck.deck.stop()
    }

    @Test func withoutADefaultSessionARequestMustNameOne() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder) {
            $0.refusesDefaultSession = true
            $0.makesSessions = true
            $0.strict = [.misses]
        }
        let miss = try await deck.ask("GET", "/a")
        #expect(miss.status == 599)
        #expect(miss.head.fields.text("Tapedeck-Miss") == "1")
        #expect(miss.text.contains("--no-default-session"))
        let report = await deck.deck.stop()
        #expect(report.misses == 1 && !report.passed)
    }

    @Test func sessionsAreMadeOnFirstSightIfAskedFor() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder) { $0.makesSessions = true }
        #expect(try await deck.ask("GET", "/a", [("Tapedeck-Session", "x")]).text == "1")
        #expect(try await deck.ask("GET", "/_deck/y/a").text == "1")
        #expect(try await deck.ask("GET", "/_deck/x/a").text == "2")
        #expect(try await deck.ask("GET", "/a", [("Tapedeck-Session", "no name")]).status == 599)
        #expect(try await deck.control("GET", "/sessions").text.contains("\"name\" : \"y\""))
        _ = await deck.deck.stop()
    }

    @Test func scenariosAndResetsBelongToASession() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(
            folder, configuration: #"{"version": 1, "scenarios": {"out": {"*": "unauthorized"}}}"#)
        #expect(try await make(deck, #"{"name": "s", "scenario": "out"}"#).status == 200)
        #expect(try await deck.ask("GET", "/_deck/s/a").status == 401)
        #expect(try await deck.ask("GET", "/a").status == 200)
        #expect(try await deck.control("PUT", "/scenario?session=s", #"{"scenario": null}"#).status == 200)
        #expect(try await deck.ask("GET", "/_deck/s/a").text == "1")
        #expect(try await deck.ask("GET", "/_deck/s/a").text == "2")
        #expect(try await deck.control("POST", "/reset?session=s", "{}").status == 200)
        #expect(
            try await deck.ask("GET", "/_deck/s/a").status == 401, "reset begins with the scenario it was made with")
        #expect(try await deck.ask("GET", "/a").text == "2", "the default session goes on")
        _ = await deck.deck.stop()
    }

    @Test(arguments: ["/etc", "../c", "a/../../c", "", "a//b", "./c", "out", "out/c"])
    func aCassetteLiesBelowTheFolder(_ path: String) async throws {
        let folder = try TemporaryDirectory()
        try Interactions.write([Interactions.file("GET", "/a", #"{"text": ["1"]}"#)], to: folder.path + "/root/c")
        try Interactions.write([Interactions.file("GET", "/a", #"{"text": ["secret"]}"#)], to: folder.path + "/other/c")
        #expect(symlink(folder.path + "/other", folder.path + "/root/out") == 0)
        let deck = try await RunningDeck.start(.replay, cassette: folder.path + "/root", control: true)
        let answer = try await make(deck, #"{"name": "s", "cassette": "\#(path)"}"#)
        #expect(answer.status == 400, "\(answer.text)")
        #expect(try await make(deck, #"{"name": "s", "cassette": "c"}"#).status == 200)
        #expect(try await deck.ask("GET", "/_deck/s/a").text == "1")
        _ = await deck.deck.stop()
    }

    @Test func aRecordingSessionHoldsItsLockAndWritesBeforeClosingReturns() async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream([
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")]
        ])
        let deck = try await RunningDeck.start(.record, cassette: folder.path, control: true) {
            $0.refusesDefaultSession = true
            $0.upstreams = [NamedUpstream(url: "http://api.test")]
            $0.upstreamOptions.connectTo = ("127.0.0.1", upstream.port)
        }
        #expect(try await make(deck, #"{"name": "r", "cassette": "new/one"}"#).status == 200)
        #expect(try await make(deck, #"{"name": "q", "cassette": "new/one"}"#).status == 409, "the lock is held")
        #expect(try await deck.ask("GET", "/_deck/r/a").text == "hi")
        let end = try await deck.control("DELETE", "/sessions/r")
        #expect(end.text.contains("recorded 1"), "\(end.text)")
        #expect(try Files.list(folder.path + "/new/one/interactions").count == 1)
        #expect(
            try await make(deck, #"{"name": "r", "cassette": "new/one", "mode": "replay"}"#).status == 200)
        #expect(try await deck.ask("GET", "/_deck/r/a").text == "hi")
        upstream.stop()
        _ = await deck.deck.stop()
    }

    @Test func namesAreCheckedAndSessionsAreUnique() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder)
        #expect(try await make(deck, #"{"name": "a/b"}"#).status == 400)
        #expect(try await make(deck, #"{"name": "default"}"#).status == 409)
        #expect(try await make(deck, #"{"name": "a"}"#).status == 200)
        #expect(try await make(deck, #"{"name": "a"}"#).status == 409)
        #expect(try await make(deck, "{}").text.contains("\"name\" : \"s1\""))
        #expect(try await make(deck, #"{"mode": "record"}"#).status == 409)
        #expect(try await make(deck, #"{"scenario": "none such"}"#).status == 409)
        #expect(try await deck.control("DELETE", "/sessions/none").status == 404)
        _ = await deck.deck.stop()
    }

    @Test func theSwiftClientDrivesSessions() async throws {
        let folder = try TemporaryDirectory()
        let deck = try await deck(folder)
        let control = try DeckControl(deck.deck.controlURL ?? "")
        let made = try await control.makeSession(SessionRequest(name: "client"))
        #expect(made.url.hasSuffix("/_deck/client"))
        #expect(try await deck.ask("GET", "/_deck/client/a?x=ü").status == 599)
        #expect(try await deck.ask("GET", "/_deck/client/a").text == "1")
        #expect(try await control.sessions().map(\.name) == ["client"])
        let page = try await control.journal(JournalFilter(path: "/a", outcome: "hit"), session: "client")
        #expect(page.entries.map(\.interaction) == ["a.000000.1.json"] && page.total == 2)
        #expect(try await control.check(Assertion(JournalFilter(path: "/a"), calls: 2), session: "client").passed)
        #expect(try await !control.check(Assertion(JournalFilter(path: "/a")), session: nil).passed)
        #expect(try await control.closeSession("client").counts.misses == 1)
        _ = await deck.deck.stop()
    }

    /// Each session gets the same answers in the same order, however the sessions' requests mix. `TAPEDECK_RUNS` sets how
    /// many mixtures are tried.
    @Test(arguments: 1...(UInt64(ProcessInfo.processInfo.environment["TAPEDECK_RUNS"] ?? "") ?? 2))
    func fiftySessionsDoNotDisturbEachOther(seed: UInt64) async throws {
        let folder = try TemporaryDirectory()
        let files = (0..<200).map { Interactions.file("GET", "/item/\($0 % 40)", #"{"text": ["\#($0)"]}"#) }
        try Interactions.write(files, to: folder.path + "/c")
        let deck = try await RunningDeck.start(.replay, cassette: folder.path + "/c") { $0.makesSessions = true }
        var clients: [(raw: RawClient, asked: Int, answers: [String])] = []
        for _ in 0..<50 { clients.append((try RawClient(port: deck.port), 0, [])) }
        var generator = SeededGenerator(seed: seed)
        var open = Array(clients.indices)
        // Of each session a request may be under way while others are sent.
        while let session = open.randomElement(using: &generator) {
            if clients[session].asked > clients[session].answers.count {
                clients[session].answers.append(try clients[session].raw.readResponse().text)
                if clients[session].answers.count == 200 { open.removeAll { $0 == session } }
            } else {
                let item = clients[session].asked * 7 % 40
                try clients[session].raw.send("GET /_deck/s\(session)/item/\(item) HTTP/1.1\r\nHost: x\r\n\r\n")
                clients[session].asked += 1
            }
        }
        let expected = (0..<200).map { String($0 * 7 % 40 + $0 / 40 * 40) }
        #expect(clients.allSatisfy { $0.answers == expected })
        clients = []
        let report = await deck.deck.stop()
        #expect(report.hits == 10_000 && report.misses == 0 && report.unused.isEmpty)
    }
}
