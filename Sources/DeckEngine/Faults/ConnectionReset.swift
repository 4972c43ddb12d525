import Transport

extension WireFault {
    /// Sends the head and half of the body, then resets the connection.
    ///
    /// curl ends with code 56, URLSession with `networkConnectionLost` (-1005), requests with `ChunkedEncodingError`, fetch
    /// with a TypeError (terminated); none asks again.
    static let connectionReset = WireFault { http, broken async throws(ConnectionError) in
        try await http.send(broken)
        http.abort(.reset)
    }
}
