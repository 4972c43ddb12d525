import HTTPCore
import TestSupport
import Testing

@testable import Transport

@Suite struct ServerTimeoutTests {
    private let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(arguments: PollerKind.allCases) func closesAConnectionThatIsIdleTooLong(_ poller: PollerKind) throws {
        let server = try ServerFixture(poller, handler: echo)
        let client = try server.connect()
        try client.send(request)
        _ = try client.readResponse()
        server.clock.advance(by: .seconds(74))
        try client.send(request)
        _ = try client.readResponse()
        server.clock.advance(by: .seconds(74))
        try client.send(request)
        _ = try client.readResponse()
        #expect(server.clock.waitForTimer(within: 75))
        server.clock.advance(by: .seconds(75))
        #expect(client.readToEnd() == ([], .fin))
    }

    @Test(arguments: PollerKind.allCases) func answersAHeadThatTakesTooLong(_ poller: PollerKind) throws {
        let server = try ServerFixture(poller, handler: echo)
        let client = try server.connect()
        try client.send(request)
        _ = try client.readResponse()
        // Past the time-out of the connection's begin, so that the next timer is the one looked for.
        server.clock.advance(by: .seconds(31))
        try client.send(request + "GET /slow")
        _ = try client.readResponse()
        #expect(server.clock.waitForTimer(within: 30))
        server.clock.advance(by: .seconds(30))
        #expect(try client.readResponse().status == 408)
    }

    @Test func closesAConnectionThatNeverAsks() throws {
        let server = try ServerFixture(handler: echo)
        let client = try server.connect()
        #expect(server.clock.waitForTimer(within: 30))
        server.clock.advance(by: .seconds(30))
        #expect(client.readToEnd() == ([], .fin))
    }

    @Test func tellsTheHandlerOfABodyThatStops() throws {
        var limits = ServerLimits()
        limits.bodyIdleTimeout = .seconds(5)
        let server = try ServerFixture(limits: limits) { exchange in
            do {
                _ = try await exchange.readWholeBody(limit: 100)
            } catch ConnectionError.timedOut {
                try await exchange.respond(.status(408), body: [])
            }
        }
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
        #expect(server.clock.waitForTimer(within: 5))
        server.clock.advance(by: .seconds(5))
        let response = try client.readResponse()
        #expect(response.status == 408)
        #expect(response.field("Connection") == "close")
    }

    @Test(arguments: PollerKind.allCases) func cutsAClientThatNeverReads(_ poller: PollerKind) throws {
        let notes = Notes()
        var limits = ServerLimits()
        limits.writeIdleTimeout = .seconds(7)
        let server = try ServerFixture(poller, limits: limits) { exchange in
            do {
                try await exchange.respond(.ok, body: Bytes(repeating: 1, count: 50_000_000))
            } catch ConnectionError.timedOut {
                notes.add("cut")
            }
        }
        let client = try server.connect()
        try client.send(request)
        #expect(server.clock.waitForTimer(within: 7))
        server.clock.advance(by: .seconds(7))
        #expect(notes.wait(for: 1) == ["cut"])
        #expect(client.readToEnd().ending == .reset)
    }

    @Test(.timeLimit(.minutes(1))) func lingersNoLongerThanItsTime() async throws {
        let server = try ServerFixture { exchange in
            exchange.closesAfter = true
            try await exchange.respond(.ok, body: [])
        }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.readToEnd().ending == .fin)
        #expect(server.clock.waitForTimer(within: 2))
        server.clock.advance(by: .seconds(2))
        await server.listener.drain(timeout: .seconds(3_600))
        #expect(server.listener.openConnections == 0)
    }
}
