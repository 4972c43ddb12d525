import HTTPCore
import TestSupport
import Testing

@testable import Transport

@Suite struct UpstreamRequestTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// Sends a request with its body in pieces and gives the octets that the upstream read, as text.
    private func octets(_ request: @escaping @Sendable (Int) -> UpstreamRequest, _ pieces: [String] = []) async throws
        -> String
    {
        let method = request(0).method
        let upstream = try ScriptedUpstream(
            answering: method == "HEAD" ? "HTTP/1.1 200 OK\r\n\r\n" : Self.answer)
        let answer = try await withUpstreamClient { client in
            let exchange = try client.start(request(upstream.port))
            for piece in pieces { try await exchange.send(Bytes(piece.utf8)) }
            exchange.finishSending()
            return await exchange.answer()
        }
        #expect(answer.isWhole)
        return upstream.log.text(0)
    }

    @Test func trailersFollowTheLastChunkButForFramingFields() async throws {
        let upstream = try ScriptedUpstream(answering: Self.answer)
        let answer = try await withUpstreamClient { client in
            let exchange = try client.start(
                .local(upstream.port, "POST", "/", [("Trailer", "X-Sum")], body: .chunked))
            try await exchange.send(Bytes("abc".utf8))
            exchange.finishSending(trailers: Fields([("X-Sum", "9"), ("Content-Length", "3"), ("X-None", "")]))
            return await exchange.answer()
        }
        #expect(answer.isWhole)
        #expect(
            upstream.log.text(0).hasSuffix("3\r\nabc\r\n0\r\nX-Sum: 9\r\nX-None: \r\n\r\n"), "\(upstream.log.text(0))")
    }

    struct Sent: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "GET"
        var target = "/"
        var fields: [(String, String)] = []
        var body = BodyFraming.none
        var pieces: [String] = []
        let octets: String

        init(
            _ name: String, _ method: String = "GET", _ target: String = "/", fields: [(String, String)] = [],
            body: BodyFraming = .none, pieces: [String] = [], _ octets: String
        ) {
            testDescription = name
            self.method = method
            self.target = target
            self.fields = fields
            self.body = body
            self.pieces = pieces
            self.octets = octets
        }
    }

    private static let host = "Host: example.com\r\n"

    static let sent: [Sent] = [
        Sent("nothing but Host", "GET", "/", "GET / HTTP/1.1\r\n\(host)\r\n"),
        Sent("dots", "GET", "/a/./b/../c//d", "GET /a/./b/../c//d HTTP/1.1\r\n\(host)\r\n"),
        Sent(
            "octets libcurl would escape or cut", "GET", "/%2e%zz/é|[1]#x?q=é\"<>",
            "GET /%2e%zz/é|[1]#x?q=é\"<> HTTP/1.1\r\n\(host)\r\n"),
        Sent("a target that looks like a host", "GET", "//evil/x", "GET //evil/x HTTP/1.1\r\n\(host)\r\n"),
        Sent("an asterisk", "OPTIONS", "*", "OPTIONS * HTTP/1.1\r\n\(host)\r\n"),
        Sent("HEAD", "HEAD", "/a?b", "HEAD /a?b HTTP/1.1\r\n\(host)\r\n"),
        Sent(
            "order, case and repeats",
            fields: [("b", "2"), ("A", "1"), ("X-a", "3"), ("x-A", "4"), ("Cookie", "a=b"), ("user-agent", "me/1")],
            "GET / HTTP/1.1\r\n\(host)b: 2\r\nA: 1\r\nX-a: 3\r\nx-A: 4\r\nCookie: a=b\r\nuser-agent: me/1\r\n\r\n"),
        Sent(
            "a field without a value", fields: [("X-Empty", ""), ("Accept", "")],
            "GET / HTTP/1.1\r\n\(host)X-Empty:\r\nAccept:\r\n\r\n"),
        Sent(
            "values that libcurl gives a meaning", fields: [("X-A", "a;"), ("X-B", "@file"), ("Range", "bytes=0-1")],
            "GET / HTTP/1.1\r\n\(host)X-A: a;\r\nX-B: @file\r\nRange: bytes=0-1\r\n\r\n"),
        Sent(
            "credentials", fields: [("Authorization", "Bearer x"), ("Accept-Encoding", "zstd")],
            "GET / HTTP/1.1\r\n\(host)Authorization: Bearer x\r\nAccept-Encoding: zstd\r\n\r\n"),
        Sent("no Expect", fields: [("Expect", "100-continue"), ("A", "b")], "GET / HTTP/1.1\r\n\(host)A: b\r\n\r\n"),
        Sent("DELETE", "DELETE", "/x", "DELETE /x HTTP/1.1\r\n\(host)\r\n"),
        Sent("a method of one's own", "PURGE", "/x", "PURGE /x HTTP/1.1\r\n\(host)\r\n"),
        Sent("POST without a body", "POST", "/x", "POST /x HTTP/1.1\r\n\(host)\r\n"),
        Sent(
            "POST with a length of zero", "POST", "/x", fields: [("content-length", "0"), ("A", "b")],
            body: .length(0), "POST /x HTTP/1.1\r\n\(host)content-length: 0\r\nA: b\r\n\r\n"),
        Sent(
            "a length of zero that the caller has no line for", "PUT", "/x", body: .length(0),
            "PUT /x HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n"),
        Sent(
            "a known length, in its place", "POST", "/x",
            fields: [("content-LENGTH", "5"), ("Content-Type", "text/plain")], body: .length(5),
            pieces: ["he", "llo"],
            "POST /x HTTP/1.1\r\n\(host)content-LENGTH: 5\r\nContent-Type: text/plain\r\n\r\nhello"),
        Sent(
            "a known length without a line", "PUT", "/x", body: .length(5), pieces: ["hello"],
            "PUT /x HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nhello"),
        Sent(
            "a wrong length line", "PUT", "/x", fields: [("Content-Length", "7")], body: .length(5),
            pieces: ["hello"], "PUT /x HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nhello"),
        Sent(
            "GET with a body", "GET", "/x", fields: [("Content-Length", "5")], body: .length(5), pieces: ["hello"],
            "GET /x HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nhello"),
        Sent(
            "DELETE with a body", "DELETE", "/x", fields: [("Content-Length", "5")], body: .length(5),
            pieces: ["hello"], "DELETE /x HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nhello"),
        Sent(
            "an unknown length", "PATCH", "/x",
            fields: [("Content-Length", "5"), ("Transfer-Encoding", "gzip"), ("Expect", "100-continue")],
            body: .chunked, pieces: ["hello"],
            "PATCH /x HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
        Sent(
            "an unknown length of zero", "POST", "/x", body: .chunked,
            "POST /x HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ]

    @Test(arguments: sent)
    func sendsTheRequestOctetForOctet(_ sent: Sent) async throws {
        let seen = try await octets(
            { .local($0, sent.method, sent.target, sent.fields, body: sent.body) }, sent.pieces)
        #expect(seen == sent.octets)
    }

    @Test func sendsAValueThatIsNoText() async throws {
        let upstream = try ScriptedUpstream(answering: Self.answer)
        let answer = try await withUpstreamClient { client in
            var request = UpstreamRequest.local(upstream.port)
            request.target = Bytes("/a".utf8) + [0xFF, 0xE9]
            request.fields.append(name: Bytes("X".utf8), value: [0xE9, 0x20, 0xFF])
            return await (try client.start(request)).answer()
        }
        #expect(answer.isWhole)
        let wanted: Bytes =
            Bytes("GET /a".utf8) + [0xFF, 0xE9] + Bytes(" HTTP/1.1\r\n\(Self.host)X: ".utf8) + [0xE9, 0x20, 0xFF]
            + Bytes("\r\n\r\n".utf8)
        #expect(upstream.log.requests.first == wanted)
    }

    @Test func namesTheUpstreamWhereTheCallerHasNoHost() async throws {
        let upstream = try ScriptedUpstream(answering: Self.answer)
        let answer = try await withUpstreamClient { client in
            var request = UpstreamRequest.local(upstream.port)
            request.fields = Fields()
            return await (try client.start(request)).answer()
        }
        #expect(answer.isWhole)
        #expect(upstream.log.text(0) == "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(upstream.port)\r\n\r\n")
    }

    @Test func connectsElsewhereWithTheSameHost() async throws {
        let upstream = try ScriptedUpstream(answering: Self.answer)
        let options = UpstreamOptions(connectTo: (host: "127.0.0.1", port: upstream.port))
        let answer = try await withUpstreamClient(options) { client in
            let request = UpstreamRequest(
                scheme: "http", authority: Authority(host: "api.example.invalid"), method: "GET",
                target: Bytes("/".utf8), fields: Fields([("Host", "api.example.invalid")]))
            return await (try client.start(request)).answer()
        }
        #expect(answer.isWhole)
        #expect(upstream.log.text(0) == "GET / HTTP/1.1\r\nHost: api.example.invalid\r\n\r\n")
    }

    static let refused: [(UpstreamRequest, status: Int, label: String)] = [
        (.local(1, "HEAD", body: .length(3)), 501, "upstream-head-body"),
        (.local(1, "HEAD", body: .chunked), 501, "upstream-head-body"),
        (.local(1, "GET", "/a b"), 500, "upstream-request"),
        (.local(1, "GET", "/a\r\nX: y"), 500, "upstream-request"),
        (.local(1, "GET", "/a\0b"), 500, "upstream-request"),
        (.local(1, "GET", ""), 500, "upstream-request"),
        (.local(1, "GE T"), 500, "upstream-request"),
        (
            UpstreamRequest(
                scheme: "file", authority: Authority(host: "a"), method: "GET", target: Bytes("/".utf8),
                fields: Fields()), 500, "upstream-request"
        ),
    ]

    @Test(arguments: refused.indices)
    func refusesWhatCannotBePutOnTheWire(_ index: Int) async throws {
        let (request, status, label) = Self.refused[index]
        let error = try await withUpstreamClient { client -> UpstreamError? in
            do throws(UpstreamError) {
                _ = try client.start(request)
                return nil
            } catch {
                return error
            }
        }
        #expect(error?.status == status)
        #expect(error?.label == label)
    }

    @Test func endsARequestThatIsLongerOrShorterThanAnnounced() async throws {
        let upstream = try ScriptedUpstream([[.hold]])
        let errors = try await withUpstreamClient { client in
            let longer = try client.start(.local(upstream.port, "PUT", body: .length(3)))
            let shorter = try client.start(.local(upstream.port, "PUT", body: .length(3)))
            let thrown = await #expect(throws: UpstreamError.self) { try await longer.send(Bytes("four".utf8)) }
            try await shorter.send(Bytes("no".utf8))
            shorter.finishSending()
            return [thrown, await longer.answer().error, await shorter.answer().error]
        }
        #expect(errors.map { $0?.label } == Array(repeating: "upstream-request-length", count: 3))
    }
}
