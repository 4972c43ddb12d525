import CassetteKit
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
        if !answer.body.isEmpty {
            var pacer = bandwidth.map { Pacer($0, now: loop.now()) }
            try await write(answer.body, at: &pacer)
        }
        try await end(trailers: answer.trailers)
    }

    /// Delivers a whole answer with its body in pieces as it came while recording, in the same proportions where it has
    /// another length now, `speed` times as fast.
    func deliver(_ answer: Answer, as timings: Timings, speed: Double) async throws(ConnectionError) {
        for interim in answer.informational { try await inform(interim) }
        try await begin(answer.head, answer.framing)
        let started = loop.now()
        let total = max(1, timings.pieces.reduce(0) { $0 + $1.size })
        var (came, sent) = (0, 0)
        for piece in timings.pieces {
            came += piece.size
            let end = came == total ? answer.body.count : Int(Double(answer.body.count) * Double(came) / Double(total))
            let due = Duration.nanoseconds(Int64(Double(piece.offset) * 1_000 / speed))
            try await pause(due - loop.now().since(started))
            if end > sent { try await write(Bytes(answer.body[sent..<end])) }
            sent = max(sent, end)
        }
        if sent < answer.body.count { try await write(Bytes(answer.body[sent...])) }
        try await self.end(trailers: answer.trailers)
    }
}
