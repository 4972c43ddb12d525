import HTTPCore
import Testing

@testable import Transport

@Suite struct AnswerPlanTests {
    struct Row: Sendable {
        var fields: [(String, String)] = []
        var status = 200
        var framing: BodyFraming
        var method = "GET"
        var version = HTTPVersion.http11
        var closes = false
        var expected: [String]
        var body: AnswerPlan.Body
        var ends = false
    }

    @Test(arguments: [
        Row(framing: .length(5), expected: ["Content-Length: 5"], body: .length(left: 5)),
        Row(
            fields: [("content-length", "5"), ("A", "b")], framing: .length(5),
            expected: ["content-length: 5", "A: b"],
            body: .length(left: 5)),
        Row(
            fields: [("Content-Length", "9")], framing: .chunked, expected: ["Transfer-Encoding: chunked"],
            body: .chunked),
        Row(
            fields: [("transfer-encoding", "chunked")], framing: .chunked, expected: ["transfer-encoding: chunked"],
            body: .chunked),
        // RFC 9112 §6.1: no transfer coding to an HTTP/1.0 client.
        Row(
            fields: [("Transfer-Encoding", "chunked"), ("Connection", "keep-alive")], framing: .chunked,
            version: .http10,
            expected: ["Connection: close"], body: .untilClose, ends: true),
        Row(framing: .untilClose, expected: ["Connection: close"], body: .untilClose, ends: true),
        Row(framing: .none, expected: ["Content-Length: 0"], body: .length(left: 0)),
        // RFC 9110 §8.6: no length with 204, that of a GET with HEAD and 304.
        Row(fields: [("Content-Length", "5")], status: 204, framing: .none, expected: [], body: .dropped),
        Row(
            fields: [("Content-Length", "5")], status: 304, framing: .none, expected: ["Content-Length: 5"],
            body: .dropped),
        Row(
            fields: [("Content-Length", "5")], framing: .none, method: "HEAD", expected: ["Content-Length: 5"],
            body: .dropped),
        Row(framing: .length(5), method: "HEAD", expected: ["Content-Length: 5"], body: .dropped),
        Row(framing: .none, method: "HEAD", expected: [], body: .dropped),
        Row(framing: .chunked, method: "HEAD", expected: ["Transfer-Encoding: chunked"], body: .dropped),
        Row(
            framing: .length(1), closes: true, expected: ["Content-Length: 1", "Connection: close"],
            body: .length(left: 1),
            ends: true),
        Row(
            fields: [("Connection", "close")], framing: .length(1),
            expected: ["Connection: close", "Content-Length: 1"],
            body: .length(left: 1), ends: true),
        Row(
            framing: .length(1), version: .http10, expected: ["Content-Length: 1", "Connection: keep-alive"],
            body: .length(left: 1)),
    ]) func framesTheBodyAndSaysWhatBecomesOfTheConnection(_ row: Row) {
        let head = ResponseHead(version: .http11, status: row.status, reason: [], fields: Fields(row.fields))
        let plan = AnswerPlan(head, row.framing, method: row.method, version: row.version, closes: row.closes)
        let lines = (0..<plan.head.fields.count).map { String(decoding: plan.head.fields.line(at: $0), as: UTF8.self) }
        #expect(lines == row.expected)
        #expect(plan.body == row.body)
        #expect(plan.closes == row.ends)
    }
}
