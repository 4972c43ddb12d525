import HTTPCore
import Testing

/// RFC 9112 §6.1 to §6.3.
@Suite struct BodyFramingTests {
    private func request(_ lines: [String], _ method: String = "POST", _ version: HTTPVersion = .http11) -> RequestHead
    {
        RequestHead(method: method, target: octets("/"), version: version, fields: fields(lines))
    }

    private func response(_ lines: [String], _ status: Int = 200, _ version: HTTPVersion = .http11) -> ResponseHead {
        ResponseHead(version: version, status: status, reason: [], fields: fields(lines))
    }

    private func fields(_ lines: [String]) -> Fields {
        var fields = Fields()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields.append(String(parts[0]), String(parts[1]))
        }
        return fields
    }

    @Test(
        arguments: [
            ([], .none), (["Content-Length: 0"], .length(0)), (["content-length: 0012"], .length(12)),
            (["Content-Length: 9223372036854775807"], .length(.max)), (["Transfer-Encoding: chunked"], .chunked),
            (["transfer-ENCODING:  Chunked "], .chunked), (["TE: gzip"], .none),
        ] as [([String], BodyFraming)])
    func framesRequests(lines: [String], framing: BodyFraming) throws {
        #expect(try requestFraming(request(lines)) == framing)
    }

    @Test(arguments: [
        // Lengths that are not digits alone, or more than can be counted.
        (["Content-Length: +5"], 400), (["Content-Length: -1"], 400), (["Content-Length: 5_0"], 400),
        (["Content-Length: 0x5"], 400), (["Content-Length: 1e1"], 400), (["Content-Length: 5 5"], 400),
        (["Content-Length: 5.0"], 400), (["Content-Length: "], 400), (["Content-Length: ,"], 400),
        (["Content-Length: 9223372036854775808"], 400), (["Content-Length: 99999999999999999999999"], 400),
        (["Content-Length: \u{0665}"], 400),
        // More than one length, equal or not.
        (["Content-Length: 5", "Content-Length: 51"], 400), (["Content-Length: 5", "Content-Length: 5"], 400),
        (["Content-Length: 5, 5"], 400), (["Content-Length: 5, 6"], 400), (["Content-Length: 5,"], 400),
        (["Content-Length: 5", "Content-Length: x"], 400),
        // Codings.
        (["Transfer-Encoding: chunked", "Content-Length: 5"], 400),
        (["Content-Length: 5", "Transfer-Encoding: x"], 400),
        (["Transfer-Encoding: chunked, gzip"], 400), (["Transfer-Encoding: xchunked"], 400),
        (["Transfer-Encoding: chunked,"], 400), (["Transfer-Encoding: ,chunked"], 400), (["Transfer-Encoding:  "], 400),
        (["Transfer-Encoding: chunked, chunked"], 400), (["Transfer-Encoding: identity"], 400),
        (["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], 400),
        (["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], 400),
        (["Transfer-Encoding: chunked;a=b"], 400), (["Transfer-Encoding: \"chunked\""], 400),
        (["Transfer-Encoding: chunked gzip"], 400), (["Transfer-Encoding: gzip, chunked"], 501),
        (["Transfer-Encoding: gzip", "Transfer-Encoding: chunked"], 501),
    ])
    func refusesRequests(lines: [String], status: Int) {
        let error = parseError { () throws(ParseError) in _ = try requestFraming(request(lines)) }
        #expect(error?.status == status)
    }

    @Test func refusesTransferEncodingInOldRequests() {
        let head = request(["Transfer-Encoding: chunked"], "POST", .http10)
        #expect(throws: ParseError.self) { try requestFraming(head) }
        #expect(throws: Never.self) { try requestFraming(request(["Content-Length: 1"], "POST", .http10)) }
    }

    @Test func connectHasNoBody() throws {
        #expect(try requestFraming(request([], "CONNECT")) == .none)
        #expect(try requestFraming(request(["Content-Length: 0"], "CONNECT")) == .none)
        #expect(throws: ParseError.self) { try requestFraming(request(["Content-Length: 1"], "CONNECT")) }
        #expect(throws: ParseError.self) { try requestFraming(request(["Transfer-Encoding: chunked"], "CONNECT")) }
    }

    @Test(
        arguments: [
            ([], .untilClose), (["Content-Length: 0"], .length(0)),
            (["Content-Length: 5", "Content-Length: 5"], .length(5)),
            (["Content-Length: 5, 05"], .length(5)), (["Transfer-Encoding: chunked"], .chunked),
        ] as [([String], BodyFraming)])
    func framesResponses(lines: [String], framing: BodyFraming) throws {
        #expect(try responseFraming(response(lines), requestMethod: "GET") == framing)
    }

    @Test(arguments: [
        ["Content-Length: 5, 11"], ["Content-Length: 5", "Content-Length: 11"], ["Content-Length: +5"],
        ["Content-Length: 5,"], ["Content-Length: 5", "Transfer-Encoding: chunked"],
        ["Transfer-Encoding: gzip, chunked"], ["Transfer-Encoding: gzip"], ["Transfer-Encoding: chunked, chunked"],
        ["Content-Length: 9223372036854775808"],
    ])
    func refusesResponses(lines: [String]) {
        let error = parseError { () throws(ParseError) in
            _ = try responseFraming(response(lines), requestMethod: "GET")
        }
        #expect(error?.status == 502)
    }

    @Test func refusesTransferEncodingInOldResponses() {
        let head = response(["Transfer-Encoding: chunked"], 200, .http10)
        #expect(throws: ParseError.self) { try responseFraming(head, requestMethod: "GET") }
    }

    @Test(arguments: [
        (200, "HEAD"), (404, "HEAD"), (100, "GET"), (103, "GET"), (101, "GET"), (204, "GET"), (304, "GET"),
        (200, "CONNECT"),
    ])
    func someResponsesHaveNoBodyWhateverTheySay(status: Int, method: String) throws {
        for lines in [["Content-Length: 5"], ["Transfer-Encoding: chunked"], []] {
            #expect(try responseFraming(response(lines, status), requestMethod: method) == .none)
        }
    }

    @Test func aRefusedConnectHasABody() throws {
        #expect(try responseFraming(response(["Content-Length: 5"], 403), requestMethod: "CONNECT") == .length(5))
    }
}
