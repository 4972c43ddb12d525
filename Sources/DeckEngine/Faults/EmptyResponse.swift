import Transport

extension WireFault {
    /// Closes the connection without an octet.
    ///
    /// curl ends with code 52, URLSession on Linux with `badServerResponse` (-1011), on Darwin probably with
    /// `networkConnectionLost`, requests with `ConnectionError` (closed without response), fetch with UND_ERR_SOCKET.
    static let emptyResponse = WireFault { http, _ in http.abort(.close) }
}
