import HTTPCore
import Transport

extension WireFault {
    /// Sends a chunked answer whose second chunk has no valid size, and closes.
    ///
    /// curl ends with code 56, URLSession on Linux with `unknown` (-1), requests with `ChunkedEncodingError`, fetch with
    /// HPE_INVALID_CHUNK_SIZE.
    static let malformedChunk = WireFault { http, broken async throws(ConnectionError) in
        let answer = broken.answer
        var head = answer.head
        head.fields.remove("Content-Length")
        head.fields.set("Transfer-Encoding", "chunked")
        head.fields.set("Connection", "close")
        let half = answer.firstHalf.isEmpty ? Bytes("half".utf8) : answer.firstHalf
        try await http.writeRaw(
            Serializer.responseHead(head) + Serializer.chunk(half) + Bytes("not-a-size\r\n".utf8))
        http.abort(.close)
    }
}
