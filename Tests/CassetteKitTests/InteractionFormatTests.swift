import HTTPCore
import TestSupport
import Testing

@testable import CassetteKit

@Suite struct InteractionFormatTests {
    /// Everything the format can say, in one interaction.
    static func full() throws -> Interaction {
        let request = RecordedRequest(
            method: "POST", scheme: "https", authority: Authority(host: "staging.example.com", port: 8443),
            target: Bytes("/api/v1/orders?dry=1&x=%20é".utf8),
            fields: Fields([("Content-Type", "application/json"), ("X-A", "1"), ("x-a", "2"), ("X-Empty", "")]),
            body: RecordedBody(
                .json(try JSONText.parse(Bytes(#"{"sku":"A-1","count":2.50,"sku":"\u0041"}"#.utf8)), .compact)),
            trailers: Fields([("Checksum", "abc")]), unknown: [JSONMember("seen", .integer(3))])
        let response = RecordedResponse(
            status: 201, reason: Bytes("Created".utf8),
            fields: Fields([("Content-Type", "text/plain"), ("Set-Cookie", "sid=REDACTED-sid.x.1; Path=/")]),
            framing: .chunked, body: RecordedBody(.text(Bytes("one\r\ntwo\n\tthree".utf8)), coding: "gzip"),
            trailers: Fields([("Server-Timing", "db;dur=5")]),
            informational: [
                RecordedHead(
                    status: 103, reason: Bytes("Early Hints".utf8), fields: Fields([("Link", "</a.css>; rel=preload")]))
            ],
            unknown: [JSONMember("x", .null)])
        return Interaction(
            name: "post-api-v1-orders.77ab01.3.json", ordinal: 3, request: request, outcome: .response(response),
            repeats: 2, optional: true, note: "why it is here", match: .object([JSONMember("body", .text("ignore"))]),
            unknown: [JSONMember("ticket", .text("A-17"))])
    }

    private func read(_ text: String) throws(FormatError) -> Interaction {
        try InteractionFormat.read(Bytes(text.utf8), name: "a.1.json", folder: "/c/interactions")
    }

    @Test func isTheReviewedFile() throws {
        let octets = InteractionFormat.write(try Self.full())
        try Golden.check(
            String(decoding: octets, as: UTF8.self), is: "interaction.json", beside: #filePath,
            updating: environmentSaysUpdate())
    }

    @Test func readsWhatItWrites() throws {
        let interaction = try Self.full()
        let octets = InteractionFormat.write(interaction)
        let again = try InteractionFormat.read(octets, name: interaction.name, folder: "/c/interactions")
        #expect(again == interaction)
        #expect(InteractionFormat.write(again) == octets)
    }

    @Test(arguments: [
        RecordedBody(.base64([0, 1, 2, 255])), RecordedBody(.base64([0xFF])), RecordedBody(.base64([1, 2])),
        RecordedBody(.text([])), RecordedBody(.text(Bytes("\n\n".utf8))),
        RecordedBody(.text(Bytes("é\u{202E}\"\\".utf8))),
        RecordedBody(.json(.null, JSONLayout(.tabs, lf: true)), coding: "br"),
        RecordedBody(.json(.array([]), JSONLayout(.swift2))),
        RecordedBody(.file(BodyFile(name: "get-x.5f0c1a.1.9b2d0c44.png", folder: "/c/interactions"))),
        RecordedBody(.text([0x61]), unknown: [JSONMember("was", .bool(true))]),
    ])
    func readsEveryFormOfBody(_ body: RecordedBody) throws {
        var interaction = try Self.full()
        interaction.request.body = body
        let again = try InteractionFormat.read(
            InteractionFormat.write(interaction), name: interaction.name, folder: "/c/interactions")
        #expect(again == interaction)
    }

    @Test func keepsOctetsThatAreNotUTF8() throws {
        var interaction = try Self.full()
        interaction.request.target = Bytes("/a".utf8) + [0xE9]
        interaction.request.fields.append(name: "X-Latin".utf8, value: [0x63, 0xE9])
        guard case .response(var response) = interaction.outcome else { return }
        response.reason = [0xC9, 0x74]
        interaction.outcome = .response(response)
        let octets = InteractionFormat.write(interaction)
        #expect(isUTF8(octets))
        #expect(try InteractionFormat.read(octets, name: interaction.name, folder: "/c/interactions") == interaction)
    }

    @Test func namesTheKeysThatItDoesNotKnow() throws {
        #expect(try Self.full().unknownKeys == ["$.ticket", "$.request.seen", "$.response.x"])
    }

    @Test func readsAnErrorInPlaceOfAResponse() throws {
        var interaction = try Self.full()
        interaction.outcome = .error(RecordedError(status: 504, label: "timeout", message: "no answer in 60 s"))
        let again = try InteractionFormat.read(
            InteractionFormat.write(interaction), name: interaction.name, folder: "/c/interactions")
        #expect(again == interaction)
        #expect(again.response == nil)
    }

    @Test func theLeastThatPeopleMustWriteByHand() throws {
        let interaction = try read(
            #"{"request": {"method": "GET", "url": "http://h"}, "response": {"status": 404, "body": {"text": "no"}}}"#)
        #expect(interaction.request.target == [UInt8(ascii: "/")])
        #expect(interaction.response?.reason == Bytes("Not Found".utf8))
        #expect(interaction.response?.framing == .length)
        #expect(interaction.response?.body?.content == .text(Bytes("no".utf8)))
        #expect(interaction.repeats == 1)
    }

    @Test func aURLWithoutPathIsTheAsteriskOfOPTIONS() throws {
        let interaction = try read(
            #"{"request": {"method": "OPTIONS", "url": "https://h:444"}, "response": {"status": 204}}"#)
        #expect(interaction.request.target == [UInt8(ascii: "*")])
        #expect(interaction.request.url == Bytes("https://h:444".utf8))
    }

    @Test func lineEndsThatGitConvertedDoNoHarm() throws {
        let interaction = try Self.full()
        let text = String(decoding: InteractionFormat.write(interaction), as: UTF8.self)
        let converted = Bytes(text.utf8).flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        #expect(
            try InteractionFormat.read(converted, name: interaction.name, folder: "/c/interactions") == interaction)
    }

    static let request = #""request": {"method": "GET", "url": "http://h/"}"#

    @Test(arguments: [
        (#"[]"#, "$", "the interaction is an array and must be an object"),
        (#"{}"#, "$", "the key \"request\" is missing"),
        (#"{\#(request)}"#, "$", "an interaction must have either a \"response\" or an \"error\""),
        (
            #"{\#(request), "response": {"status": 200, "informational": [{"status": 101}]}}"#,
            "$.response.informational[0].status", "101 is no interim response"
        ),
        (
            #"{\#(request), "response": {"status": "200"}}"#, "$.response.status",
            "the value is a string and must be a whole number"
        ),
        (
            #"{\#(request), "response": {"status": 20.5}}"#, "$.response.status",
            "the value is a number and must be a whole number"
        ),
        (#"{\#(request), "response": {"status": 99}}"#, "$.response.status", "the number must lie between 200 and 999"),
        (
            #"{\#(request), "response": {"status": 200, "headers": ["A: b", "no-colon"]}}"#, "$.response.headers[1]",
            "a field line has no colon"
        ),
        (
            #"{\#(request), "response": {"status": 200, "headers": {"A": "b"}}}"#, "$.response.headers",
            "the value is an object and must be an array of lines \"Name: value\""
        ),
        (
            #"{\#(request), "response": {"status": 200, "framing": "gzip"}}"#, "$.response.framing",
            "the framing is unknown"
        ),
        (
            #"{\#(request), "response": {"status": 200, "body": {"text": [], "json": 1}}}"#, "$.response.body",
            "a body must have exactly one of \"json\", \"text\", \"base64\" and \"file\""
        ),
        (
            #"{\#(request), "response": {"status": 200, "body": {"json": 1, "layout": "x"}}}"#,
            "$.response.body.layout", "the layout is unknown"
        ),
        (
            #"{\#(request), "response": {"status": 200, "body": {"base64": "A"}}}"#, "$.response.body.base64",
            "the text is not base64"
        ),
        (
            #"{\#(request), "response": {"status": 200}, "repeat": 0}"#, "$.repeat",
            "the number must lie between 1 and 1000000"
        ),
        (
            #"{\#(request), "response": {"status": 200}, "optional": 1}"#, "$.optional",
            "the value is a number and must be true or false"
        ),
        (#"{\#(request), \#(request), "response": {"status": 200}}"#, "$.request", "the key \"request\" comes twice"),
        (#"{"request": {"method": "G T", "url": "http://h/"}}"#, "$.request.method", "the method is no token like GET"),
        (
            #"{"request": {"method": "GET", "url": "/x"}}"#, "$.request.url",
            "the URL must begin with http:// or https://"
        ),
        (
            #"{"request": {"method": "GET", "url": "http:///x"}}"#, "$.request.url",
            "in the URL the authority has no host"
        ),
        (
            #"{"request": {"method": "GET", "url": "http://h/#f"}}"#, "$.request.url",
            "the URL holds a space, a control character or a fragment"
        ),
        (
            #"{"request": {"method": "GET", "url": "http://u:p@h/"}}"#, "$.request.url",
            "in the URL the authority holds user information"
        ),
    ])
    func saysWhatIsWrongAndWhere(_ text: String, _ path: String, _ message: String) {
        let error = #expect(throws: FormatError.self) { try read(text) }
        #expect(error?.path == path)
        #expect(error?.message == message)
        #expect(error?.file == "/c/interactions/a.1.json")
        #expect(error?.line == 1)
        #expect(error?.column ?? 0 > 0)
    }

    @Test(arguments: [
        "../x.png", "/etc/passwd", "a/b.png", "..", ".hidden", "a\\b", "A.png", "", "x.json", "a\u{0}b", "é.png",
    ])
    func aBodyCannotLieOutsideTheFolder(_ name: String) throws {
        let spelled = JSONString(name).raw
        let text = #"{\#(Self.request), "response": {"status": 200, "body": {"file": "\#(spelled)"}}}"#
        let error = #expect(throws: FormatError.self) { try read(text) }
        #expect(error?.path == "$.response.body.file")
    }

    @Test func everyCutIsAnErrorAndNoCrash() throws {
        let octets = InteractionFormat.write(try Self.full())
        // Without the line feed at the end it is still whole.
        for cut in 0..<octets.count - 1 {
            #expect(throws: FormatError.self, "cut at \(cut)") {
                try InteractionFormat.read(Bytes(octets[..<cut]), name: "a.1.json", folder: "/c")
            }
        }
    }

    @Test func everyFlippedBitIsReadOrRefused() throws {
        let octets = InteractionFormat.write(try Self.full())
        var random = SeededGenerator(seed: 11)
        for _ in 0..<1_000 {
            var damaged = octets
            damaged[Int.random(in: 0..<octets.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            if let read = try? InteractionFormat.read(damaged, name: "a.1.json", folder: "/c") {
                #expect(throws: Never.self) {
                    try InteractionFormat.read(InteractionFormat.write(read), name: "a.1.json", folder: "/c")
                }
            }
        }
    }
}
