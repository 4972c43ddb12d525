import HTTPCore
import TestSupport
import Testing

@Suite struct RequestHeadParserTests {
    @Test func readsAHead() throws {
        let head = try #require(try parseHead("POST /a?b=c HTTP/1.1\r\nHost: x\r\nX-In:  a  b \r\n\r\n"))
        #expect(head.method == "POST")
        #expect(text(head.target) == "/a?b=c")
        #expect(head.version == .http11)
        #expect(head.fields == Fields([("Host", "x"), ("X-In", "a  b")]))
    }

    @Test func consumesTheHeadAndNothingBehindIt() throws {
        let first = "\r\n\r\nGET / HTTP/1.0\r\n\r\n"
        let input = octets("junk" + first + "GET /evil HTTP/1.1\r\n")
        var parser = RequestHeadParser(limits: HeadLimits())
        let (head, consumed) = try #require(try parser.parse(input, from: 4, to: input.count))
        #expect(consumed == first.utf8.count)
        #expect(head.version == .http10)
        #expect(head.fields.isEmpty)
        #expect(try parser.parse(input, from: 4 + consumed, to: input.count) == nil)
    }

    @Test func looksAtNothingBehindTheEnd() throws {
        let input = octets("GET / HTTP/1.1\r\nA: b\r\n\r\n")
        var parser = RequestHeadParser(limits: HeadLimits())
        for end in 0..<input.count { #expect(try parser.parse(input, from: 0, to: end) == nil) }
        #expect(try parser.parse(input, from: 0, to: input.count)?.consumed == input.count)
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "\r\nM-SEARCH * HTTP/1.1\r\nHost:a\r\nX-Empty:\r\nX-Empty: \t\r\n\r\nrest",
        "POST //a/./%2e?x=%zz|\u{FC} HTTP/1.0\r\nA: 1\r\nA: 2\r\na:\t3 \t\r\nVery-Long-Name-Of-A-Field: v\r\n\r\nGET",
    ])
    func everySplitGivesTheSameHead(input: String) throws {
        let whole = octets(input)
        var parser = RequestHeadParser(limits: HeadLimits())
        let expected = try #require(try parser.parse(whole, from: 0, to: whole.count))
        for pieces in everySplit(of: whole) {
            var buffer = octets("before")
            var found: (head: RequestHead, consumed: Int)?
            var parser = RequestHeadParser(limits: HeadLimits())
            for piece in pieces where found == nil {
                buffer += piece
                found = try parser.parse(buffer, from: 6, to: buffer.count)
            }
            #expect(found?.head == expected.head)
            #expect(found?.consumed == expected.consumed)
        }
    }

    @Test(arguments: [
        // RFC 9112 §3: single spaces, a token, a version.
        ("GET  / HTTP/1.1\r\n\r\n", 400, "request-line"), ("GET /  HTTP/1.1\r\n\r\n", 400, "version"),
        ("GET / HTTP/1.1 \r\n\r\n", 400, "version"), (" GET / HTTP/1.1\r\n\r\n", 400, "method"),
        ("GET\t/ HTTP/1.1\r\n\r\n", 400, "request-line"), ("GET / a HTTP/1.1\r\n\r\n", 400, "version"),
        ("GET /\r\n\r\n", 400, "request-line"), ("GET\r\n\r\n", 400, "request-line"),
        ("GET /\t HTTP/1.1\r\n\r\n", 400, "target"), ("GET /\u{7F} HTTP/1.1\r\n\r\n", 400, "target"),
        ("GET /\0 HTTP/1.1\r\n\r\n", 400, "target"), ("GE(T / HTTP/1.1\r\n\r\n", 400, "request-line"),
        ("GET / http/1.1\r\n\r\n", 400, "version"), ("GET / HTTP/1.11\r\n\r\n", 400, "version"),
        ("GET / HTTP/11\r\n\r\n", 400, "version"), ("GET / HTTP/x.1\r\n\r\n", 400, "version"),
        ("GET / HTTP/2.0\r\n\r\n", 505, "version-not-supported"),
        ("GET / HTTP/1.2\r\n\r\n", 505, "version-not-supported"),
        ("GET / HTTP/0.9\r\n\r\n", 505, "version-not-supported"),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "version-not-supported"),
        // RFC 9112 §2.2: line ends and white space before the first field.
        ("GET / HTTP/1.1\n\n", 400, "bare-lf"), ("GET / HTTP/1.1\r\nA: b\n\r\n", 400, "bare-lf"),
        ("GET / HTTP/1.1\r\nA: b\r\n\n", 400, "bare-lf"), ("\nGET / HTTP/1.1\r\n\r\n", 400, "bare-lf"),
        ("GET / HTTP/1.1\r\r\n\r\n", 400, "version"), ("GET /\rx HTTP/1.1\r\n\r\n", 400, "target"),
        ("GET / HTTP/1.1\r\n Host: evil\r\nHost: a\r\n\r\n", 400, "obs-fold"),
        // RFC 9112 §5.
        ("GET / HTTP/1.1\r\nA: b\r\n\tc\r\n\r\n", 400, "obs-fold"),
        ("GET / HTTP/1.1\r\nContent-Length:\r\n 5\r\n\r\n", 400, "obs-fold"),
        ("GET / HTTP/1.1\r\nTransfer-Encoding : chunked\r\n\r\n", 400, "space-in-name"),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: \rchunked\r\n\r\n", 400, "bare-cr"),
        ("GET / HTTP/1.1\r\nX-Foo: bar\rX-Admin: 1\r\n\r\n", 400, "bare-cr"),
        ("GET / HTTP/1.1\r\nX-Foo: a\0b\r\n\r\n", 400, "nul"), ("GET / HTTP/1.1\r\nX-Foo\r\n\r\n", 400, "no-colon"),
        ("GET / HTTP/1.1\r\n: a\r\n\r\n", 400, "field-name"), ("GET / HTTP/1.1\r\nA: b\r\r\n\r\n", 400, "bare-cr"),
        // A TLS client at a plain port.
        ("\u{16}\u{3}\u{1}", 400, "method"), ("\rGET", 400, "method"), ("\r\r\n", 400, "method"),
    ])
    func refuses(input: String, status: Int, label: String) {
        let error = headError(input)
        #expect(error?.status == status)
        #expect(error?.label == label)
    }

    @Test func keepsOctetsFrom0x80InTheTarget() throws {
        let head = try #require(try parseHead(octets("GET /") + [0xE9, 0xFF] + octets(" HTTP/1.1\r\n\r\n")))
        #expect(head.target == [0x2F, 0xE9, 0xFF])
    }

    @Test func keepsOctetsFrom0x80InAValue() throws {
        let head = try #require(try parseHead(octets("GET / HTTP/1.1\r\nA: ") + [0xE9] + octets("\r\n\r\n")))
        #expect(head.fields.first("A").map { Bytes($0) } == [0xE9])
    }

    @Test func targetsAreTakenUpToTheLimit() throws {
        let limits = HeadLimits(target: 20, head: 100, fields: 5)
        let fits = String(repeating: "a", count: 19)
        #expect(try parseHead("GET /\(fits) HTTP/1.1\r\n\r\n", limits: limits) != nil)
        let error = headError("GET /\(fits)a HTTP/1.1\r\n\r\n", limits: limits)
        #expect(error?.status == 414)
        #expect(error?.message.contains("20") == true)
        // Refused without waiting for its end.
        #expect(headError("GET /" + String(repeating: "a", count: 200), limits: limits)?.status == 414)
    }

    @Test func theLongestLegalHeadIsTakenHoweverItIsCut() throws {
        var limits = HeadLimits(target: 3, head: 6, fields: 1)
        limits.method = 4
        for pieces in everySplit(of: octets("POST /ab HTTP/1.1\r\nA: b\r\n\r\n")) {
            var parser = RequestHeadParser(limits: limits)
            var buffer: Bytes = []
            var head: RequestHead?
            for piece in pieces {
                buffer += piece
                head = try parser.parse(buffer, from: 0, to: buffer.count)?.head
            }
            #expect(head?.method == "POST")
        }
    }

    @Test func fieldOctetsAreTakenUpToTheLimit() throws {
        let limits = HeadLimits(target: 20, head: 20, fields: 5)
        let fits = "A: 345678901234567\r\n"
        #expect(fits.utf8.count == 20)
        #expect(try parseHead("GET / HTTP/1.1\r\n\(fits)\r\n", limits: limits) != nil)
        let tooMuch = headError("GET / HTTP/1.1\r\nB\(fits)\r\n", limits: limits)
        #expect(tooMuch?.status == 431)
        #expect(tooMuch?.label == "fields-too-large")
        #expect(headError("GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 30), limits: limits)?.status == 431)
    }

    @Test func fieldLinesAreTakenUpToTheLimit() throws {
        let limits = HeadLimits(target: 20, head: 1_000, fields: 3)
        let line = "A: b\r\n"
        #expect(try parseHead("GET / HTTP/1.1\r\n\(line)\(line)\(line)\r\n", limits: limits) != nil)
        let error = headError("GET / HTTP/1.1\r\n\(line)\(line)\(line)\(line)", limits: limits)
        #expect(error?.status == 431)
        #expect(error?.label == "too-many-fields")
    }

    @Test func methodsAreTakenUpToTheLimit() throws {
        let fits = String(repeating: "M", count: 64)
        #expect(try parseHead("\(fits) / HTTP/1.1\r\n\r\n")?.method == fits)
        #expect(headError("\(fits)M / HTTP/1.1\r\n\r\n")?.status == 501)
    }

    @Test func emptyLinesAreSkippedUpToTheLimit() throws {
        let fits = String(repeating: "\r\n", count: 8)
        #expect(try parseHead("\(fits)GET / HTTP/1.1\r\n\r\n") != nil)
        #expect(headError("\(fits)\r\n")?.label == "empty-lines")
    }

    @Test func parseSerializeParseIsStable() throws {
        let input = "\r\nGET /a%zz?b HTTP/1.0\r\nhost:a\r\nX-Empty:\r\nX:  a \t b\t\r\nX: \u{FC}\r\n\r\n"
        let once = try #require(try parseHead(input))
        let written = Serializer.requestHead(once)
        let twice = try #require(try parseHead(written))
        #expect(once == twice)
        #expect(Serializer.requestHead(twice) == written)
    }

    @Test func whatIsTakenAfterDamageIsWrittenAndReadAlike() throws {
        var random = SeededGenerator(seed: 9112)
        let good = octets("POST /a?b=c HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nX: y\r\n\r\n")
        for _ in 0..<5_000 {
            var input = good
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                input[Int.random(in: 0..<input.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let head = try? parseHead(input) else { continue }
            #expect(try parseHead(Serializer.requestHead(head)) == head)
        }
    }
}
