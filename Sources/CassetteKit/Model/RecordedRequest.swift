package import HTTPCore

/// A sanitized request at rest.
package struct RecordedRequest: Sendable, Equatable {
    package var method: String
    package var scheme: String
    package var authority: Authority
    /// Path and query as sent, or `*`.
    package var target: Bytes
    /// Without Host, whose value is the authority.
    package var fields: Fields
    package var body: RecordedBody?
    package var trailers: Fields
    /// Keys that this version does not know, kept on rewrite.
    package var unknown: [JSONMember]

    package init(
        method: String, scheme: String, authority: Authority, target: Bytes, fields: Fields = Fields(),
        body: RecordedBody? = nil, trailers: Fields = Fields(), unknown: [JSONMember] = []
    ) {
        self.method = method
        self.scheme = scheme
        self.authority = authority
        self.target = target
        self.fields = fields
        self.body = body
        self.trailers = trailers
        self.unknown = unknown
    }

    /// The absolute URL; `*` as target adds nothing to the authority (RFC 9110 §7.1).
    package var url: Bytes {
        let origin = Bytes("\(scheme)://\(authority.text)".utf8)
        return target == [UInt8(ascii: "*")] ? origin : origin + target
    }
}
