import DeckRules
import HTTPCore
import Transport

/// The upstream's own answer to a request whose answer is to be broken: fetched whole, never stored.
struct LiveAnswer {
    let core: DeckCore
    let http: ServerExchange
    let address: Address

    /// Asks the upstream.
    ///
    /// A body above the limit counts as ending there. The head is made for this client, as if nothing were broken.
    ///
    /// - Parameter body: the request's body; nil where it has none.
    /// - Throws: `UpstreamError` where there is no answer to break.
    func fetch(body: Bytes?) async throws(UpstreamError) -> Answer? {
        guard let clients = core.upstreamClients else { return nil }
        let framing = body.map { BodyFraming.length($0.count) } ?? http.framing
        let upstream = try clients.value(on: http.loop).start(
            UpstreamRequests.make(http.head, at: address, framing: framing, preserveHost: core.options.preserveHost))
        defer { upstream.cancel() }
        if let body, !body.isEmpty { try await upstream.send(body) }
        upstream.finishSending()
        return try await collect(upstream)
    }

    private func collect(_ upstream: UpstreamExchange) async throws(UpstreamError) -> Answer? {
        var head: ResponseHead?
        var body: Bytes = []
        reading: while true {
            switch try await upstream.next() {
            case .informational: continue
            case .head(let received, _): head = received
            case .body(let piece):
                body += piece
                if body.count >= core.options.maxBody { break reading }
            case .end: break reading
            }
        }
        guard var head else { return nil }
        head.fields = removeHopByHop(head.fields, keepTE: false)
        core.rewrite(&head, http, address)
        var answer = Answer(head: head, body: body)
        core.rewriteBody(&answer, http, address)
        return answer
    }
}
