import HTTPCore
import TestSupport
import Testing

@testable import Transport

@Suite struct ServerRequestTests {
    @Test(arguments: PollerKind.allCases) func servesRequestsOnAKeptConnection(_ poller: PollerKind) throws {
        let server = try ServerFixture(poller, loops: 2, handler: echo)
        let client = try server.connect()
        for number in 0..<5 {
            try client.send("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try client.readResponse()
            #expect(response.status == 200)
            #expect(response.text == "GET /\(number) ")
            #expect(response.field("Connection") == nil)
        }
    }

    @Test(arguments: PollerKind.allCases) func answersPipelinedRequestsInOrder(_ poller: PollerKind) throws {
        let server = try ServerFixture(poller, handler: echo)
        let client = try server.connect()
        let requests = (0..<100).map { "POST /\($0) HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nb\($0 % 10)c" }
        try client.send(requests.joined())
        for number in 0..<100 {
            #expect(try client.readResponse().text == "POST /\(number) b\(number % 10)c")
        }
    }

    @Test(arguments: PollerKind.allCases) func takesRequestsCutAtEveryOctet(_ poller: PollerKind) throws {
        let server = try ServerFixture(poller, handler: echo)
        let request = Array(
            ("\r\nPOST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nwiki\r\n3;a=b\r\ned!\r\n0\r\nT: v\r\n\r\n"
                + "GET /next HTTP/1.1\r\nHost: a\r\n\r\n").utf8)
        let client = try server.connect()
        for cut in 1..<request.count {
            try client.send(Array(request[..<cut]))
            try client.send(Array(request[cut...]))
            #expect(try client.readResponse().text == "POST /x wiki" + "ed!")
            #expect(try client.readResponse().text == "GET /next ")
        }
    }

    @Test(arguments: PollerKind.allCases) func takesARequestOctetByOctet(_ poller: PollerKind) throws {
        let server = try ServerFixture(poller, handler: echo)
        let client = try server.connect()
        for octet in Array("PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello".utf8) {
            try client.send([octet])
        }
        #expect(try client.readResponse().text == "PUT /x hello")
    }

    @Test func givesTrailersAfterTheBody() throws {
        let server = try ServerFixture { exchange in
            while try await exchange.readBody() != nil {}
            try await exchange.respond(.ok, body: Bytes(exchange.requestTrailers.text("Sum")?.utf8 ?? "none".utf8))
        }
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nSum: 7\r\n\r\n")
        #expect(try client.readResponse().text == "7")
    }

    @Test(arguments: PollerKind.allCases) func readsALargeBodyInPieces(_ poller: PollerKind) throws {
        let server = try ServerFixture(poller) { exchange in
            var sum = 0
            var count = 0
            while let piece = try await exchange.readBody() {
                for octet in piece { sum &+= Int(octet) }
                count += piece.count
            }
            try await exchange.respond(.ok, body: Bytes("\(count) \(sum)".utf8))
        }
        let client = try server.connect()
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n")
        try client.send(body)
        #expect(try client.readResponse().text == "3000000 \(body.reduce(0) { $0 + Int($1) })")
    }

    @Test func asksForTheBodyWhenItIsFirstRead() throws {
        let server = try ServerFixture(handler: echo)
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.readResponse().status == 100)
        try client.send("hi")
        let response = try client.readResponse()
        #expect(response.text == "POST / hi")
        #expect(response.field("Connection") == nil)
    }

    @Test func doesNotAskForABodyAfterTheResponseHasBegun() throws {
        let server = try ServerFixture { try await $0.respond(.status(403), body: []) }
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        let response = try client.readResponse()
        #expect(response.status == 403)
        #expect(response.field("Connection") == "close")
        client.finish()
        #expect(client.readToEnd().ending == .fin)
    }

    @Test func doesNotAskAnHTTP10Client() throws {
        let server = try ServerFixture(handler: echo)
        let client = try server.connect()
        try client.send("POST / HTTP/1.0\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nhi")
        #expect(try client.readResponse().status == 200)
    }

    @Test func drainsASmallBodyThatNobodyReads() throws {
        let server = try ServerFixture { try await $0.respond(.ok, body: Bytes($0.head.target)) }
        let client = try server.connect()
        let body = String(repeating: "x", count: 200_000)
        try client.send(
            "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n\(body)GET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readResponse().text == "/1")
        #expect(try client.readResponse().text == "/2")
    }

    @Test func closesAfterALargeBodyThatNobodyReads() throws {
        let server = try ServerFixture { try await $0.respond(.ok, body: Bytes($0.head.target)) }
        let client = try server.connect()
        try client.send("POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 400000\r\n\r\n")
        try client.send(Array(repeating: 120, count: 400_000))
        client.finish()
        let (octets, ending) = client.readToEnd()
        #expect(String(decoding: octets, as: UTF8.self).hasSuffix("/1"))
        #expect(ending == .fin)
    }

    @Test func refusesABodyAboveTheReadersLimit() throws {
        let server = try ServerFixture { exchange in
            do {
                _ = try await exchange.readWholeBody(limit: 10)
            } catch ConnectionError.tooLarge(let limit) {
                try await exchange.respond(.status(413), body: Bytes("\(limit)".utf8))
            }
        }
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n0\r\n\r\n")
        let response = try client.readResponse()
        #expect(response.status == 413)
        #expect(response.text == "10")
    }

    @Test func answersAClientThatHasClosedItsSide() throws {
        let server = try ServerFixture { exchange in
            try await exchange.begin(.ok, .chunked)
            try await exchange.write(Bytes("one".utf8))
            await Task.yield()
            try await exchange.write(Bytes("two".utf8))
            try await exchange.end()
        }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        client.finish()
        #expect(try client.readResponse().text == "onetwo")
        #expect(client.readToEnd().ending == .fin)
    }

    @Test func tellsTheHandlerOfABodyThatIsCut() throws {
        let notes = Notes()
        let server = try ServerFixture { exchange in
            do {
                _ = try await exchange.readWholeBody(limit: 100)
            } catch ConnectionError.clientLeft {
                notes.add("left")
                try await exchange.respond(.status(400), body: [])
            }
        }
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
        client.finish()
        #expect(try client.readResponse().field("Connection") == "close")
        #expect(notes.wait(for: 1) == ["left"])
    }
}
