package import HTTPCore

/// A request of this module's HTTP client.
package struct WireRequest: Sendable, Equatable {
    package var method: String
    /// The request target, sent as it is.
    package var target: String
    package var fields: Fields
    /// Sent with its Content-Length; nil sends neither.
    package var body: Bytes?

    package init(_ method: String, _ target: String, fields: Fields = Fields(), body: Bytes? = nil) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }
}

/// A whole response.
package struct WireResponse: Sendable, Equatable {
    package var head: ResponseHead
    /// Without transfer coding; content codings stay.
    package var body: Bytes

    package init(head: ResponseHead, body: Bytes) {
        self.head = head
        self.body = body
    }
}
