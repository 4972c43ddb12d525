package import HTTPCore

/// A sanitized response at rest.
package struct RecordedResponse: Sendable, Equatable {
    /// How the end of the body was marked on the wire.
    package enum Framing: String, Sendable, CaseIterable {
        /// By Content-Length.
        case length
        case chunked
        /// By the end of the connection.
        case close
        /// There was no body: HEAD, 204, 304.
        case none
    }

    package var status: Int
    package var reason: Bytes
    package var fields: Fields
    package var framing: Framing
    /// nil if the body is empty.
    package var body: RecordedBody?
    package var trailers: Fields
    /// Heads with status 103 and the like, in order.
    package var informational: [RecordedHead]
    /// Keys that this version does not know, kept on rewrite.
    package var unknown: [JSONMember]

    package init(
        status: Int, reason: Bytes, fields: Fields = Fields(), framing: Framing = .length, body: RecordedBody? = nil,
        trailers: Fields = Fields(), informational: [RecordedHead] = [], unknown: [JSONMember] = []
    ) {
        self.status = status
        self.reason = reason
        self.fields = fields
        self.framing = framing
        self.body = body
        self.trailers = trailers
        self.informational = informational
        self.unknown = unknown
    }
}

/// An informational response at rest.
package struct RecordedHead: Sendable, Equatable {
    package var status: Int
    package var reason: Bytes
    package var fields: Fields

    package init(status: Int, reason: Bytes, fields: Fields) {
        self.status = status
        self.reason = reason
        self.fields = fields
    }
}

/// What is stored in place of a response where the upstream gave none.
package struct RecordedError: Sendable, Equatable {
    /// The status that the client gets: 502 or 504.
    package var status: Int
    /// A fixed word for the kind of failure.
    package var label: String
    package var message: String
    /// Keys that this version does not know, kept on rewrite.
    package var unknown: [JSONMember]

    package init(status: Int, label: String, message: String, unknown: [JSONMember] = []) {
        self.status = status
        self.label = label
        self.message = message
        self.unknown = unknown
    }
}
