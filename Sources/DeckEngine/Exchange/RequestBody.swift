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
        let body = try await http.readWholeBody(limit: limit)
        state = .read(body)
        return body
    }

    /// The body if something has read it already; the outer nil means that it is still to come.
    var ifRead: Bytes?? {
        if case .read(let body) = state { body } else { nil }
    }
}
