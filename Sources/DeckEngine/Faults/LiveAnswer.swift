import DeckRules
import HTTPCore
import Transport

/// The upstream's own answer to a request whose answer is to be broken: fetched whole, never stored.
struct LiveAnswer {
    let core: DeckCore
    let http: ServerExchange
    let address: Address

    /// What came of the upstream's answer until it ended or grew over the limit (`--max-body`).
    struct Fetched {
        /// The head is made for this client, as if nothing were broken.
        var answer: Answer
        /// What brings the rest of a body that is over the limit, to be cancelled by who gets it; nil for a whole answer.
        var rest: UpstreamExchange?
    }

    /// Asks the upstream for an answer to break. A body above the limit counts as ending there.
    ///
    /// - Parameter body: the request's body; nil where it has none.
    /// - Throws: `UpstreamError` where there is no answer to break.
    func fetch(body: Bytes?) async throws(UpstreamError) -> Answer? {
        let fetched = try await begin(body: body)
        fetched?.rest?.cancel()
        return fetched?.answer
    }

    /// The same, and says whether it is the whole answer.
    func begin(body: Bytes?) async throws(UpstreamError) -> Fetched? {
        guard let clients = core.upstreamClients else { return nil }
        let framing = body.map { BodyFraming.length($0.count) } ?? http.framing
        let upstream = try clients.value(on: http.loop).start(
            UpstreamRequests.make(http.head, at: address, framing: framing, preserveHost: core.options.preserveHost))
        do throws(UpstreamError) {
            if let body, !body.isEmpty { try await upstream.send(body) }
            upstream.finishSending()
            let fetched = try await collect(upstream)
            if fetched?.rest == nil { upstream.cancel() }
            return fetched
        } catch {
            upstream.cancel()
            throw error
        }
    }

    private func collect(_ upstream: UpstreamExchange) async throws(UpstreamError) -> Fetched? {
        var head: ResponseHead?
        var body: Bytes = []
        var isWhole = false
        reading: while true {
            switch try await upstream.next() {
            case .informational: continue
            case .head(let received, _): head = received
            case .body(let piece):
                body += piece
                if body.count > core.options.maxBody { break reading }
            case .end:
                isWhole = true
                break reading
            }
        }
        guard var head else { return nil }
        head.fields = removeHopByHop(head.fields, keepTE: false)
        core.rewrite(&head, http, address)
        var answer = Answer(head: head, body: body)
        if isWhole { core.rewriteBody(&answer, http, address) }
        return Fetched(answer: answer, rest: isWhole ? nil : upstream)
    }

    /// Passes an answer on that is over the limit, as it is.
    func pass(_ fetched: Fetched, _ bandwidth: Bandwidth?) async throws(ConnectionError) {
        defer { fetched.rest?.cancel() }
        var pacer = bandwidth.map { Pacer($0, now: http.loop.now()) }
        let length = fetched.answer.head.fields.text("Content-Length").flatMap { Int($0) }
        try await http.begin(fetched.answer.head, length.map { .length($0) } ?? .chunked)
        try await http.write(fetched.answer.body, at: &pacer)
        while let rest = fetched.rest {
            let event: UpstreamExchange.Event
            do throws(UpstreamError) { event = try await rest.next() } catch { return http.abort(.reset) }
            switch event {
            case .body(let piece): try await http.write(piece, at: &pacer)
            case .end: return try await http.end(trailers: Fields())
            case .informational, .head: continue
            }
        }
    }
}
