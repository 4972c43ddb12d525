package import HTTPCore

/// A request as it was on the wire; may hold secrets, lives in memory only.
package struct RawRequest: Sendable {
    package var method: String
    /// `http` or `https`.
    package var scheme: String
    package var authority: Authority
    /// Path and query as sent, or `*`.
    package var target: Bytes
    /// Without Host.
    package var fields: Fields
    /// After removal of the transfer coding, before that of content codings; nil if the request had none.
    package var body: Bytes?
    package var trailers: Fields

    package init(
        method: String, scheme: String, authority: Authority, target: Bytes, fields: Fields = Fields(),
        body: Bytes? = nil, trailers: Fields = Fields()
    ) {
        self.method = method
        self.scheme = scheme
        self.authority = authority
        self.target = target
        self.fields = fields
        self.body = body
        self.trailers = trailers
    }
}

/// A response as it was on the wire; may hold secrets, lives in memory only.
package struct RawResponse: Sendable {
    package var status: Int
    package var reason: Bytes
    package var fields: Fields
    package var framing: BodyFraming
    /// After removal of the transfer coding, before that of content codings.
    package var body: Bytes
    package var trailers: Fields
    /// Heads with status 103 and the like, in order.
    package var informational: [ResponseHead]
    package var timings: Timings

    package init(
        status: Int, reason: Bytes, fields: Fields, framing: BodyFraming, body: Bytes, trailers: Fields = Fields(),
        informational: [ResponseHead] = [], timings: Timings = Timings()
    ) {
        self.status = status
        self.reason = reason
        self.fields = fields
        self.framing = framing
        self.body = body
        self.trailers = trailers
        self.informational = informational
        self.timings = timings
    }
}

/// When the parts of a response came.
package struct Timings: Sendable, Equatable {
    /// A piece of the body.
    package struct Piece: Sendable, Equatable {
        /// Microseconds after the head.
        package var offset: Int
        /// Octets as they came, before content decoding.
        package var size: Int

        package init(offset: Int, size: Int) {
            self.offset = offset
            self.size = size
        }
    }

    /// Microseconds from the end of the request to the first octet of the response.
    package var firstByte: Int
    package var pieces: [Piece]

    package init(firstByte: Int = 0, pieces: [Piece] = []) {
        self.firstByte = firstByte
        self.pieces = pieces
    }
}
