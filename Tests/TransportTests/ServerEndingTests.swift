import HTTPCore
import TestSupport
import Testing

@testable import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct ServerEndingTests {
    private let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(arguments: PollerKind.allCases) func cancelsASleepingHandlerWhenTheClientResets(_ poller: PollerKind) throws {
        let notes = Notes()
        let server = try ServerFixture(poller) { exchange in
            notes.add("begun")
            do { try await exchange.loop.sleep(for: .seconds(3_600)) } catch { notes.add("cancelled") }
        }
        let client = try server.connect()
        try client.send(request)
        #expect(notes.wait(for: 1) != nil)
        client.reset()
        #expect(notes.wait(for: 2) == ["begun", "cancelled"])
    }

    @Test(arguments: PollerKind.allCases) func cancelsAHandlerThatWritesWhenTheClientResets(_ poller: PollerKind) throws
    {
        let notes = Notes()
        let server = try ServerFixture(poller) { exchange in
            do {
                try await exchange.begin(.ok, .chunked)
                while true { try await exchange.write(Bytes(repeating: 1, count: 100_000)) }
            } catch { notes.add("over") }
        }
        let client = try server.connect()
        try client.send(request)
        _ = try client.take(500_000)
        client.reset()
        #expect(notes.wait(for: 1) == ["over"])
    }

    @Test(arguments: PollerKind.allCases) func endsAHoldWhenTheClientCloses(_ poller: PollerKind) throws {
        let notes = Notes()
        let server = try ServerFixture(poller) { exchange in
            notes.add("begun")
            exchange.hold()
            exchange.whenHoldEnds { notes.add("over") }
        }
        let client = try server.connect()
        try client.send(request + "more that is dropped")
        #expect(notes.wait(for: 1) != nil)
        client.finish()
        #expect(notes.wait(for: 2) != nil)
        #expect(client.readToEnd() == ([], .fin))
    }

    @Test(arguments: PollerKind.allCases) func endsAHoldWhenTheServerStops(_ poller: PollerKind) async throws {
        let notes = Notes()
        let server = try ServerFixture(poller) { exchange in
            notes.add("begun")
            exchange.hold()
            exchange.whenHoldEnds { notes.add("over") }
        }
        let client = try server.connect()
        try client.send(request)
        #expect(notes.wait(for: 1) != nil)
        server.listener.stop()
        #expect(notes.wait(for: 2) != nil)
        #expect(client.readToEnd() == ([], .fin))
    }

    @Test func abortsWithAResetOrWithAnEnd() throws {
        let server = try ServerFixture { exchange in
            if exchange.head.target == Bytes("/half".utf8) {
                try await exchange.writeRaw(Bytes("half".utf8))
                exchange.abort(.close)
            } else {
                exchange.abort(exchange.head.target == Bytes("/fin".utf8) ? .close : .reset)
            }
            await #expect(throws: ConnectionError.self) { try await exchange.respond(.ok, body: []) }
        }
        for (target, octets, ending) in [
            ("/fin", "", RawClient.Ending.fin), ("/half", "half", .fin), ("/rst", "", .reset),
        ] {
            let client = try server.connect()
            try client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.readToEnd() == (Bytes(octets.utf8), ending))
        }
    }

    @Test(arguments: PollerKind.allCases) func drainsExchangesThatAreUnderWay(_ poller: PollerKind) async throws {
        let notes = Notes()
        let server = try ServerFixture(poller, loops: 2) { exchange in
            notes.add("begun")
            try await exchange.loop.sleep(for: .seconds(2))
            try await exchange.respond(.ok, body: Bytes("done".utf8))
        }
        let idle = try server.connect()
        let busy = try server.connect()
        try busy.send(request)
        #expect(notes.wait(for: 1) != nil)
        server.listener.stop()
        #expect(idle.readToEnd() == ([], .fin))
        #expect(server.clock.waitForTimer(within: 2))
        server.clock.advance(by: .seconds(2))
        let response = try busy.readResponse()
        #expect(response.text == "done")
        #expect(response.field("Connection") == "close")
        busy.close()
        await server.listener.drain(timeout: .seconds(5))
        #expect(server.listener.openConnections == 0)
        #expect(throws: RawClient.Failure.self) { try server.connect() }
    }

    @Test func cancelsWhatIsLeftWhenDrainingTakesTooLong() async throws {
        let notes = Notes()
        let server = try ServerFixture { exchange in
            notes.add("begun")
            do { try await exchange.loop.sleep(for: .seconds(3_600)) } catch { notes.add("cancelled") }
        }
        let client = try server.connect()
        try client.send(request)
        #expect(notes.wait(for: 1) != nil)
        server.listener.stop()
        let drained = server.group.loops[0].spawn { [listener = server.listener] in
            await listener.drain(timeout: .seconds(5))
        }
        #expect(server.clock.waitForTimer(within: 5))
        server.clock.advance(by: .seconds(5))
        await drained.value
        #expect(notes.all == ["begun", "cancelled"])
        #expect(client.readToEnd().ending == .reset)
    }

    @Test func closesIdleConnectionsAndMarksBusyOnes() throws {
        let notes = Notes()
        let server = try ServerFixture { exchange in
            notes.add("begun")
            if exchange.head.target == Bytes("/slow".utf8) { try await exchange.loop.sleep(for: .seconds(1)) }
            try await exchange.respond(.ok, body: [])
        }
        let idle = try server.connect()
        try idle.send(request)
        _ = try idle.readResponse()
        let busy = try server.connect()
        try busy.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(notes.wait(for: 2) != nil)
        server.listener.closeIdle()
        #expect(idle.readToEnd() == ([], .fin))
        #expect(server.clock.waitForTimer(within: 1))
        server.clock.advance(by: .seconds(1))
        #expect(try busy.readResponse().field("Connection") == "close")
        // New connections are served as before.
        let fresh = try server.connect()
        try fresh.send(request)
        #expect(try fresh.readResponse().field("Connection") == nil)
    }

    @Test func servesAClientThatHadOnlyConnectedWhenIdleConnectionsWereClosed() throws {
        let server = try ServerFixture { exchange in try await exchange.respond(.ok, body: []) }
        let client = try server.connect()
        while server.listener.openConnections == 0 { sched_yield() }
        server.listener.closeIdle()
        try client.send(request)
        // Whether its connection is kept depends on whether its loop had taken it up by then.
        #expect(try client.readResponse().status == 200)
    }

    @Test func sparesConnectionsThatComeWhileIdleOnesAreClosed() throws {
        let group = try EventLoopGroup(count: 1)
        defer { group.shutdown() }
        let listener = try Listener.bind(ListenAddress(host: "127.0.0.1", port: 0), group: group)
        listener.start(limits: ServerLimits(), hooks: ServerHooks()) { exchange in
            if exchange.head.target == Bytes("/close".utf8) { listener.closeIdle() }
            try? await exchange.respond(.ok, body: [])
        }
        for _ in 0..<100 {
            let first = try RawClient(port: listener.port)
            try first.send("GET /close HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try first.readResponse()
            let second = try RawClient(port: listener.port)
            try second.send(request)
            #expect(try second.readResponse().status == 200)
        }
    }
}
