import HTTPCore
import TestSupport
import Testing

@testable import Transport

@Suite struct ServerRejectionTests {
    @Test(arguments: [
        ("GET /\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505), ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("GET /\(String(repeating: "x", count: 70_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 70_000))\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: 1\r\n", count: 300))\r\n", 431),
    ]) func answersAMalformedRequestSoThatTheClientReadsIt(_ request: String, _ status: Int) throws {
        let server = try ServerFixture { _ in Issue.record("the handler was called") }
        let client = try server.connect()
        // What follows would make a server that closes at once send a reset.
        try client.send(request + String(repeating: "y", count: 300_000))
        client.finish()
        let (octets, ending) = client.readToEnd()
        let text = String(decoding: octets, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(text.contains("Content-Type: application/problem+json\r\n"))
        #expect(text.contains("\"status\": \(status), \"label\": \"\(server.rejected.all.first ?? "?")\""))
        #expect(ending == .fin)
    }

    @Test func answersAHeadThatIsCut() throws {
        let server = try ServerFixture(handler: echo)
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHo")
        client.finish()
        #expect(try client.readResponse().text.contains("cut-head"))
    }

    @Test func leavesWithoutAWordWhenAnIdleClientDoes() throws {
        let server = try ServerFixture(handler: echo)
        let client = try server.connect()
        client.finish()
        #expect(client.readToEnd() == ([], .fin))
        #expect(server.rejected.all == [])
    }

    @Test func tellsTheHandlerOfMalformedChunksAndCloses() throws {
        let server = try ServerFixture { exchange in
            do {
                _ = try await exchange.readWholeBody(limit: 100)
            } catch ConnectionError.malformed(let error) {
                try await exchange.respond(.status(error.status), body: [])
            }
        }
        let client = try server.connect()
        try client.send(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        client.finish()
        let text = String(decoding: client.readToEnd().octets, as: UTF8.self)
        #expect(text == "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }

    @Test func tellsAClientAboveTheLimitWhy() throws {
        var limits = ServerLimits()
        limits.maxConnections = 1
        let server = try ServerFixture(limits: limits, handler: echo)
        let first = try server.connect()
        try first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try first.readResponse()
        let second = try server.connect()
        try second.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let response = try second.readResponse()
        #expect(response.status == 503)
        #expect(response.text.contains("too-many-connections"))
        try first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try first.readResponse().status == 200)
    }
}
