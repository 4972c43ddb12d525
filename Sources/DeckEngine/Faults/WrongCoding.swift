import HTTPCore
import Transport

extension WireFault {
    /// Sends the answer under `Content-Encoding: gzip` with octets that are no gzip.
    ///
    /// curl ends with code 61 if it decodes, URLSession on Linux with `unknown` (-1), on Darwin probably with
    /// `cannotDecodeContentData`, requests with `ContentDecodingError`, fetch with Z_DATA_ERROR.
    static let wrongCoding = WireFault { http, broken async throws(ConnectionError) in
        let answer = broken.answer
        var head = answer.head
        head.fields.remove("Content-Encoding")
        head.fields.remove("Transfer-Encoding")
        head.fields.append("Content-Encoding", "gzip")
        try await http.respond(head, body: Bytes("this is no gzip stream".utf8))
    }
}
