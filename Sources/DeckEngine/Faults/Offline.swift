import Transport

extension WireFault {
    /// Resets the connection after the request was read, without an octet. A session that is offline as a whole and has a port
    /// of its own never gets so far: there the kernel refuses (`Listener.refuse`).
    ///
    /// After the request curl ends with code 56, URLSession with `networkConnectionLost` (-1005), requests with
    /// `ConnectionError` (reset by peer), fetch with a TypeError caused by ECONNRESET; refused, with code 7,
    /// `cannotConnectToHost` (-1004), `ConnectionError` (refused) and ECONNREFUSED.
    static let offline = WireFault { http, _ in http.abort(.reset) }
}
