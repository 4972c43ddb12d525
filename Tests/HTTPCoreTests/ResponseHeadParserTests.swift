import HTTPCore
import TestSupport
import Testing

/// RFC 9112 §4.
@Suite struct ResponseHeadParserTests {
    private func lines(_ text: [String]) -> [Bytes] { text.map { octets($0) } }

    @Test func readsLinesWithAndWithoutTheirEnds() throws {
        let expected = ResponseHead(
            status: 200, reason: octets("OK"), fields: Fields([("Link", "</1>"), ("eTag", "1")]))
        let ended = ["HTTP/1.1 200 OK\r\n", "Link: </1>\r\n", "eTag: 1\r\n", "\r\n"]
        #expect(try parseResponseHead(lines: lines(ended)) == expected)
        #expect(try parseResponseHead(lines: lines(["HTTP/1.1 200 OK", "Link: </1>", "eTag: 1"])) == expected)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK", 200, "OK"), ("HTTP/1.0 404 Not  Found", 404, "Not  Found"), ("HTTP/1.1 299 ", 299, ""),
        ("HTTP/1.1 299", 299, ""), ("HTTP/1.1 999 \u{FC}\t", 999, "\u{FC}\t"),
        ("HTTP/1.1 100 Continue", 100, "Continue"),
    ])
    func readsAStatusLine(line: String, status: Int, reason: String) throws {
        let head = try parseResponseHead(lines: lines([line]))
        #expect(head.status == status)
        #expect(text(head.reason) == reason)
    }

    @Test(arguments: [
        ["moom"], [""], [], ["HTTP/1.1 99 x"], ["HTTP/1.1 099 x"], ["HTTP/1.1 20 x"], ["HTTP/1.1 2000 x"],
        ["HTTP/1.1 +20 x"], ["HTTP/1.1  200 x"], ["HTTP/1.1\t200 x"], ["HTTP/2 200"], ["HTTP/2.0 200 x"],
        ["http/1.1 200 x"],
        ["HTTP/1.1 200 a\rb"], ["HTTP/1.1 200 OK\n"], ["HTTP/1.1 200 a\0"], ["HTTP/1.1 200\tOK"],
        ["HTTP/1.1 200 OK", " folded: a"], ["HTTP/1.1 200 OK", "A : b"], ["HTTP/1.1 200 OK", "A: b\n"],
        ["HTTP/1.1 200 OK", "A: b\rc"], ["HTTP/1.1 200 OK", "", "A: b"], ["HTTP/1.1 200 OK", "no colon"],
    ])
    func refusesWith502(text: [String]) {
        let error = parseError { () throws(ParseError) in _ = try parseResponseHead(lines: lines(text)) }
        #expect(error?.status == 502)
    }

    @Test func takesAThousandFields() throws {
        let head = try parseResponseHead(
            lines: lines(["HTTP/1.1 200 OK"] + (0..<1_000).map { "X-H\($0): " + String(repeating: "v", count: 52) }))
        #expect(head.fields.count == 1_000)
    }

    @Test func limitsAreKept() {
        let limits = HeadLimits(target: 1, head: 20, fields: 2)
        let many = parseError { () throws(ParseError) in
            _ = try parseResponseHead(lines: lines(["HTTP/1.1 200 OK", "A:", "A:", "A:"]), limits: limits)
        }
        #expect(many?.label == "too-many-fields")
        let large = parseError { () throws(ParseError) in
            _ = try parseResponseHead(lines: lines(["HTTP/1.1 200 OK", "A: 3456789", "A: 3456789 "]), limits: limits)
        }
        #expect(large?.label == "fields-too-large")
    }

    @Test func parseSerializeParseIsStable() throws {
        let once = try parseResponseHead(lines: lines(["HTTP/1.0 207", "a:b", "A:", "X:  a\tb "]))
        let written = Serializer.responseHead(once)
        #expect(text(written) == "HTTP/1.0 207 \r\na: b\r\nA: \r\nX: a\tb\r\n\r\n")
        let again = text(written).split(separator: "\r\n", omittingEmptySubsequences: true).map { octets(String($0)) }
        #expect(try parseResponseHead(lines: again) == once)
    }
}
