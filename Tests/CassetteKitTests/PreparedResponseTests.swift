import HTTPCore
import Testing

@testable import CassetteKit

@Suite struct PreparedResponseTests {
    private let gzip = PreparedCodings(Fields([("Accept-Encoding", "gzip")]))

    private func prepare(
        _ response: RecordedResponse, method: String = "GET", _ codings: PreparedCodings = PreparedCodings()
    ) throws -> PreparedResponse {
        try PreparedResponse(response, method: method, codings: codings, codecs: testCodecs)
    }

    private func recorded(
        _ body: String?, _ fields: [(String, String)] = [], status: Int = 200,
        framing: RecordedResponse.Framing = .length, coding: String? = nil
    ) -> RecordedResponse {
        RecordedResponse(
            status: status, reason: octets("OK"), fields: Fields(fields), framing: framing,
            body: body.map { RecordedBody(.text(octets($0)), coding: coding) })
    }

    @Test func givesBackWhatWasRecorded() throws {
        let date = "Wed, 09 Jun 2032 10:18:14 GMT"
        let response = recorded("hello", [("Date", date), ("content-length", "5"), ("X-A", "1"), ("X-A", "2")])
        let sent = try prepare(response).octets(version: .http11, closes: false)
        #expect(
            text(sent) == "HTTP/1.1 200 OK\r\nDate: \(date)\r\ncontent-length: 5\r\nX-A: 1\r\nX-A: 2\r\n\r\nhello")
    }

    @Test func theLengthFollowsTheBody() throws {
        let response = recorded("REDACTED", [("Content-Length", "99"), ("Content-Length", "99")])
        let prepared = try prepare(response)
        #expect(prepared.framing == .length(8))
        #expect(prepared.head.fields.all("Content-Length").map { text($0) } == ["8"])
        #expect(try prepare(recorded(nil)).head.fields.text("Content-Length") == "0")
    }

    @Test func chunksStayChunks() throws {
        var response = recorded("hello", [("Transfer-Encoding", "chunked")], framing: .chunked)
        response.trailers.append("X-Sum", "1")
        let prepared = try prepare(response)
        #expect(
            text(prepared.octets(version: .http11, closes: true))
                == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n"
        )
        #expect(text(prepared.octets(version: .http11, closes: false, sendsTrailers: false)).hasSuffix("\r\n0\r\n\r\n"))
        let old = text(prepared.octets(version: .http10, closes: false))
        #expect(old == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello")
    }

    @Test func theEndOfTheConnectionStaysTheEnd() throws {
        let prepared = try prepare(recorded("hello", framing: .close))
        #expect(prepared.framing == .untilClose)
        #expect(prepared.endsWithConnection(.http11))
        #expect(text(prepared.octets(version: .http11, closes: false)).contains("Connection: close\r\n"))
    }

    @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
    func answersWithoutABodyKeepTheirLength(_ method: String, _ status: Int) throws {
        let prepared = try prepare(
            recorded(nil, [("Content-Length", "1234")], status: status, framing: .none), method: method)
        #expect(prepared.framing == .none)
        #expect(prepared.body.isEmpty)
        #expect(prepared.head.fields.text("Content-Length") == "1234")
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"])
    func appliesACodingThatTheClientTakes(_ coding: String) throws {
        let response = recorded("hello hello", [("Content-Encoding", coding), ("Content-Length", "1")], coding: coding)
        let codings = PreparedCodings(Fields([("Accept-Encoding", "a, \(coding.uppercased()) ;q=0.5")]))
        let prepared = try prepare(response, codings)
        #expect(prepared.head.fields.text("Content-Encoding") == coding)
        #expect(testCodecs.decode(coding, prepared.body).map { text($0) } == "hello hello")
        #expect(prepared.framing == .length(prepared.body.count))
        let plain = try prepare(response)
        #expect(text(plain.body) == "hello hello")
        #expect(!plain.head.fields.contains("Content-Encoding"))
        #expect(plain.head.fields.text("Content-Length") == "11")
    }

    @Test func aCodingThatNobodyKnowsIsNamedRatherThanDropped() {
        let error = #expect(throws: FormatError.self) {
            try prepare(recorded("x", [("Content-Encoding", "lzma")], coding: "lzma"), .any)
        }
        #expect(error?.message == "the body's coding lzma is not known")
    }

    @Test func octetsThatWereNotDecodedKeepTheirLabel() throws {
        let prepared = try prepare(recorded("odd", [("Content-Encoding", "gzip")]))
        #expect(prepared.head.fields.text("Content-Encoding") == "gzip")
        #expect(text(prepared.body) == "odd")
    }

    @Test(arguments: [
        ("gzip", true), ("x-gzip", true), ("GZIP;q=1.0", true), ("br, gzip;q=0.001", true), ("*", true),
        ("br, *;q=0.1", true),
        ("", false), ("identity", false), ("br", false), ("gzip;q=0", false), ("gzip;q=0.000", false), ("*;q=0", false),
        ("gzip;q=0, *", false), ("gzip;q=x", false), ("gzi", false),
    ])
    func readsWhatIsAccepted(_ value: String, _ takesGzip: Bool) {
        #expect(PreparedCodings(Fields([("Accept-Encoding", value)])).allows("gzip") == takesGzip)
    }

    @Test func withoutTheFieldNothingIsAccepted() {
        #expect(!PreparedCodings(Fields()).allows("gzip"))
    }

    @Test func keepsInformationalHeads() throws {
        var response = recorded("x")
        response.informational = [
            RecordedHead(status: 103, reason: octets("Early Hints"), fields: Fields([("Link", "</a>")]))
        ]
        #expect(try prepare(response).informational.map(\.status) == [103])
    }
}
