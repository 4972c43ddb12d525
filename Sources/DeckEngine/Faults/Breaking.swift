import DeckRules
import HTTPCore
import Transport

/// Breaks one exchange on purpose: reads the request, finds the answer that the fault cuts or spoils, and runs the fault.
struct Breaking {
    let core: DeckCore
    let http: ServerExchange
    let address: Address
    let body: RequestBody

    func run(
        _ kind: FaultKind, _ own: OwnAnswer?, _ decision: Decision, _ record: inout Exchange.Record
    ) async throws(ConnectionError) {
        record.outcome = .fault
        let answer = await answer(own, decision, try await body.whole())
        if kind.details.shows != .nothing { record.status = answer.head.status }
        core.log(.info, "\(kind.rawValue) on \(http.head.method) \(core.shown(address.target))")
        try await http.hold(for: decision.delay, timings: nil)
        try await kind.onTheWire.run(http, answer)
    }

    /// The variant's own answer, else the recorded one, which stays the next of its sequence, else a filler.
    private func answer(_ own: OwnAnswer?, _ decision: Decision, _ body: Bytes?) async -> Answer {
        if let own { return await core.answer(of: own, decision, address, http.head.method) }
        guard core.options.mode == .replay else { return .filler }
        let request = core.request(http.head, address, body: body)
        let key = core.keys.key(of: request)
        guard let sequence = core.index.sequence(for: key) else { return .filler }
        guard decision.needsAnswer else {
            core.session.cover(sequence)
            return .filler
        }
        guard let index = core.session.peek(key, sequence) else { return .filler }
        return (try? await core.prepared(index, for: http))?.answer ?? .filler
    }
}
