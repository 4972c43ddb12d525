import HTTPCore
import Testing

@Suite struct SerializerTests {
    @Test func writesAResponseHead() {
        let head = ResponseHead(status: 404, fields: Fields([("A", "1"), ("b", ""), ("A", "2")]))
        #expect(text(Serializer.responseHead(head)) == "HTTP/1.1 404 Not Found\r\nA: 1\r\nb: \r\nA: 2\r\n\r\n")
    }

    @Test func writesARequestHead() {
        let head = RequestHead(
            method: "M-SEARCH", target: octets("*"), version: .http10, fields: Fields([("Host", "a")]))
        #expect(text(Serializer.requestHead(head)) == "M-SEARCH * HTTP/1.0\r\nHost: a\r\n\r\n")
    }

    @Test func aReasonCantEndTheStatusLine() {
        let head = ResponseHead(status: 200, reason: octets("OK\r\nEvil: 1\0"))
        #expect(text(Serializer.responseHead(head)) == "HTTP/1.1 200 OK  Evil: 1 \r\n\r\n")
    }

    @Test func keepsOctetsThatAreNotUTF8() {
        var fields = Fields()
        fields.append(name: octets("A"), value: [0xE9, 0x62])
        let written = Serializer.responseHead(ResponseHead(status: 200, reason: [0xFF], fields: fields))
        #expect(written == octets("HTTP/1.1 200 ") + [0xFF] + octets("\r\nA: ") + [0xE9, 0x62] + octets("\r\n\r\n"))
    }

    @Test func writesChunks() {
        #expect(text(Serializer.chunk(octets("hello world, hello"))) == "12\r\nhello world, hello\r\n")
        #expect(Serializer.chunk([]).isEmpty)
        #expect(text(Serializer.lastChunk(trailers: Fields())) == "0\r\n\r\n")
        #expect(text(Serializer.lastChunk(trailers: Fields([("A", "1")]))) == "0\r\nA: 1\r\n\r\n")
    }

    @Test(arguments: [
        (200, "OK"), (103, "Early Hints"), (422, "Unprocessable Content"), (599, "Server Error"), (299, "Success"),
    ])
    func everyStatusHasAReason(status: Int, phrase: String) {
        #expect(reasonPhrase(status) == phrase)
        #expect((100...999).allSatisfy { !reasonPhrase($0).isEmpty })
    }
}
