import HTTPCore
import Transport

extension WireFault {
    /// Sends the head and half of the body, then nothing, and holds the connection until the client leaves.
    ///
    /// curl ends with code 28 at its `--max-time`; URLSession with `timedOut` (-1001).
    static let stall = WireFault { http, answer async throws(ConnectionError) in
        try await http.writeRaw(answer.cutOctets())
        await http.holdUntilClientLeaves()
        http.abort(.close)
    }
}

extension Answer {
    /// The head with the whole body's length, and the first half of the body.
    func cutOctets() -> Bytes {
        var head = head
        head.fields.remove("Transfer-Encoding")
        head.fields.set("Content-Length", String(max(2, body.count)))
        head.fields.set("Connection", "close")
        return Serializer.responseHead(head) + firstHalf
    }
}
