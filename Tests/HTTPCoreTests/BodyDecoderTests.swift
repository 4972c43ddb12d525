import HTTPCore
import TestSupport
import Testing

/// RFC 9112 §6 to §8.
@Suite struct BodyDecoderTests {
    struct Coded: Sendable {
        var coded: String
        var data: String
        var trailers: [(String, String)] = []
    }

    private static let bodies = [
        Coded(coded: "0\r\n\r\n", data: ""),
        Coded(coded: "5\r\nhello\r\n0\r\n\r\n", data: "hello"),
        Coded(coded: "00a\r\n0123456789\r\n000\r\n\r\n", data: "0123456789"),
        Coded(coded: "A\r\n0123456789\r\n2\r\n\r\n\r\n0\r\n\r\n", data: "0123456789\r\n"),
        Coded(
            coded: "5;a=b;c=\"x;y\\\"z\"\r\nhello\r\n0001;foo\r\n,\r\nA\r\n big world\r\n000;end=1\r\n\r\n",
            data: "hello, big world"),
        Coded(coded: "1 ; a = b\t;\tc\r\nx\r\n0;a=\"\"\r\n\r\n", data: "x"),
        Coded(
            coded: "4\r\ndata\r\n0\r\nX-Sum: 8d77\r\nx-sum:\t2 \r\n\r\n", data: "data",
            trailers: [("X-Sum", "8d77"), ("x-sum", "2")]),
    ]

    @Test(arguments: bodies)
    func everySplitOfAChunkedBodyGivesTheSame(body: Coded) {
        let expected = DecodedBody(
            data: octets(body.data), trailers: Fields(body.trailers), isComplete: true, rest: octets("GET"))
        for pieces in everySplit(of: octets(body.coded + "GET")) {
            #expect(decode(pieces, .chunked) == expected)
        }
    }

    @Test(arguments: [
        // RFC 9112 §7.1: sizes.
        ("\r\n", "chunk-size"), ("g\r\n", "chunk-size"), ("+5\r\nhello", "chunk-size"), ("-5\r\n", "chunk-size"),
        ("0x5\r\nhello", "chunk-size"), ("5_\r\n", "chunk-size"), (" 5\r\n", "chunk-size"), (";a\r\n", "chunk-size"),
        ("1\r\nZ\r\n\r\n\r\n", "chunk-size"), ("8000000000000000\r\n", "chunk-size-overflow"),
        ("10000000000000000\r\n", "chunk-size-overflow"), ("ffffffffffffffffff\r\n", "chunk-size-overflow"),
        // Line ends.
        ("5\nhello\n0\n\n", "chunk-line-end"), ("5\r\r\nhello", "chunk-line-end"), ("5\rhello", "chunk-line-end"),
        ("5;a\nhello", "chunk-line-end"), ("5;a=b\nhello", "chunk-line-end"), ("5;a=\"\nb\"\r\n", "chunk-line-end"),
        ("5\r\nhello\n0\r\n\r\n", "chunk-end"), ("5\r\nhelloo\r\n0\r\n\r\n", "chunk-end"),
        ("5\r\nhell\r\n0\r\n", "chunk-end"),
        ("5\r\nhello\rx", "chunk-end"),
        // §7.1.1: extensions.
        ("5 \r\nhello", "chunk-extension"), ("5;\r\nhello", "chunk-extension"), ("5;a=\r\nhello", "chunk-extension"),
        ("5;=b\r\n", "chunk-extension"), ("5;a=b c\r\n", "chunk-extension"), ("5;a b\r\n", "chunk-extension"),
        ("5;a=\"b\"c\r\n", "chunk-extension"), ("5;a=\"\0\"\r\n", "chunk-extension"), ("5;a \r\n", "chunk-extension"),
        ("5;a=\"\\\r\n", "chunk-extension"), ("5;a\0\r\n", "chunk-extension"), ("5 5\r\n", "chunk-extension"),
        ("5;;a\r\n", "chunk-extension"),
        // §7.1.2: trailers.
        ("0\r\nA: b\n\r\n", "bare-lf"), ("0\r\n\n", "bare-lf"), ("0\r\nA: b\rc\r\n", "bare-cr"),
        ("0\r\nA : b\r\n", "space-in-name"),
        ("0\r\nA: b\r\n c\r\n\r\n", "obs-fold"), ("0\r\nno\r\n\r\n", "no-colon"), ("0\r\nA: \0\r\n\r\n", "nul"),
        ("0\r\nContent-Length: 5\r\n\r\n", "trailer"), ("0\r\ntransfer-encoding: chunked\r\n\r\n", "trailer"),
        ("0\r\nHost: a\r\n\r\n", "trailer"), ("0\r\nConnection: close\r\n\r\n", "trailer"),
        // §8: cut.
        ("", "cut"), ("5", "cut"), ("5\r\nhel", "cut"), ("5\r\nhello\r\n", "cut"), ("5\r\nhello\r\n0\r\n", "cut"),
        ("0\r\nA: b\r\n", "cut"), ("0\r\n\r", "cut"),
    ])
    func everySplitOfABadChunkedBodyIsRefusedAlike(coded: String, label: String) {
        for pieces in everySplit(of: octets(coded)) {
            let result = decode(pieces, .chunked)
            #expect(result.error == label)
            #expect(!result.isComplete)
            #expect(result.trailers.isEmpty)
        }
    }

    @Test func errorsPointIntoTheBody() {
        for pieces in everySplit(of: octets("3\r\nabc\r\n2;a=b;(\r\n")) {
            var decoder = BodyDecoder(.chunked, limits: HeadLimits())
            var buffer: Bytes = []
            let error = parseError { () throws(ParseError) in
                for piece in pieces {
                    buffer += piece
                    reading: while true {
                        switch try decoder.next(buffer, 0..<buffer.count) {
                        case .data(_, let consumed): buffer.removeFirst(consumed)
                        case .needMore(let consumed), .end(let consumed):
                            buffer.removeFirst(consumed)
                            break reading
                        }
                    }
                }
            }
            #expect(error?.offset == 14)
        }
    }

    @Test func dataIsARangeOfTheBuffer() throws {
        var decoder = BodyDecoder(.chunked, limits: HeadLimits())
        let buffer = octets("xx5\r\nhello\r\n0\r\n\r\nyy")
        #expect(try decoder.next(buffer, 2..<buffer.count) == .data(5..<10, consumed: 8))
        #expect(try decoder.next(buffer, 10..<buffer.count) == .end(consumed: 7))
        #expect(decoder.isComplete)
        #expect(try decoder.next(buffer, 17..<buffer.count) == .end(consumed: 0))
    }

    @Test func theLargestSizeIsTaken() throws {
        var decoder = BodyDecoder(.chunked, limits: HeadLimits())
        let buffer = octets("7fffffffffffffff\r\nab")
        #expect(try decoder.next(buffer, 0..<buffer.count) == .data(18..<20, consumed: 20))
    }

    @Test func extensionsAreTakenUpToTheLimit() {
        var limits = HeadLimits()
        limits.chunkLine = 10
        #expect(decode([octets("1;a=345678\r\nx\r\n0\r\n\r\n")], .chunked, limits: limits).error == nil)
        let tooLong = decode([octets("1;a=3456789\r\nx\r\n0\r\n\r\n")], .chunked, limits: limits)
        #expect(tooLong.error == "chunk-line-too-long")
        let zeros = decode([octets("00000000001\r\nx\r\n0\r\n\r\n")], .chunked, limits: limits)
        #expect(zeros.error == "chunk-line-too-long")
    }

    @Test func trailersAreTakenUpToTheLimits() {
        let limits = HeadLimits(target: 1, head: 12, fields: 2)
        #expect(decode([octets("0\r\nA: b\r\nA: b\r\n\r\n")], .chunked, limits: limits).error == nil)
        #expect(decode([octets("0\r\nA:\r\nA:\r\nA:\r\n\r\n")], .chunked, limits: limits).error == "too-many-fields")
        #expect(decode([octets("0\r\nA: 4567890123\r\n\r\n")], .chunked, limits: limits).error == "fields-too-large")
    }

    @Test func aLengthIsCountedOff() {
        for pieces in everySplit(of: octets("helloGET")) {
            let expected = DecodedBody(data: octets("hello"), isComplete: true, rest: octets("GET"))
            #expect(decode(pieces, .length(5)) == expected)
        }
        #expect(decode([octets("hell")], .length(5)).error == "cut")
        #expect(decode([], .length(5)).error == "cut")
    }

    @Test(arguments: [BodyFraming.none, .length(0)])
    func noBodyEndsAtOnce(framing: BodyFraming) {
        #expect(decode([octets("GET")], framing) == DecodedBody(isComplete: true, rest: octets("GET")))
        #expect(decode([], framing).isComplete)
    }

    @Test func untilCloseTakesAllAndEndsWithTheInput() {
        for pieces in everySplit(of: octets("body until close")) {
            var decoder = BodyDecoder(.untilClose, limits: HeadLimits())
            #expect(!decoder.isComplete)
            #expect(throws: Never.self) { try decoder.endOfInput() }
            #expect(decoder.isComplete)
            #expect(decode(pieces, .untilClose).data == octets("body until close"))
        }
    }

    @Test func chunksThatAreWrittenAreReadAlike() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var coded: Bytes = []
            var data: Bytes = []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let count = Int.random(in: 0...300, using: &random)
                let piece = Bytes((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
                data += piece
                coded += Serializer.chunk(piece)
            }
            let trailers = Fields([("X-Count", "\(data.count)")])
            coded += Serializer.lastChunk(trailers: trailers)
            let cut = Int.random(in: 0...coded.count, using: &random)
            let result = decode([Bytes(coded[..<cut]), Bytes(coded[cut...])], .chunked)
            #expect(result == DecodedBody(data: data, trailers: trailers, isComplete: true))
        }
    }
}
