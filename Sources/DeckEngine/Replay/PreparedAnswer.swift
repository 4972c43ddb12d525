import CassetteKit
import HTTPCore

/// A recorded answer made ready for one kind of client, kept for the next request like it.
final class PreparedAnswer: Sendable {
    /// The answer; where `wire` holds the body too, without it.
    private let bare: Answer
    /// Head and body as they go to a client of HTTP/1.1 whose connection is kept; nil where something depends on the
    /// client: interim heads, another framing than by length, references to the upstream's own address.
    let wire: Bytes?
    /// The authorities of the absolute URLs in it.
    let authorities: [Authority: Int]

    /// Where the body begins in `wire`.
    private let bodyStart: Int

    /// The answer with its body.
    var answer: Answer {
        guard let wire else { return bare }
        var answer = bare
        answer.body = Bytes(wire[bodyStart...])
        return answer
    }

    var status: Int { bare.head.status }

    /// Octets that it holds.
    var size: Int { bare.body.count + (wire?.count ?? 0) }

    init(_ answer: Answer, codecs: ContentCodecs) {
        let coding = answer.head.fields.text("Content-Encoding")
        authorities = ExternalHosts.found(
            in: answer.head.fields, body: coding.map { codecs.decode($0, answer.body) } ?? answer.body)
        guard case .length(let length) = answer.framing, length == answer.body.count, answer.informational.isEmpty,
            answer.trailers.isEmpty, answer.head.status >= 200, answer.head.status != 204, answer.head.status != 304,
            !Self.clientFields.contains(where: { answer.head.fields.contains($0) })
        else {
            wire = nil
            bare = answer
            bodyStart = 0
            return
        }
        var head = answer.head
        head.fields.set("Content-Length", String(length))
        let octets = Serializer.responseHead(head)
        wire = octets + answer.body
        bodyStart = octets.count
        var bare = answer
        bare.body = []
        self.bare = bare
    }

    /// Fields whose value may be rewritten for the client, or that belong to its connection.
    private static let clientFields: [StaticString] = [
        "Location", "Content-Location", "Link", "Set-Cookie", "Connection",
    ]
}

extension Interaction {
    /// More octets than this are made ready off the loop.
    private static let lightest = 16 << 10

    /// Whether the answer is made ready without reading a file or working through much.
    var isLight: Bool {
        guard let body = response?.body else { return true }
        guard body.coding == nil else { return false }
        switch body.content {
        case .file: return false
        case .text(let octets), .base64(let octets): return octets.count <= Self.lightest
        case .json(let value, _): return value.size(upTo: Self.lightest) <= Self.lightest
        }
    }
}

extension JSONValue {
    /// About how many octets the value is written with; the count ends beyond the limit.
    fileprivate func size(upTo limit: Int) -> Int {
        switch self {
        case .null, .bool: return 5
        case .number(let spelling): return spelling.utf8.count
        case .string(let string): return string.raw.utf8.count + 2
        case .array(let elements):
            var size = 2
            for element in elements where size <= limit { size += element.size(upTo: limit - size) + 2 }
            return size
        case .object(let members):
            var size = 2
            for member in members where size <= limit {
                size += member.key.raw.utf8.count + 6 + member.value.size(upTo: limit - size)
            }
            return size
        }
    }
}
