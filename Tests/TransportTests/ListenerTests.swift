import TestSupport
import Testing

@testable import Transport

@Suite struct ListenerTests {
    @Test(arguments: [
        ("localhost:4750", "localhost", 4750), ("127.0.0.1:0", "127.0.0.1", 0), ("[::1]:80", "[::1]", 80),
        ("0.0.0.0:65535", "0.0.0.0", 65_535),
    ]) func readsHostAndPort(_ text: String, _ host: String, _ port: Int) throws {
        #expect(try ListenAddress.parse(text) == ListenAddress(host: host, port: port))
    }

    @Test(arguments: ["", "localhost", ":80", "localhost:", "localhost:65536", "localhost:+1", "::1:80", "a:1x"])
    func refusesWhatIsNoHostAndPort(_ text: String) {
        #expect(throws: ListenError.self) { try ListenAddress.parse(text) }
    }

    @Test func tellsLoopbackFromOtherAddresses() {
        #expect(
            ["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"].allSatisfy {
                ListenAddress(host: $0, port: 1).isLoopback
            })
        #expect(!["0.0.0.0", "::", "10.0.0.1"].contains { ListenAddress(host: $0, port: 1).isLoopback })
    }

    @Test(arguments: PollerKind.allCases) func listensOnBothLoopbackAddressesOnOnePort(_ poller: PollerKind) throws {
        let group = try EventLoopGroup(count: 2, poller: poller)
        defer { group.shutdown() }
        let listener = try Listener.bind(ListenAddress(host: "localhost", port: 0), group: group)
        listener.start(limits: ServerLimits(), hooks: ServerHooks()) { try? await echo($0) }
        #expect(listener.port > 0)
        for host in listener.addresses {
            let client = try RawClient(port: listener.port, host: host)
            try client.send("GET /\(host) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.readResponse().text == "GET /\(host) ")
        }
        #expect(listener.addresses.first == "127.0.0.1")
    }

    @Test func namesThePortThatAnotherProgramHas() throws {
        let group = try EventLoopGroup(count: 1)
        defer { group.shutdown() }
        let first = try Listener.bind(ListenAddress(host: "127.0.0.1", port: 0), group: group)
        let error = #expect(throws: ListenError.self) {
            try Listener.bind(ListenAddress(host: "localhost", port: first.port), group: group)
        }
        #expect(error?.message.contains("port \(first.port)") == true)
        withExtendedLifetime(first) {}
    }

    @Test(arguments: ["example.com", "300.1.1.1", ""]) func refusesAHostThatIsNoAddress(_ host: String) throws {
        let group = try EventLoopGroup(count: 1)
        defer { group.shutdown() }
        #expect(throws: ListenError.self) { try Listener.bind(ListenAddress(host: host, port: 0), group: group) }
    }

    @Test func dealsConnectionsToAllLoops() throws {
        let notes = Notes()
        let server = try ServerFixture(loops: 3) { exchange in
            notes.add("\(exchange.loop.index)")
            try await exchange.respond(.ok, body: [])
        }
        let clients = try (0..<6).map { _ in try server.connect() }
        for client in clients { try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
        for client in clients { _ = try client.readResponse() }
        #expect(notes.all.sorted() == ["0", "0", "1", "1", "2", "2"])
    }
}
