import CassetteKit
import DeckRules
import HTTPCore
import Transport

/// Passes one exchange to its upstream, and keeps a sanitized copy where the run records.
struct Recording {
    let core: DeckCore
    let http: ServerExchange
    let address: Address
    let body: RequestBody

    func run(
        _ decision: Decision, _ edits: AnswerEdits, _ record: inout Exchange.Record
    ) async throws(ConnectionError) {
        if let problem = refusal {
            record.outcome = .failed(problem.label)
            record.status = problem.status
            return try await http.deliver(Answer(problem), nil)
        }
        if core.replaysKnown {
            let key = core.key(
                method: http.head.method, address, fields: http.head.fields, body: try await body.whole())
            if core.index.sequence(for: key) != nil {
                let replaying = Replaying(core: core, http: http, address: address, body: body)
                return try await replaying.run(decision, edits, &record)
            }
        }
        try await http.hold(for: decision.delay, timings: nil, in: core.session.holds)
        if edits.body.isEmpty {
            try await forward(decision, edits, &record)
        } else {
            try await forwardEdited(decision, edits, &record)
        }
    }

    /// Requests that can't be passed on as they are.
    private var refusal: Problem? {
        if http.head.fields.hasToken("Connection", "upgrade"), http.head.fields.hasToken("Upgrade", "websocket") {
            return Problem(
                status: 501, label: "websocket",
                detail: "WebSocket is not recorded yet: connect to the backend itself for it.")
        }
        if http.head.method == "HEAD", http.framing != .none {
            return Problem(status: 501, label: "head-with-body", detail: "HEAD with a body is not passed on.")
        }
        return nil
    }

    private func forward(
        _ decision: Decision, _ edits: AnswerEdits, _ record: inout Exchange.Record
    ) async throws(ConnectionError) {
        guard let clients = core.upstreamClients else { return }
        let read = body.ifRead ?? nil
        let upstream: UpstreamExchange
        do throws(UpstreamError) {
            upstream = try start(clients.value(on: http.loop), read)
        } catch {
            return try await fail(Problem(error), &record)
        }
        let stored = StoredCopy(core, isWanted: decision.isStorable && core.isStored(decision, address))
        let (core, head, address) = (core, http.head, address)
        let seen = SeenRequest()
        let forwarding = Forwarding(http, to: upstream, maxBody: core.options.maxBody) { body, trailers in
            stored.begin(head, address, body, trailers)
            seen.request = core.kept(head, address, body)
        }
        defer { record.request = seen.request }
        let passing = PassingAnswer(
            http, core.bodyRewriting(http, address), codecs: core.codecs, bandwidth: decision.bandwidth)
        let ending: Forwarding.Ending
        do throws(ConnectionError) {
            ending = try await forwarding.run(body: read, bandwidth: decision.bandwidth, through: passing) { answer in
                core.rewrite(&answer, http, address)
                edits.apply(to: &answer.fields)
                if let status = edits.status { answer.status = status }
            }
        } catch {
            stored.abandon()
            core.log(.warning, "not stored: the client left during \(head.method) \(core.shown(address.target))")
            throw error
        }
        if passing.isTooLargeToRewrite { logUntouched() }
        try await conclude(ending, stored, &record)
    }

    /// - Parameter body: the request's body if it was read before.
    private func start(_ client: UpstreamClient, _ body: Bytes?) throws(UpstreamError) -> UpstreamExchange {
        let framing = body.map { BodyFraming.length($0.count) } ?? http.framing
        return try client.start(
            UpstreamRequests.make(http.head, at: address, framing: framing, preserveHost: core.options.preserveHost))
    }

    private func logUntouched() {
        core.log(
            .warning,
            "\(http.head.method) \(core.shown(address.target)): a coded body over \(RewrittenBody.largestCoded) octets passed"
                + " as it came: addresses of upstreams in it lead around the deck")
    }

    /// Fetches the answer whole, for the changes of a body need all of it; never stored.
    private func forwardEdited(
        _ decision: Decision, _ edits: AnswerEdits, _ record: inout Exchange.Record
    ) async throws(ConnectionError) {
        let octets = try await body.whole()
        let live = LiveAnswer(core: core, http: http, address: address)
        let name = "\(http.head.method) \(core.shown(address.target))"
        let fetched: LiveAnswer.Fetched?
        do throws(UpstreamError) {
            fetched = try await live.begin(body: octets)
        } catch {
            return try await fail(Problem(error), &record)
        }
        guard let fetched else { return }
        record.outcome = .passed("changed by a variant")
        record.status = fetched.answer.head.status
        if fetched.rest != nil {
            core.log(
                .warning,
                "\(name): the body is over \(core.options.maxBody) octets (--max-body), so the variant's edits do not "
                    + "act on it")
            return try await live.pass(fetched, decision.bandwidth)
        }
        let answer = core.edited(fetched.answer, edits, of: name)
        record.status = answer.head.status
        try await http.deliver(answer, decision.bandwidth)
    }

    private func conclude(
        _ ending: Forwarding.Ending, _ stored: StoredCopy, _ record: inout Exchange.Record
    ) async throws(ConnectionError) {
        switch ending {
        case .whole(let response):
            record.status = response.status
            record.outcome = stored.isWanted ? .recorded : .passed("not recorded")
            await stored.store(response)
        case .tooLarge(let status):
            record.status = status
            record.outcome = .passed("a body over \(core.options.maxBody) octets")
            stored.abandon(nil)
            core.log(
                .warning,
                "not stored: a body of \(http.head.method) \(core.shown(address.target)) is over "
                    + "\(core.options.maxBody) octets (--max-body)")
        case .failed(let error):
            stored.abandon()
            try await fail(Problem(error), &record)
        case .cut(let status, let error):
            stored.abandon()
            record.status = status
            record.outcome = .failed(error.label)
            core.log(.error, "upstream cut its answer short, not stored: \(error.message)", status: status)
            http.abort(.reset)
        }
    }

    private func fail(_ problem: Problem, _ record: inout Exchange.Record) async throws(ConnectionError) {
        record.outcome = .failed(problem.label)
        record.status = problem.status
        core.log(.error, "\(http.head.method) \(core.shown(address.target)): \(problem.detail)", status: problem.status)
        try await http.deliver(Answer(problem), nil)
    }
}
