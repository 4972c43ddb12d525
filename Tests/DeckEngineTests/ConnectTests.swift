import DeckEngine
import SystemIO
import TestSupport
import Testing
import Transport

/// CONNECT and what comes through it, without TLS: the same code serves both.
@Suite struct ConnectTests {
    private static let routes = #"""
        {"version": 1, "routes": {"all": {"match": "* /{rest...}?*", "variants": {"default": {"status": 200, "body": "hi"}}}}}
        """#

    private func deck(
        _ mode: DeckOptions.Mode = .replay, cassette: String? = nil, configuration: String = routes,
        _ change: (inout DeckOptions) -> Void = { _ in }
    ) async throws -> (RunningDeck, TemporaryDirectory) {
        let folder = try TemporaryDirectory()
        let deck = try await RunningDeck.start(mode, cassette: cassette, configuration: configuration, control: true) {
            $0.authorityFolder = folder.path + "/ca"
            change(&$0)
        }
        return (deck, folder)
    }

    private func open(_ deck: RunningDeck, _ authority: String, _ fields: String = "") throws -> RawClient {
        let client = try RawClient(port: deck.port)
        try client.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\(fields)\r\n")
        return client
    }

    private static let opened = "HTTP/1.1 200 Connection Established\r\n\r\n"

    @Test func plainRequestsThroughATunnelAreServedAsHTTPAndKeepItOpen() async throws {
        let (deck, _) = try await deck()
        let client = try open(deck, "api.example.com:80")
        #expect(try client.readThrough("\r\n\r\n") == Self.opened)
        for path in ["/a", "/b"] {
            try client.send("GET \(path) HTTP/1.1\r\nHost: api.example.com\r\n\r\n")
            #expect(try client.readResponse().text == "hi")
        }
        try client.send("GET http://api.example.com/c HTTP/1.1\r\nHost: api.example.com\r\n\r\n")
        #expect(try client.readResponse().status == 200)
        _ = await deck.deck.stop()
    }

    @Test func aRequestForAnotherHostIsMisdirected() async throws {
        let (deck, _) = try await deck()
        for (host, status) in [
            ("api.example.com", 200), ("api.example.com:80", 200), ("API.example.com", 200), ("other.example.com", 421),
            ("api.example.com:81", 421),
        ] {
            let client = try open(deck, "api.example.com:80")
            _ = try client.readThrough("\r\n\r\n")
            try client.send("GET /a HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(try client.readResponse().status == status, "\(host)")
        }
        _ = await deck.deck.stop()
    }

    @Test func aTunnelWithinATunnelIsRefused() async throws {
        let (deck, _) = try await deck()
        let client = try open(deck, "api.example.com:80")
        _ = try client.readThrough("\r\n\r\n")
        try client.send("CONNECT other.example.com:443 HTTP/1.1\r\nHost: other.example.com:443\r\n\r\n")
        #expect(try client.readResponse().status == 400)
        _ = await deck.deck.stop()
    }

    @Test func whatIsNeitherTLSNorHTTPIsClosedWithAWord() async throws {
        let (deck, _) = try await deck()
        let client = try open(deck, "api.example.com:5222")
        _ = try client.readThrough("\r\n\r\n")
        try client.send("<stream>")
        let (octets, ending) = client.readToEnd()
        #expect(octets.isEmpty && ending == .fin)
        _ = await deck.deck.stop()
        #expect(deck.log.text.contains("--tunnel api.example.com"), "\(deck.log.text)")
    }

    @Test func aTunnelToTheDeckItselfWouldLoop() async throws {
        let folder = try TemporaryDirectory()
        let (deck, _) = try await deck(.record, cassette: folder.path + "/c", configuration: #"{"version": 1}"#) {
            $0.tunneledHosts = [try? HostPattern("127.0.0.1")].compactMap { $0 }
        }
        #expect(try open(deck, "127.0.0.1:\(deck.port)").readResponse().status == 508)
        _ = await deck.deck.stop()
    }

    @Test func allowUpstreamsHoldsForTunnels() async throws {
        let folder = try TemporaryDirectory()
        let (deck, _) = try await deck(
            .record, cassette: folder.path + "/c",
            configuration: #"{"version": 1, "allowUpstreams": ["*.example.com"], "tunnel": ["*.example.org"]}"#)
        #expect(try open(deck, "api.example.org:443").readResponse().status == 403)
        _ = await deck.deck.stop()
    }

    @Test func aTunneledHostIsAMissInReplay() async throws {
        let (deck, _) = try await deck(configuration: #"{"version": 1, "tunnel": ["*.example.com"]}"#)
        let answer = try open(deck, "api.example.com:443").readResponse()
        #expect(answer.status == 599)
        #expect(answer.field("Tapedeck-Miss") == "1")
        let report = await deck.deck.stop()
        #expect(report.misses == 1)
        #expect(report.upstreamConnections == 0)
    }

    @Test func webSocketInsideIsRefusedInWords() async throws {
        let folder = try TemporaryDirectory()
        let (deck, _) = try await deck(.record, cassette: folder.path + "/c", configuration: #"{"version": 1}"#)
        let client = try open(deck, "api.example.com:80")
        _ = try client.readThrough("\r\n\r\n")
        try client.send(
            "GET /a HTTP/1.1\r\nHost: api.example.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        #expect(try client.readResponse().status == 501)
        _ = await deck.deck.stop()
    }

    @Test func octetsPassUnseenBothWaysAndAreCounted() async throws {
        let folder = try TemporaryDirectory()
        let far = try ScriptedUpstream([[.read(4), .send(Array("pong".utf8)), .close]])
        let (deck, _) = try await deck(
            .record, cassette: folder.path + "/c", configuration: #"{"version": 1, "tunnel": ["127.0.0.1"]}"#)
        let client = try open(deck, "127.0.0.1:\(far.port)")
        #expect(try client.readThrough("\r\n\r\n") == Self.opened)
        try client.send("ping")
        let (octets, ending) = client.readToEnd()
        #expect(String(decoding: octets, as: UTF8.self) == "pong")
        #expect(ending == .fin)
        client.close()
        let report = await deck.deck.stop()
        #expect(report.tunnels == 1)
        #expect(report.tunnelTraffic.sent == 4 && report.tunnelTraffic.received == 4)
        #expect(report.lines.contains { $0.contains("recorded 0") }, "\(report.lines)")
    }

    @Test func aSessionOfTheTunnelHoldsForAllInside() async throws {
        let (deck, _) = try await deck()
        let made = try await deck.control("POST", "/sessions", #"{"name": "mine"}"#)
        #expect(made.status == 201 || made.status == 200, "\(made.text)")
        // `mine:`
        let client = try open(deck, "api.example.com:80", "Proxy-Authorization: Basic bWluZTo=\r\n")
        _ = try client.readThrough("\r\n\r\n")
        for _ in 0..<2 {
            try client.send("GET /a HTTP/1.1\r\nHost: api.example.com\r\n\r\n")
            #expect(try client.readResponse().text == "hi")
        }
        let journal = try await deck.control("GET", "/journal?session=mine")
        #expect(journal.text.contains(#""total" : 2"#), "\(journal.text)")
        _ = await deck.deck.stop()
    }
}
