import CassetteKit
import HTTPCore

/// A recorded answer made ready for one kind of client, kept for the next request like it.
final class PreparedAnswer: Sendable {
    let answer: Answer
    /// Head and body as they go to a client of HTTP/1.1 whose connection is kept; nil where something depends on the
    /// client: interim heads, another framing than by length, references to the upstream's own address.
    let wire: Bytes?
    /// The authorities of the absolute URLs in it.
    let authorities: [Authority: Int]

    init(_ answer: Answer, codecs: ContentCodecs) {
        self.answer = answer
        let coding = answer.head.fields.text("Content-Encoding")
        authorities = ExternalHosts.found(
            in: answer.head.fields, body: coding.map { codecs.decode($0, answer.body) } ?? answer.body)
        guard case .length(let length) = answer.framing, length == answer.body.count, answer.informational.isEmpty,
            answer.trailers.isEmpty, answer.head.status >= 200, answer.head.status != 204, answer.head.status != 304,
            !Self.clientFields.contains(where: { answer.head.fields.contains($0) })
        else {
            wire = nil
            return
        }
        var head = answer.head
        head.fields.set("Content-Length", String(length))
        wire = Serializer.responseHead(head) + answer.body
    }

    /// Fields whose value may be rewritten for the client, or that belong to its connection.
    private static let clientFields: [StaticString] = [
        "Location", "Content-Location", "Link", "Set-Cookie", "Connection",
    ]
}
