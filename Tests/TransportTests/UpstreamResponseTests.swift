import HTTPCore
import TestSupport
import Testing

@testable import Transport

@Suite struct UpstreamResponseTests {
    struct Whole: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "GET"
        let text: String
        var then: ScriptStep?
        let framing: BodyFraming
        let body: String
        var trailers: [(String, String)] = []

        init(
            _ name: String, method: String = "GET", _ text: String, then: ScriptStep? = nil, _ framing: BodyFraming,
            _ body: String, trailers: [(String, String)] = []
        ) {
            testDescription = name
            self.method = method
            self.text = text
            self.then = then
            self.framing = framing
            self.body = body
            self.trailers = trailers
        }
    }

    static let whole: [Whole] = [
        Whole("a length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", .length(5), "hello"),
        Whole("a length of zero", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .length(0), ""),
        Whole("equal lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello", .length(5), "hello"),
        Whole(
            "chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n",
            .chunked, "hello"),
        Whole(
            "chunks with trailers",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nDigest: a\r\nX-Sum: b\r\n\r\n",
            .chunked, "hello", trailers: [("Digest", "a"), ("X-Sum", "b")]),
        Whole("a body up to the close", "HTTP/1.1 200 OK\r\n\r\nhello", then: .close, .untilClose, "hello"),
        Whole("HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nhello", then: .close, .untilClose, "hello"),
        Whole("HEAD", method: "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", .none, ""),
        Whole("204", "HTTP/1.1 204 No Content\r\n\r\n", .none, ""),
        Whole("304 with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", .none, ""),
        Whole(
            "a coded body, untouched",
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello", .length(5), "hello"),
        Whole(
            "an unknown coding", "HTTP/1.1 200 OK\r\nContent-Encoding: wonder\r\nContent-Length: 5\r\n\r\nhello",
            .length(5), "hello"),
        Whole(
            "a redirection, not followed",
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", .length(0), ""),
        Whole(
            "a broken Location", "HTTP/1.1 302 Found\r\nLocation: http://[::/ %\r\nContent-Length: 2\r\n\r\nno",
            .length(2), "no"),
        Whole(
            "a challenge", "HTTP/1.1 401 No\r\nWWW-Authenticate: Negotiate, Basic\r\nContent-Length: 2\r\n\r\nno",
            .length(2), "no"),
        Whole(
            "a cookie", "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 2\r\n\r\nok", .length(2), "ok"),
        Whole("no reason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", .length(2), "ok"),
        Whole("an unusual status", "HTTP/1.1 799 Odd\r\nContent-Length: 2\r\n\r\nok", .length(2), "ok"),
    ]

    @Test(arguments: whole)
    func givesTheAnswer(_ answer: Whole) async throws {
        let upstream = try ScriptedUpstream(answering: answer.text, then: answer.then)
        let seen = try await exchange(upstream, answer.method)
        #expect(seen.error == nil)
        #expect(seen.framing == answer.framing)
        #expect(seen.bodyText == answer.body)
        #expect(seen.trailers == Fields(answer.trailers))
    }

    @Test func keepsTheHeadOctetForOctet() async throws {
        let lines: [Bytes] = [
            Bytes("x-Odd-CASE: a  b".utf8), Bytes("Twice: 1".utf8), Bytes("twice: 2".utf8),
            Bytes("Latin: ".utf8) + [0xE9, 0xFF], Bytes("Empty:".utf8), Bytes("Content-Length: 0".utf8),
        ]
        let head = Bytes("HTTP/1.1 200 ".utf8) + [0xE9] + Bytes(" Fine".utf8)
        let octets = ([head] + lines).reduce(into: Bytes()) { $0 += $1 + [0x0D, 0x0A] } + [0x0D, 0x0A]
        let upstream = try ScriptedUpstream([[.readRequest, .send(octets)]])
        let seen = try #require(try await exchange(upstream).head)
        #expect(seen.reason == [0xE9] + Bytes(" Fine".utf8))
        #expect(
            (0..<seen.fields.count).map { Bytes(seen.fields.name(at: $0)) + [0x3A] }
                == lines.map { line in
                    Array(line[...(line.firstIndex(of: 0x3A) ?? 0)])
                })
        #expect(seen.fields.first("Latin") == [0xE9, 0xFF])
        #expect(seen.fields.text("x-odd-case") == "a  b")
        #expect(seen.fields.all("twice").count == 2)
    }

    @Test func givesInterimHeadsBeforeTheFinalOne() async throws {
        let upstream = try ScriptedUpstream(
            answering: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let seen = try await exchange(upstream)
        #expect(seen.informational.map(\.status) == [103, 102])
        #expect(seen.informational.first?.fields.text("Link") == "</a>")
        #expect(seen.head?.status == 200)
        #expect(seen.bodyText == "ok")
        #expect(seen.isWhole)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let label: String
        var part: String
        var body: String

        init(
            _ name: String, _ text: String, _ part: String, body: String = "", label: String = "upstream-malformed"
        ) {
            testDescription = name
            self.text = text
            self.label = label
            self.part = part
            self.body = body
        }
    }

    static let refused: [Refused] = [
        Refused("two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 3\r\n\r\nhello", "lengths"),
        Refused("a list of lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5, 11\r\n\r\nhello", "lengths"),
        Refused("a signed length", "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello", "Content-Length"),
        Refused(
            "a huge length", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhello", "Content-Length"),
        Refused(
            "length and chunks",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "both"),
        Refused(
            "space before a colon", "HTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n", "colon"),
        Refused(
            "gzip before chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "transfer coding"),
        Refused(
            "gzip after chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n", ""),
        Refused(
            "chunked twice",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "chunked"),
        Refused("chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "1.0"),
        Refused("a folded line", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 0\r\n\r\n", "fold"),
        Refused("a bare line feed", "HTTP/1.1 200 OK\r\nA: b\nContent-Length: 0\r\n\r\n", "line feed"),
        Refused("a line without a colon", "HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 0\r\n\r\n", "colon"),
        Refused("no head", "hello, this is no HTTP at all\r\n\r\n", "HTTP"),
        Refused("another protocol", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP"),
        Refused("a short status", "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n", ""),
        Refused("HTTP/3.7", "HTTP/3.7 200 OK\r\nContent-Length: 0\r\n\r\n", ""),
        Refused(
            "an upgrade", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
            "not supported yet", label: "upstream-upgrade"),
        Refused(
            "a bare line feed after a chunk size",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n5\nhello\r\n0\r\n\r\n", "", body: "ok"),
        Refused(
            "a signed chunk size",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n", ""),
        Refused(
            "a chunk size that is no number",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n", ""),
        Refused(
            "a trailer that frames",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nContent-Length: 9\r\n\r\n",
            "trailers", body: "ok"),
    ]

    @Test(arguments: refused)
    func refusesWhatTheStandardForbids(_ answer: Refused) async throws {
        let upstream = try ScriptedUpstream(answering: answer.text, then: .close)
        let seen = try await exchange(upstream)
        let error = try #require(seen.error)
        #expect(error.status == 502)
        #expect(error.label == answer.label)
        #expect(error.message.contains(answer.part), "\(error.message)")
        #expect(seen.bodyText == answer.body)
        #expect(seen.trailers == nil)
    }

    static let cut: [(text: String, ending: ScriptStep, label: String)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", .close, "upstream-cut"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhello", .close, "upstream-cut"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", .close, "upstream-cut"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n", .close, "upstream-cut"),
    ]

    @Test(arguments: cut.indices)
    func tellsACutBodyAfterItsOctets(_ index: Int) async throws {
        let (text, ending, label) = Self.cut[index]
        let upstream = try ScriptedUpstream(answering: text, then: ending)
        let seen = try await exchange(upstream)
        #expect(seen.head?.status == 200)
        #expect(seen.bodyText == "hello")
        #expect(seen.error?.label == label)
        #expect(seen.error?.status == 502)
    }

    @Test func tellsAResetAfterTheOctetsBeforeIt() async throws {
        let gate = ScriptGate()
        let upstream = try ScriptedUpstream([
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), .wait(gate), .reset]
        ])
        let request = UpstreamRequest.local(upstream.port)
        let seen = try await withUpstreamClient { client in
            let exchange = try client.start(request)
            _ = try await exchange.next()
            let body = try await exchange.next()
            gate.open()
            return (body, await exchange.answer())
        }
        #expect(seen.0 == .body(Bytes("hello".utf8)))
        #expect(seen.1.error?.label == "upstream-reset")
        #expect(seen.1.error?.curlCode == 56)
    }

    @Test func refusesASecondFinalHead() throws {
        var inbound = UpstreamInbound(method: "GET", upstream: "a:1")
        for line in ["HTTP/1.1 417 No\r\n", "Content-Length: 0\r\n", "\r\n"] {
            try inbound.takeLine(line)
        }
        #expect(throws: UpstreamError.self) { try inbound.takeLine("HTTP/1.1 200 OK\r\n") }
    }

    @Test func refusesAHeadWithoutEnd() async throws {
        let field = "X-Filler: " + String(repeating: "a", count: 8_000) + "\r\n"
        let upstream = try ScriptedUpstream([
            [.readRequest, .send("HTTP/1.1 200 OK\r\n"), .send(String(repeating: field, count: 160)), .hold]
        ])
        let seen = try await exchange(upstream)
        #expect(seen.error?.label == "upstream-malformed")
        #expect(seen.head == nil)
    }
}
