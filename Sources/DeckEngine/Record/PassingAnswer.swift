import CassetteKit
import DeckRules
import HTTPCore
import Transport

/// Writes an upstream's answer to the client as it comes, at the client's bandwidth, with addresses of upstreams rewritten.
///
/// Where nothing is rewritten the client gets the upstream's octets in the upstream's framing, but for a plain text over 64 KiB
/// or of unknown length, which is chunked. A coded text that holds an address is sent without its coding. Lives on the
/// connection's loop.
final class PassingAnswer {
    private enum State {
        case waiting
        case untouched
        case streamed(AddressRewriter)
        /// The head waits until the body has come.
        case collected(Collected)
    }

    private struct Collected {
        var head: ResponseHead
        var framing: BodyFraming
        var limit: Int
        var coding: String?
        var body = Bytes()
    }

    private let http: ServerExchange
    private let rewriting: Rewriting?
    private let codecs: ContentCodecs
    private let bandwidth: Bandwidth?
    private var pacer: Pacer?
    private var state = State.waiting
    /// Whether a coded body was too large to be looked into.
    private(set) var isTooLargeToRewrite = false

    /// - Parameter rewriting: nil leaves bodies as they are.
    init(_ http: ServerExchange, _ rewriting: Rewriting?, codecs: ContentCodecs, bandwidth: Bandwidth?) {
        self.http = http
        self.rewriting = rewriting
        self.codecs = codecs
        self.bandwidth = bandwidth
    }

    /// - Parameter head: as the client is to have it, but for what a changed body changes.
    func begin(_ head: ResponseHead, _ framing: BodyFraming) async throws(ConnectionError) {
        if let bandwidth { pacer = Pacer(bandwidth, now: http.loop.now()) }
        guard let rewriting, http.head.method != "HEAD" else { return try await beginUntouched(head, framing) }
        switch RewrittenBody(head, framing) {
        case .untouched: try await beginUntouched(head, framing)
        case .collected(let limit, let coding):
            state = .collected(Collected(head: head, framing: framing, limit: limit, coding: coding))
        case .streamed:
            state = .streamed(AddressRewriter(rewriting.replacements))
            var head = head
            head.fields.forgetBody()
            head.fields.remove("Content-Length")
            try await http.begin(head, .chunked)
        }
    }

    private func beginUntouched(_ head: ResponseHead, _ framing: BodyFraming) async throws(ConnectionError) {
        state = .untouched
        try await http.begin(head, framing)
    }

    func write(_ piece: Bytes) async throws(ConnectionError) {
        switch state {
        case .waiting, .untouched: try await http.write(piece, at: &pacer)
        case .streamed(var rewriter):
            let octets = rewriter.take(piece)
            state = .streamed(rewriter)
            if !octets.isEmpty { try await http.write(octets, at: &pacer) }
        case .collected(var collected):
            // Set aside, so that the octets are not copied for every piece.
            state = .waiting
            collected.body += piece
            if collected.body.count > collected.limit {
                isTooLargeToRewrite = true
                return try await release(collected)
            }
            state = .collected(collected)
        }
    }

    func end(trailers: Fields) async throws(ConnectionError) {
        switch state {
        case .waiting, .untouched: break
        case .streamed(var rewriter):
            let octets = rewriter.finish()
            if !octets.isEmpty { try await http.write(octets, at: &pacer) }
        case .collected(let collected): try await finish(collected)
        }
        try await http.end(trailers: trailers)
    }

    /// Sends what is held back as it came, for no more follows.
    func breakOff() async {
        switch state {
        case .waiting, .untouched: return
        case .streamed(var rewriter): try? await http.write(rewriter.finish(), at: &pacer)
        case .collected(let collected): try? await release(collected)
        }
    }

    private func release(_ collected: Collected) async throws(ConnectionError) {
        try await beginUntouched(collected.head, collected.framing)
        try await http.write(collected.body, at: &pacer)
    }

    private func finish(_ collected: Collected) async throws(ConnectionError) {
        guard let body = rewriting?.body(collected.body, coding: collected.coding, codecs: codecs) else {
            return try await release(collected)
        }
        var head = collected.head
        head.fields.forgetBody()
        if case .length = collected.framing {
            head.fields.set("Content-Length", String(body.count))
            try await http.begin(head, .length(body.count))
        } else {
            try await http.begin(head, collected.framing)
        }
        try await http.write(body, at: &pacer)
    }
}
