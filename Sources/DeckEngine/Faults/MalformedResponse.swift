import HTTPCore
import Transport

extension WireFault {
    /// Sends garbage in place of a status line, and closes.
    ///
    /// curl ends with code 1, URLSession on Linux with `unsupportedURL` (-1002), on Darwin probably with
    /// `cannotParseResponse`, requests with `ConnectionError` (bad status line), fetch with HPE_INVALID_CONSTANT.
    static let malformedResponse = WireFault { http, _ async throws(ConnectionError) in
        try await http.writeRaw(Bytes("?? this is no status line\r\n\r\n".utf8))
        http.abort(.close)
    }
}
