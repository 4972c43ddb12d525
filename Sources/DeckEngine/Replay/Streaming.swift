import CassetteKit
import DeckRules
import HTTPCore
import SystemIO
import Transport

extension DeckCore {
    /// An answer whose large body is sent from its file; nil where it is to be prepared whole.
    func beside(_ index: Int, for http: ServerExchange) async throws -> BesideAnswer? {
        let interaction = self.index.interactions[index]
        guard case .file? = interaction.response?.body?.content,
            cassette.answers.answer(index, http.head.fields.first("Accept-Encoding").map { Bytes($0) }) == nil
        else { return nil }
        let codings = PreparedCodings(http.head.fields)
        let (method, lengths) = (http.head.method, cassette.codedLengths)
        return try await queue.run { [codecs] in
            try BesideAnswer(interaction, method: method, codings: codings, codecs: codecs, lengths: lengths)
        }
    }
}

extension Replaying {
    /// Sends an answer from its file: the next piece is read, off the loop, when the client has taken the one before.
    func stream(
        _ answer: BesideAnswer, _ interaction: Interaction, _ decision: Decision, _ record: inout Exchange.Record
    ) async throws(ConnectionError) {
        let pieces: BodyPieces
        do {
            pieces = try await core.queue.run { [codecs = core.codecs] in try answer.open(codecs) }
        } catch {
            return try await fail(error, &record)
        }
        var head = answer.head
        core.clockShift?.apply(to: &head.fields)
        core.rewrite(&head, http, address)
        record.status = head.status
        let timings = core.timings(of: interaction)
        try await http.hold(for: decision.delay, timings: timings, in: core.session.holds)
        for interim in answer.informational { try await http.inform(interim) }
        try await http.begin(head, answer.framing)
        let started = http.loop.now()
        var pacer = decision.bandwidth.map { Pacer($0, now: started) }
        while true {
            let piece: BodyPieces.Piece?
            do {
                piece = try await core.queue.run { try pieces.next() }
            } catch {
                core.log(.error, "an answer was cut: \(error)", status: head.status)
                return http.abort(.reset)
            }
            guard let piece else { break }
            if case .recorded(let speed) = decision.delay, let timings, pacer == nil {
                let due = timings.offset(at: Double(piece.read) / Double(max(1, answer.size)))
                try await http.pause(.nanoseconds(Int64(due * 1_000 / speed)) - http.loop.now().since(started))
            }
            if !piece.octets.isEmpty { try await http.write(piece.octets, at: &pacer) }
        }
        try await http.end(trailers: answer.trailers)
    }
}

extension Timings {
    /// The microseconds after the head at which a share of the body, up to 1, had come.
    func offset(at share: Double) -> Double {
        let total = Double(pieces.reduce(0) { $0 + $1.size })
        var came = 0.0
        for piece in pieces {
            came += Double(piece.size)
            if came >= share * total { return Double(piece.offset) }
        }
        return Double(pieces.last?.offset ?? 0)
    }
}
