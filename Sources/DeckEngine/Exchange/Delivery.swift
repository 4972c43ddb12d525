import DeckRules
import HTTPCore
import Transport

extension ServerExchange {
    /// Delivers a whole answer, as it was recorded or written, at most at the given rate.
    ///
    /// - Throws: `ConnectionError` when the client has left or does not read.
    func deliver(_ answer: Answer, _ bandwidth: Bandwidth?) async throws(ConnectionError) {
        for interim in answer.informational { try await inform(interim) }
        if bandwidth == nil, case .length = answer.framing, answer.trailers.isEmpty {
            return try await respond(answer.head, body: answer.body)
        }
        try await begin(answer.head, answer.framing)
        if let bandwidth {
            try await write(answer.body, at: bandwidth)
        } else if !answer.body.isEmpty {
            try await write(answer.body)
        }
        try await end(trailers: answer.trailers)
    }

    /// Writes octets evenly, in portions of a fiftieth of a second.
    private func write(_ octets: Bytes, at bandwidth: Bandwidth) async throws(ConnectionError) {
        let started = loop.now()
        var sent = 0
        while sent < octets.count {
            let portion = min(max(1, bandwidth.bytesPerSecond / 50), octets.count - sent)
            try await write(Bytes(octets[sent..<(sent + portion)]))
            sent += portion
            let due = Duration.nanoseconds(Int64(Double(sent) / Double(bandwidth.bytesPerSecond) * 1e9))
            let wait = due - loop.now().since(started)
            if wait > .zero {
                do { try await loop.sleep(for: wait) } catch { throw .cancelled }
            }
        }
    }
}
