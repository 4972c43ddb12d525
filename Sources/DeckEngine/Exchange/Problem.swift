import CassetteKit
package import HTTPCore
package import Transport

/// An answer of the deck's own about something that went wrong, as `application/problem+json` (RFC 9457).
///
/// Every failure has a side: the client's is 400 and the like, the upstream's is 502 or 504, ours is 500.
package struct Problem: Sendable, Equatable {
    package var status: Int
    /// What kind of failure it is, without variable parts; metrics and filters use it.
    package var label: String
    package var title: String
    /// What happened to this request and what to do next; sanitized.
    package var detail: String

    /// The title of misses.
    static let missTitle = MissReport.title

    package init(status: Int, label: String, title: String? = nil, detail: String) {
        self.status = status
        self.label = label
        self.title = title ?? reasonPhrase(status)
        self.detail = detail
    }

    /// The upstream could not be reached, or did not answer as HTTP demands.
    package init(_ error: UpstreamError) {
        self.init(status: error.status, label: error.label, detail: error.message)
    }

    /// A request whose body can't be read; nil where there is nobody to tell.
    package init?(_ error: ConnectionError) {
        switch error {
        case .cancelled: return nil
        case .clientLeft:
            // One that has only closed its sending side still reads.
            self.init(status: 400, label: "body-cut", detail: "The connection ended before the request's body did.")
        case .timedOut: self.init(status: 408, label: "request-timeout", detail: "The request's body stopped coming.")
        case .malformed(let error): self.init(status: error.status, label: error.label, detail: error.message)
        case .tooLarge(let limit):
            self.init(
                status: 413, label: "body-too-large",
                detail:
                    "The request's body is larger than \(limit) octets, which is the most that is read for matching.")
        }
    }

    /// The document's octets.
    package var body: Bytes {
        let text = { (s: String) in JSONValue.string(JSONString(s)) }
        return JSONText.write(
            .object([
                JSONMember("title", text(title)), JSONMember("status", .number(String(status))),
                JSONMember("label", text(label)), JSONMember("detail", text(detail)),
            ]), layout: JSONLayout(.indent2, lf: true))
    }

    /// The answer's head; `Tapedeck-Error` tells it from an answer of the upstream.
    package var head: ResponseHead {
        var fields = Fields()
        fields.append("Content-Type", "application/problem+json")
        fields.append("Cache-Control", "no-store")
        fields.append("Tapedeck-Error", label)
        return ResponseHead(version: .http11, status: status, reason: Bytes(reasonPhrase(status).utf8), fields: fields)
    }
}
