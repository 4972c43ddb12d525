import HTTPCore
import TestSupport
import Testing

@testable import DeckEngine

/// Addresses in bodies that come piece by piece.
@Suite struct AddressRewriterTests {
    private static let rewriting = Rewriting(
        upstream: Address(
            scheme: "http", authority: Authority(host: "api.test"), target: Array("/".utf8), isForward: false),
        clientHost: Array("d:1".utf8),
        others: [
            Rewriting.Place(
                scheme: "http", authority: Authority(host: "api.test", port: 81), prefix: Array("/_up/b".utf8)),
            Rewriting.Place(scheme: "https", authority: Authority(host: "files.test"), prefix: [], port: 9),
        ])

    @Test(arguments: [
        ("a http://api.test/x b", "a http://d:1/x b"), ("http://api.test", "http://d:1"),
        (#"{"u":"http:\/\/api.test\/x"}"#, #"{"u":"http:\/\/d:1\/x"}"#),
        ("http://api.test:81/ http://api.test:82/", "http://d:1/_up/b/ http://api.test:82/"),
        ("hhttp://API.test?HTTPS://Files.TEST/f", "hhttp://d:1?http://d:9/f"),
        ("http://api.testing http://api.test.evil", "http://api.testing http://api.test.evil"),
        ("https://api.test http://files.test hhh", "https://api.test http://files.test hhh"), ("", ""), ("h", "h"),
    ])
    func noCutHidesAnAddress(_ body: String, _ expected: String) {
        for split in everySplit(of: Array(body.utf8)) {
            var rewriter = AddressRewriter(Self.rewriting.replacements)
            var out = Bytes()
            for piece in split { out += rewriter.take(piece) }
            out += rewriter.finish()
            #expect(String(decoding: out, as: UTF8.self) == expected, "\(split.map(\.count))")
            #expect(rewriter.hasReplaced == (body != expected))
        }
    }

    @Test func whatCanBeNoAddressDoesNotWait() {
        var rewriter = AddressRewriter(Self.rewriting.replacements)
        #expect(rewriter.take(Array("data: http://other.test\n\n".utf8)).count == 25)
        #expect(rewriter.take(Array("then http://api.te".utf8)) == Array("then ".utf8))
        #expect(rewriter.take(Array("am".utf8)) == Array("http://api.team".utf8))
    }

    @Test(
        arguments: [
            ([("Content-Type", "application/json")], 200, BodyFraming.chunked, RewrittenBody.streamed),
            ([("Content-Type", "text/html")], 200, .length(65_537), .streamed),
            ([("Content-Type", "text/html")], 200, .length(3), .collected(limit: 65_536, coding: nil)),
            (
                [("Content-Type", "text/html"), ("Content-Encoding", "br")], 200, .chunked,
                .collected(limit: 1 << 20, coding: "br")
            ),
            ([("Content-Type", "text/event-stream"), ("Content-Encoding", "gzip")], 200, .chunked, .untouched),
            ([("Content-Type", "text/event-stream")], 200, .chunked, .streamed),
            ([("Content-Type", "image/png")], 200, .length(3), .untouched), ([], 200, .length(3), .untouched),
            ([("Content-Type", "text/html")], 206, .length(3), .untouched),
            ([("Content-Type", "text/html")], 304, .none, .untouched),
        ] as [([(String, String)], Int, BodyFraming, RewrittenBody)])
    func theHeadSaysHow(_ fields: [(String, String)], _ status: Int, _ framing: BodyFraming, _ way: RewrittenBody) {
        let head = ResponseHead(version: .http11, status: status, reason: [], fields: Fields(fields))
        #expect(RewrittenBody(head, framing) == way)
    }
}
