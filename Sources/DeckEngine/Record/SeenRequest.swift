import CassetteKit
import HTTPCore

/// A request as the journal keeps it, once its body has passed. Lives on the connection's loop.
final class SeenRequest {
    var request: RawRequest?
}

extension DeckCore {
    /// The largest body that the journal keeps, in octets.
    static let largestKept = 65_536

    /// A request for the journal; nil for one without a body, and for one whose body is too large to be kept.
    func kept(_ head: RequestHead, _ address: Address, _ body: Bytes?) -> RawRequest? {
        guard let body, !body.isEmpty, body.count <= Self.largestKept else { return nil }
        return request(head, address, body: body)
    }
}
