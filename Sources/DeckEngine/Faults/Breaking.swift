import CassetteKit
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
        let octets = try await body.whole()
        if core.usesShim, let shim = kind.shim {
            core.log(.info, "\(kind.rawValue) by shim on \(http.head.method) \(core.shown(address.target))")
            record.status = shim.head.status
            try await http.hold(for: decision.delay, timings: nil, in: core.session.holds)
            return try await http.deliver(shim, nil)
        }
        let answer: Answer
        do throws(UpstreamError) {
            answer = try await self.answer(own, decision, octets)
        } catch {
            return try await fail(error, &record)
        }
        core.log(.info, "\(kind.rawValue) on \(http.head.method) \(core.shown(address.target))")
        try await http.hold(for: decision.delay, timings: nil, in: core.session.holds)
        if kind.details.shows != .nothing { record.status = answer.head.status }
        let sent = http.octetsSent
        let broken = kind.details.shows == .answer && !answer.mayHaveBody ? Answer.filler : answer
        try await kind.onTheWire?.run(http, BrokenAnswer(broken, sends: decision.sends))
        if http.octetsSent == sent {
            record.status = 0
            if kind != .timeout, kind != .stall { watchForRetry(octets) }
        }
    }

    /// The variant's own answer, else the recorded one, which stays the next of its sequence, else the upstream's, else a
    /// filler.
    private func answer(_ own: OwnAnswer?, _ decision: Decision, _ body: Bytes?) async throws(UpstreamError) -> Answer {
        if let own { return await core.answer(of: own, decision, address, http.head.method) }
        if core.options.mode == .replay || core.replaysKnown {
            let key = core.keys.key(of: core.request(http.head, address, body: body))
            if let sequence = core.index.sequence(for: key) {
                return await recorded(key, sequence, decision)
            }
        }
        guard decision.needsAnswer, core.upstreamClients != nil else { return .filler }
        return try await LiveAnswer(core: core, http: http, address: address).fetch(body: body) ?? .filler
    }

    private func recorded(_ key: MatchKey, _ sequence: ReplayIndex.Sequence, _ decision: Decision) async -> Answer {
        guard decision.needsAnswer else {
            core.session.cover(sequence)
            return .filler
        }
        guard let index = core.session.peek(key, sequence, core.playback(decision)) else { return .filler }
        return (try? await core.prepared(index, for: http))?.answer ?? .filler
    }

    /// There is nothing to break, which the client is told as if nothing were to be broken.
    private func fail(_ error: UpstreamError, _ record: inout Exchange.Record) async throws(ConnectionError) {
        let problem = Problem(error)
        record.outcome = .failed(problem.label)
        record.status = problem.status
        core.log(.error, "\(http.head.method) \(core.shown(address.target)): \(problem.detail)", status: problem.status)
        try await http.deliver(Answer(problem), nil)
    }

    private func watchForRetry(_ body: Bytes?) {
        let key = core.keys.key(of: core.request(http.head, address, body: body))
        core.retries.note(key, session: core.session.name, now: http.loop.now())
    }
}
