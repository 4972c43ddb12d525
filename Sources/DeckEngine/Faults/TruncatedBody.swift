import Transport

extension WireFault {
    /// Sends the whole Content-Length but half of the body, and closes.
    ///
    /// curl ends with code 18, URLSession on Linux with `unknown` (-1), on Darwin probably with `networkConnectionLost`,
    /// requests with `ChunkedEncodingError` (incomplete read), fetch with UND_ERR_RES_CONTENT_LENGTH_MISMATCH.
    static let truncatedBody = WireFault { http, broken async throws(ConnectionError) in
        try await http.send(broken)
        http.abort(.close)
    }
}
