import Transport

extension WireFault {
    /// Resets the connection after the request was read, without an octet.
    ///
    /// curl ends with code 56, URLSession with `networkConnectionLost` (-1005), requests with `ConnectionError` (reset by
    /// peer), fetch with a TypeError caused by ECONNRESET.
    static let offline = WireFault { http, _ in http.abort(.reset) }
}
