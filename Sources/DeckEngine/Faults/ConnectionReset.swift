import Transport

extension WireFault {
    /// Sends the head and half of the body, then resets the connection.
    ///
    /// curl ends with code 56, URLSession with `networkConnectionLost` (-1005), requests with `ChunkedEncodingError`, fetch
    /// with a TypeError whose cause is UND_ERR_SOCKET, or the length where only the head came; none asks again.
    static let connectionReset = WireFault { http, broken async throws(ConnectionError) in
        try await http.send(broken)
        http.abort(.reset)
    }
}
