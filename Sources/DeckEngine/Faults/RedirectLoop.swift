import HTTPCore
import Transport

extension WireFault {
    /// Redirects to the very address that was asked for.
    ///
    /// curl ends with code 47 under `--location`, URLSession with `httpTooManyRedirects` (-1007), requests with
    /// `TooManyRedirects` after 30, fetch with a TypeError (redirect count exceeded).
    static let redirectLoop = WireFault { http, _ async throws(ConnectionError) in
        var fields = Fields()
        fields.append(name: Bytes("Location".utf8), value: http.head.target)
        fields.append("Cache-Control", "no-store")
        try await http.respond(
            ResponseHead(version: .http11, status: 302, reason: Bytes("Found".utf8), fields: fields), body: [])
    }
}
