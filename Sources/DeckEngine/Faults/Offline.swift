import Transport

extension WireFault {
    /// Resets the connection after the request was read, without an octet.
    ///
    /// curl ends with code 56, URLSession with `networkConnectionLost` (-1005).
    static let offline = WireFault { http, _ in http.abort(.reset) }
}
