import HTTPCore
import Transport

extension WireFault {
    /// Sends the head and half of the body, then nothing, and holds the connection until the client leaves.
    ///
    /// curl ends with code 28 at its `--max-time`, URLSession with `timedOut` (-1001), requests with `ConnectionError` (read
    /// timed out), fetch with the reason of its abort signal.
    static let stall = WireFault { http, broken async throws(ConnectionError) in
        try await http.send(broken)
        http.hold()
    }
}

extension ServerExchange {
    /// Sends what a cut answer shows, as it is.
    func send(_ broken: BrokenAnswer) async throws(ConnectionError) {
        let octets = broken.octets(for: head.method)
        if !octets.isEmpty { try await writeRaw(octets) }
    }
}
