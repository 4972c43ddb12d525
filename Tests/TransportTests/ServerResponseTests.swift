import HTTPCore
import TestSupport
import Testing

@testable import Transport

@Suite struct ServerResponseTests {
    @Test(arguments: PollerKind.allCases) func sendsALargeBodyWhole(_ poller: PollerKind) throws {
        let body = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let server = try ServerFixture(poller) { try await $0.respond(.ok, body: body) }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readResponse().body == body)
    }

    @Test func sendsChunksAndTrailers() throws {
        let server = try ServerFixture { exchange in
            try await exchange.begin(.ok, .chunked)
            try await exchange.write(Bytes("hello ".utf8))
            try await exchange.write([])
            try await exchange.write(Bytes("world".utf8))
            try await exchange.end(trailers: Fields([("Sum", "1")]))
        }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        client.finish()
        #expect(
            String(decoding: client.readToEnd().octets, as: UTF8.self)
                == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "6\r\nhello \r\n5\r\nworld\r\n0\r\nSum: 1\r\n\r\n")
    }

    @Test func sendsAHeadThoughTheBodyIsLate() throws {
        let notes = Notes()
        let server = try ServerFixture { exchange in
            try await exchange.begin(.ok, .length(2))
            exchange.hold()
            exchange.whenHoldEnds { notes.add("over") }
        }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readResponse(isHead: true).field("Content-Length") == "2")
        client.close()
        #expect(notes.wait(for: 1) != nil)
    }

    @Test func sendsAHeadWhenTheHandlerWaitsForSomethingElse() throws {
        let server = try ServerFixture { exchange in
            try await exchange.begin(.ok, .length(2))
            try await exchange.loop.sleep(for: .seconds(9))
            try await exchange.write(Bytes("ok".utf8))
            try await exchange.end()
        }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readResponse(isHead: true).status == 200)
        #expect(server.clock.waitForTimer(within: 9))
        server.clock.advance(by: .seconds(9))
        #expect(try client.take(2) == Bytes("ok".utf8))
    }

    @Test(arguments: ["HEAD / ", "GET /204 ", "GET /304 "]) func sendsNoBodyWhereThereIsNone(_ request: String) throws {
        let server = try ServerFixture { exchange in
            let status = Int(String(decoding: exchange.head.target.dropFirst(), as: UTF8.self)) ?? 200
            try await exchange.respond(.status(status), body: Bytes("body".utf8))
        }
        let client = try server.connect()
        for _ in 0..<2 {
            try client.send("\(request)HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try client.readResponse(isHead: true)
            #expect(response.field("Content-Length") == (request.hasPrefix("HEAD") ? "4" : nil))
        }
    }

    @Test func endsAChunkedBodyByClosingForAnHTTP10Client() throws {
        let server = try ServerFixture { exchange in
            try await exchange.begin(.ok, .chunked)
            try await exchange.write(Bytes("hello".utf8))
            try await exchange.end()
        }
        let client = try server.connect()
        try client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        client.finish()
        let (octets, ending) = client.readToEnd()
        #expect(String(decoding: octets, as: UTF8.self) == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello")
        #expect(ending == .fin)
    }

    @Test func keepsAnHTTP10ConnectionThatAsksForIt() throws {
        let server = try ServerFixture(handler: echo)
        let client = try server.connect()
        for _ in 0..<2 {
            try client.send("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
            #expect(try client.readResponse().field("Connection") == "keep-alive")
        }
        try client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(try client.readResponse().field("Connection") == "close")
        client.finish()
        #expect(client.readToEnd().ending == .fin)
    }

    @Test func sendsPreparedOctetsAsTheyAre() throws {
        let octets = Bytes("HTTP/1.1 200 Fine\r\nX: 1\r\nContent-Length: 2\r\n\r\nok".utf8)
        let server = try ServerFixture { exchange in
            try await exchange.respondPrepared(octets, closes: exchange.requestIndex == 1)
            #expect(exchange.octetsSent == octets.count)
        }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        client.finish()
        #expect(client.readToEnd() == (octets + octets, .fin))
    }

    @Test func sendsInterimResponsesBeforeTheFinalOne() throws {
        let server = try ServerFixture { exchange in
            try await exchange.inform(.status(103, [("Link", "</a.css>")]))
            try await exchange.respond(.ok, body: [])
        }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readResponse().field("Link") == "</a.css>")
        #expect(try client.readResponse().status == 200)
    }

    @Test func answersForAHandlerThatGivesNoAnswer() throws {
        let server = try ServerFixture { _ in }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let response = try client.readResponse()
        #expect(response.status == 500)
        #expect(response.text.contains("\"label\": \"no-answer\""))
    }

    @Test func resetsAResponseThatIsNotEnded() throws {
        let server = try ServerFixture { exchange in
            try await exchange.begin(.ok, .untilClose)
            try await exchange.write(Bytes("half".utf8))
        }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.readToEnd().ending == .reset)
    }

    @Test func closesAfterABodyShorterThanAnnounced() throws {
        let server = try ServerFixture { exchange in
            try await exchange.begin(.ok, .length(10))
            try await exchange.write(Bytes("half".utf8))
            try await exchange.end()
        }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        client.finish()
        let (octets, ending) = client.readToEnd()
        #expect(String(decoding: octets, as: UTF8.self).hasSuffix("\r\n\r\nhalf"))
        #expect(ending == .fin)
    }
}
