import DeckEngine
import TestSupport
import Testing

/// Clients repeat requests silently on kept connections: the fault must reach the app all the same.
@Suite struct RetryTrapTests {
    private static let configuration = """
        {"version": 1, "routes": {
          "a": {"match": "* /a", "variants": {"default": {"status": 200, "body": "fine", "latency": "50ms"}}}}}
        """

    private func deck(_ change: (inout DeckOptions) -> Void = { _ in }) async throws -> RunningDeck {
        try await RunningDeck.start(.replay, configuration: Self.configuration, control: true, change: change)
    }

    private static let request = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func switchingOneOnClosesIdleConnections() async throws {
        let deck = try await deck()
        let client = try RawClient(port: deck.port)
        try client.send(Self.request)
        #expect(try client.readResponse().field("Connection") == nil)
        #expect(try await deck.control("PUT", "/routes/a/variant", #"{"variant": "emptyResponse"}"#).status == 200)
        let (octets, ending) = client.readToEnd()
        #expect(octets.isEmpty && ending == .fin)
        _ = await deck.deck.stop()
    }

    @Test func switchingOneOnMarksBusyConnections() async throws {
        let deck = try await deck()
        let client = try RawClient(port: deck.port)
        try client.send(Self.request)
        #expect(try await deck.control("PUT", "/offline", #"{"offline": true}"#).status == 200)
        let (octets, ending) = client.readToEnd()
        // Its exchange was decided before the switch, or after: either way no request follows on this connection.
        let text = String(decoding: octets, as: UTF8.self)
        #expect(text.isEmpty ? ending == .reset : text.contains("Connection: close\r\n") && ending == .fin, "\(text)")
        _ = await deck.deck.stop()
    }

    @Test func anEqualRequestAtOnceIsLoggedAsTheClientsOwn() async throws {
        let deck = try await deck { $0.faults = ["a=emptyResponse,times=1"] }
        for octets in [0...0, 1...4_096] {
            let client = try RawClient(port: deck.port)
            try client.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(octets.contains(client.readToEnd().octets.count))
        }
        #expect(deck.log.text.contains("probably the client's own retry"))
        _ = await deck.deck.stop()
    }

    @Test func anotherRequestIsNotTakenForARetry() async throws {
        let deck = try await deck { $0.faults = ["a=emptyResponse,times=1"] }
        for method in ["GET", "DELETE"] {
            let client = try RawClient(port: deck.port)
            try client.send("\(method) /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            _ = client.readToEnd()
        }
        #expect(!deck.log.text.contains("probably"))
        _ = await deck.deck.stop()
    }

    @Test func offlineResetsTunnelsToo() async throws {
        let deck = try await deck()
        #expect(try await deck.control("PUT", "/offline", #"{"offline": true}"#).status == 200)
        let client = try RawClient(port: deck.port)
        try client.send("CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\n\r\n")
        let (octets, ending) = client.readToEnd()
        #expect(octets.isEmpty && ending == .reset)
        _ = await deck.deck.stop()
    }
}
