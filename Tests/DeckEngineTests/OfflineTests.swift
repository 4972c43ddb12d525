import DeckEngine
import DeckRules
import TapedeckClient
import TestSupport
import Testing
import Transport

/// A session without a network: its own port refuses, and stays its own.
@Suite struct OfflineTests {
    private static let configuration = """
        {"version": 1, "scenarios": {"tunnel": {"*": "offline"}}, "routes": {
          "a": {"match": "GET /a", "variants": {"default": {"status": 200, "body": "fine"}}},
          "login": {"match": "POST /login", "auth": true, "variants": {"default": {"status": 200}}}}}
        """

    private func deck(_ poller: PollerKind = .epoll) async throws -> RunningDeck {
        try await RunningDeck.start(.replay, configuration: Self.configuration, control: true, poller: poller)
    }

    private func makeSession(_ deck: RunningDeck, _ more: String = "") async throws -> Int {
        let made = try await deck.control("POST", "/sessions", #"{"name": "s", "port": true\#(more)}"#)
        #expect(made.status == 200)
        return try #require(
            made.text.split(separator: "\n").first { $0.contains("\"url\"") }?.split(separator: ":").last
                .flatMap { Int($0.prefix { $0.isNumber }) })
    }

    private func isRefused(_ port: Int) -> Bool {
        do {
            _ = try RawClient(port: port)
            return false
        } catch {
            return "\(error)".contains("refused")
        }
    }

    private static let request = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

    private func ask(_ port: Int) throws -> Int {
        let client = try RawClient(port: port)
        try client.send(Self.request)
        return try client.readResponse().status
    }

    @Test(arguments: PollerKind.allCases, [true, false])
    func itsOwnPortRefusesAndComesBack(poller: PollerKind, byScenario: Bool) async throws {
        let deck = try await deck(poller)
        let port = try await makeSession(deck)
        for _ in 1...2 {
            let kept = try RawClient(port: port)
            try kept.send(Self.request)
            #expect(try kept.readResponse().status == 200)
            let fresh = try RawClient(port: port)
            let (path, on, off) =
                byScenario
                ? ("/scenario", #"{"scenario": "tunnel"}"#, #"{"scenario": null}"#)
                : ("/offline", #"{"offline": true}"#, #"{"offline": false}"#)
            #expect(try await deck.control("PUT", path + "?session=s", on).status == 200)
            #expect(kept.readToEnd().ending == .reset)
            #expect(fresh.readToEnd().ending == .reset)
            for _ in 1...3 { #expect(isRefused(port)) }
            // Nobody else may have the port meanwhile, whatever socket they ask with.
            let loops = try EventLoopGroup(count: 1, poller: poller, clock: .system)
            #expect(throws: ListenError.self) {
                try Listener.bind(ListenAddress(host: "127.0.0.1", port: port), group: loops)
            }
            loops.shutdown()
            #expect(try await deck.ask("GET", "/a").status == 200, "the deck's own port goes on")
            #expect(try await deck.control("PUT", path + "?session=s", off).status == 200)
            #expect(try ask(port) == 200)
        }
        _ = await deck.deck.stop()
    }

    @Test func aSessionMayBeginOfflineAndIsClosedWhileItIs() async throws {
        let deck = try await deck()
        let port = try await makeSession(deck, #", "scenario": "tunnel""#)
        #expect(isRefused(port))
        #expect(try await deck.control("DELETE", "/sessions/s").status == 200)
        let loops = try EventLoopGroup(count: 1, poller: .epoll, clock: .system)
        #expect(try Listener.bind(ListenAddress(host: "127.0.0.1", port: port), group: loops).port == port)
        loops.shutdown()
        _ = await deck.deck.stop()
    }

    @Test func onASharedPortTheRequestIsReadAndReset() async throws {
        let deck = try await deck()
        #expect(try await deck.control("POST", "/sessions", #"{"name": "s"}"#).status == 200)
        #expect(try await deck.control("PUT", "/offline?session=s", #"{"offline": true}"#).status == 200)
        let client = try RawClient(port: deck.port)
        try client.send("GET /_deck/s/a HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(client.readToEnd().ending == .reset)
        #expect(try await deck.ask("GET", "/a").status == 200)
        _ = await deck.deck.stop()
    }
}
