import CassetteKit
import DeckRules
import HTTPCore
import SystemIO
import Transport

/// One request and its response in flight, from the parsed head to the journal.
///
/// Lives on its connection's loop; `run` reads top to bottom as the exchange goes.
struct Exchange {
    let core: DeckCore
    let http: ServerExchange
    /// The request without the marks of its session.
    let place: SessionPlace

    /// What is known of the exchange when it ends.
    struct Record {
        var target: Bytes
        var route: String?
        var variant: String?
        var status = 0
        var outcome = Outcome.clientLeft
        /// What this exchange took from the recorded sequence.
        var taken: Session.Taken?
        var near: String?
        /// Nothing is journaled.
        var isSilent = false
        /// The request, where its body was read and is not too large to be kept.
        var request: RawRequest?

        init(target: Bytes) { self.target = target }
    }

    /// Serves the exchange to its end and journals it.
    func run() async {
        core.session.enter()
        var record = Record(target: place.head.target)
        do throws(ConnectionError) {
            try await serve(&record)
        } catch {
            record.outcome = Outcome(error)
            if let taken = record.taken, http.octetsSent == 0 { core.session.giveBack(taken) }
            await answer(error, &record)
        }
        end(record)
    }

    /// Journals the exchange: now, or where the connection is held when the client has left.
    private func end(_ record: Record) {
        if record.isSilent { return core.session.leave() }
        let entry = JournalEntry(
            method: http.head.method, target: core.shown(record.target), route: record.route,
            near: record.near, variant: record.variant, status: record.status, outcome: record.outcome,
            octets: http.octetsSent, duration: .zero, request: record.request, client: http.peer,
            requestOctets: http.bodyOctets, received: http.requestTime, waited: http.answerTime)
        guard http.isHeld else { return core.end(entry, after: http.loop.now().since(http.begun)) }
        let number = core.session.holds.add(http.holdEnder)
        http.whenHoldEnds { [core, loop = http.loop, begun = http.begun] in
            core.session.holds.remove(number)
            core.end(entry, after: loop.now().since(begun))
        }
    }

    /// Tells the client what is wrong with its request, where that can still be told.
    private func answer(_ error: ConnectionError, _ record: inout Record) async {
        guard !http.hasBegun, let problem = Problem(error) else { return }
        record.status = problem.status
        core.log(.warning, "refused: \(problem.detail)", status: problem.status)
        http.closesAfter = true
        try? await http.deliver(Answer(problem), nil)
    }

    private func serve(_ record: inout Record) async throws(ConnectionError) {
        if let problem = place.problem { return try await refuse(problem, &record) }
        switch core.addressing.destination(of: place.head, place.target) {
        case .control(let target):
            record.outcome = .control
            await core.answerControl(http, target: target)
        case .tunnel(let authority):
            try await Connecting(core: core, http: http, authority: authority, fields: http.head.fields).run(&record)
        case .refused(let problem):
            try await refuse(problem, &record)
        case .upstream(var address):
            address.prefix = place.prefix + (place.isOnUpstreamPort ? [] : address.prefix)
            record.target = address.target
            if let problem = core.gate.problem(for: address, http.head) {
                try await refuse(problem, &record)
            } else {
                try await serve(address, &record)
            }
        }
    }

    private func serve(_ address: Address, _ record: inout Record) async throws(ConnectionError) {
        let body = RequestBody(http, limit: core.options.maxBody)
        let decision = try await core.decide(address, http, body)
        record.route = decision.routeName
        record.near = decision.nearRouteName
        defer { if record.request == nil { record.request = core.kept(http.head, address, body.ifRead ?? nil) } }
        record.variant = decision.variantName == "default" ? nil : decision.variantName
        if decision.closesConnection { http.closesAfter = true }
        if core.retries.mayFind { try await logRetry(address, body) }
        if decision.bandwidth != nil { try await body.pace(decision.bandwidth) }
        core.noteFault(decision, http.head.method, address)
        if decision.settings?.restarts == true { core.session.restart() }
        switch decision.answer {
        case .fault(let kind, let own):
            try await Breaking(core: core, http: http, address: address, body: body).run(kind, own, decision, &record)
        case .own(let own):
            try await answer(own, address, body, decision, &record)
        case .recorded(let edits):
            if core.options.mode == .replay {
                try await Replaying(core: core, http: http, address: address, body: body).run(decision, edits, &record)
            } else {
                try await Recording(core: core, http: http, address: address, body: body).run(decision, edits, &record)
            }
        }
    }

    /// Says so where the request is probably the client's own repeat of one that was broken a moment ago.
    private func logRetry(_ address: Address, _ body: RequestBody) async throws(ConnectionError) {
        let request = core.request(http.head, address, body: try await body.whole())
        guard core.retries.isRetry(core.keys.key(of: request), session: core.session.name, now: http.loop.now()) else {
            return
        }
        core.log(
            .warning,
            "\(http.head.method) \(core.shown(address.target)) came again within a second of a fault that showed nothing: "
                + "probably the client's own retry, not the app's")
    }

    /// Sends a variant's own answer, which needs neither an interaction nor an upstream.
    private func answer(
        _ own: OwnAnswer, _ address: Address, _ body: RequestBody, _ decision: Decision, _ record: inout Record
    ) async throws(ConnectionError) {
        record.outcome = .own
        let answer = await core.answer(of: own, decision, address, http.head.method)
        record.status = answer.head.status
        if core.options.mode == .replay, !core.index.isEmpty {
            core.cover(core.request(http.head, address, body: try await body.whole()))
        }
        if decision.bandwidth != nil { _ = try await body.whole() }
        try await http.hold(for: decision.delay, timings: nil, in: core.session.holds)
        try await http.deliver(answer, decision.bandwidth)
    }

    private func refuse(_ problem: Problem, _ record: inout Record) async throws(ConnectionError) {
        record.outcome = .failed(problem.label)
        record.status = problem.status
        core.log(.warning, "refused: \(problem.detail)", status: problem.status)
        try await http.deliver(Answer(problem), nil)
    }
}

extension Outcome {
    /// How an exchange ended that could not be served to its end.
    init(_ error: ConnectionError) {
        switch error {
        case .clientLeft, .cancelled: self = .clientLeft
        case .timedOut: self = .failed("client-timeout")
        case .malformed(let problem): self = .failed(problem.label)
        case .tooLarge: self = .failed("body-too-large")
        }
    }
}

extension ServerExchange {
    /// Holds an answer back before its first octet, or until somebody ends what waits.
    ///
    /// - Throws: `.cancelled` when the client leaves meanwhile.
    func hold(for delay: Delay, timings: Timings?, in holds: Holds) async throws(ConnectionError) {
        let time: Duration
        switch delay {
        case .none: return
        case .fixed(let fixed): time = fixed
        case .recorded(let speed):
            guard let timings else { return }
            time = .nanoseconds(Int64(Double(timings.firstByte) * 1_000 / speed))
        }
        guard time > .zero else { return }
        var number: Int?
        defer { number.map(holds.remove) }
        do {
            try await loop.sleep(for: time) { number = holds.add($0) }
        } catch {
            throw .cancelled
        }
    }
}
