import CassetteKit
import DeckRules
import HTTPCore
import Transport

/// Answers one exchange from the cassette. Nothing here, or in what it calls, can reach an upstream.
struct Replaying {
    let core: DeckCore
    let http: ServerExchange
    let address: Address
    let body: RequestBody

    func run(
        _ decision: Decision, _ edits: AnswerEdits, _ record: inout Exchange.Record
    ) async throws(ConnectionError) {
        let octets = try await body.whole()
        let key = core.key(method: http.head.method, address, fields: http.head.fields, body: octets)
        guard let sequence = core.index.sequence(for: key) else {
            return try await miss(octets, playedTimes: nil, &record)
        }
        let isWrite =
            core.followsWrites
            && WriteRequests.isWrite(method: http.head.method, fields: http.head.fields, body: octets)
        let taken = core.session.take(key, sequence, core.playback(decision), isWrite: isWrite)
        switch taken.step {
        case .usedUp(let times):
            try await miss(octets, playedTimes: times, &record)
        case .play(let index, _):
            record.taken = taken
            let interaction = core.index.interactions[index]
            core.recorder?.replayed(interaction.name, isWrite: isWrite)
            record.outcome = .hit(file: interaction.name)
            try await play(index, interaction, decision, edits, &record)
        }
    }

    private func play(
        _ index: Int, _ interaction: Interaction, _ decision: Decision, _ edits: AnswerEdits,
        _ record: inout Exchange.Record
    ) async throws(ConnectionError) {
        let substitution = core.keys.substitution((http.head.method, address.target), interaction.request)
        let prepared: PreparedAnswer
        do {
            if edits.isEmpty, substitution == nil, core.cassette.named.isEmpty, !core.movesBodies(of: decision),
                let beside = try await core.beside(index, for: http)
            {
                return try await stream(beside, interaction, decision, &record)
            }
            prepared = try await core.prepared(index, for: http)
        } catch {
            return try await fail(error, &record)
        }
        core.noteExternal(prepared.authorities, address.isForward)
        if let wire = prepared.wire, isPlain(decision, edits), substitution == nil {
            record.status = prepared.status
            return try await http.respondPrepared(wire, closes: false)
        }
        var answer = prepared.answer
        if let substitution { answer.adapt(substitution, core.codecs) }
        if let shift = core.clockShift { answer = core.moved(answer, shift, decision, of: interaction.name) }
        if !edits.isEmpty { answer = core.edited(answer, edits, of: interaction.name) }
        core.rewrite(&answer.head, http, address)
        core.rewriteBody(&answer, http, address)
        record.status = answer.head.status
        let timings = core.timings(of: interaction)
        try await http.hold(for: decision.delay, timings: timings, in: core.session.holds)
        if case .recorded(let speed) = decision.delay, let timings, decision.bandwidth == nil {
            return try await http.deliver(answer, as: timings, speed: speed)
        }
        try await http.deliver(answer, decision.bandwidth)
    }

    /// Whether the answer goes out as it was made ready: nothing changes or delays it, and the connection is kept.
    private func isPlain(_ decision: Decision, _ edits: AnswerEdits) -> Bool {
        edits.isEmpty && core.clockShift == nil && core.cassette.named.isEmpty && decision.delay == .none
            && decision.bandwidth == nil && !http.closesAfter
            && http.head.version == .http11 && http.head.method != "HEAD"
    }

    private func miss(_ body: Bytes?, playedTimes: Int?, _ record: inout Exchange.Record) async throws(ConnectionError)
    {
        record.outcome = .miss
        record.status = core.options.missStatus
        let answer = await core.missed(core.request(http.head, address, body: body), playedTimes, http.head.fields)
        try await http.deliver(answer, nil)
    }

    func fail(_ error: any Error, _ record: inout Exchange.Record) async throws(ConnectionError) {
        let problem = Problem(status: 500, label: "cassette", detail: "\(error)")
        record.outcome = .failed(problem.label)
        record.status = problem.status
        core.log(.error, problem.detail)
        try await http.deliver(Answer(problem), nil)
    }
}
