import DeckRules
import HTTPCore
import Transport

/// The body of the request in flight: read whole at most once, by whichever step needs it first.
///
/// Lives on the connection's loop.
final class RequestBody {
    private enum State {
        case unread
        case read(Bytes?)
    }

    private let http: ServerExchange
    private let limit: Int
    private var state = State.unread
    /// The most octets a second in which the body is read; nil for as fast as it comes.
    private var bandwidth: Bandwidth?

    /// - Parameter limit: the largest body that is read whole, in octets.
    init(_ http: ServerExchange, limit: Int) {
        self.http = http
        self.limit = limit
        if http.framing == .none { state = .read(nil) }
    }

    /// The whole body; nil where the request has none.
    ///
    /// - Throws: `.tooLarge` above the limit.
    func whole() async throws(ConnectionError) -> Bytes? {
        if case .read(let body) = state { return body }
        let body: Bytes
        if let bandwidth {
            body = try await paced(bandwidth)
        } else {
            body = try await http.readWholeBody(limit: limit)
        }
        state = .read(body)
        return body
    }

    /// Holds the body to a rate from here on: it is read no faster, and one that is here already takes its time.
    func pace(_ bandwidth: Bandwidth?) async throws(ConnectionError) {
        self.bandwidth = bandwidth
        guard let bandwidth, case .read(let body?) = state else { return }
        var pacer = Pacer(bandwidth, now: http.loop.now())
        try await http.pause(pacer.pass(body.count, now: http.loop.now()))
    }

    private func paced(_ bandwidth: Bandwidth) async throws(ConnectionError) -> Bytes {
        var pacer = Pacer(bandwidth, now: http.loop.now())
        var octets = Bytes()
        while let piece = try await http.readBody() {
            octets += piece
            guard octets.count <= limit else { throw .tooLarge(limit: limit) }
            try await http.pause(pacer.pass(piece.count, now: http.loop.now()))
        }
        return octets
    }

    /// The body if something has read it already; the outer nil means that it is still to come.
    var ifRead: Bytes?? {
        if case .read(let body) = state { body } else { nil }
    }
}
