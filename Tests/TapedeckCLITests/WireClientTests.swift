import HTTPCore
import TapedeckClient
import TestSupport
import Testing

@Suite struct WireClientTests {
    private func client(_ upstream: ScriptedUpstream, timeout: Duration = .seconds(10)) -> WireClient {
        WireClient(host: "127.0.0.1", port: upstream.port, timeout: timeout)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "hello"),
        ("HTTP/1.1 200 OK\r\n\r\nhello", "hello"),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""),
        ("HTTP/1.1 204 No Content\r\n\r\n", ""),
    ])
    func readsResponsesByTheirFraming(octets: String, body: String) async throws {
        let upstream = try ScriptedUpstream([[.readRequest, .send(octets), .close]])
        let response = try await client(upstream).perform(WireRequest("GET", "/a?b=c"))
        #expect(String(decoding: response.body, as: UTF8.self) == body)
    }

    @Test func sendsExactlyOneRequest() async throws {
        let upstream = try ScriptedUpstream([[.readRequest, .send("HTTP/1.1 204 No Content\r\n\r\n")]])
        let fields = Fields([("Content-Type", "application/json")])
        _ = try await client(upstream).perform(WireRequest("POST", "/a?b=c", fields: fields, body: Bytes("{}".utf8)))
        #expect(
            upstream.log.text(0) == """
                POST /a?b=c HTTP/1.1\r
                Host: 127.0.0.1:\(upstream.port)\r
                Content-Type: application/json\r
                Content-Length: 2\r
                Connection: close\r
                \r
                {}
                """)
        #expect(upstream.log.connections == 1)
    }

    @Test(arguments: [
        ([ScriptStep.readRequest, .close], WireError.closed(received: 0)),
        ([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Le"), .close], .closed(received: 27)),
        ([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), .close], .closed(received: 43)),
        ([.readRequest, .reset], .reset(received: 0)),
        ([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), .hold], .timedOut(received: 43)),
        ([.readRequest, .hold], .timedOut(received: 0)),
    ])
    func tellsHowAnExchangeFailed(script: [ScriptStep], expected: WireError) async throws {
        let upstream = try ScriptedUpstream([script])
        let isSilent = if case .timedOut = expected { true } else { false }
        let client = client(upstream, timeout: isSilent ? .milliseconds(200) : .seconds(10))
        await #expect(throws: expected) { try await client.perform(WireRequest("GET", "/")) }
    }

    @Test func callsGarbageMalformed() async throws {
        let upstream = try ScriptedUpstream([[.readRequest, .send("SSH-2.0-x\r\n\r\n"), .close]])
        let client = client(upstream)
        let error = await #expect(throws: WireError.self) { try await client.perform(WireRequest("GET", "/")) }
        let isMalformed = if case .malformed = error { true } else { false }
        #expect(isMalformed)
    }

    @Test func saysWhereNothingListens() async throws {
        let upstream = try ScriptedUpstream([[.hold]])
        let client = client(upstream)
        upstream.stop()
        await #expect(throws: WireError.refused("127.0.0.1:\(upstream.port)")) {
            try await client.perform(WireRequest("GET", "/"))
        }
    }
}
