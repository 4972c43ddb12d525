import CassetteKit
import HTTPCore

/// How addresses in the body of an answer are rewritten, by what its head says.
enum RewrittenBody: Sendable, Equatable {
    /// Not at all: it is no text, a part of one, or there is none.
    case untouched
    /// As it passes.
    case streamed
    /// Read whole, up to so many octets, and undecoded if it turns out to be larger.
    case collected(limit: Int, coding: String?)

    /// A plain body up to this length is read whole, so that it keeps its Content-Length.
    static let shortest = 65_536
    /// A coded body up to this length is read whole and decoded.
    static let largestCoded = 1 << 20

    init(_ head: ResponseHead, _ framing: BodyFraming) {
        let type = head.fields.first("Content-Type").flatMap { MediaType.parse($0) }
        guard let type, type.isJSON || type.isText || type.isXML, head.status != 206, framing != .none else {
            self = .untouched
            return
        }
        let coding = head.fields.text("Content-Encoding")
        if let coding, coding.lowercased() != "identity" {
            // Whoever streams events waits for each of them.
            let isStream = type.type == "text" && type.subtype == "event-stream"
            self = isStream ? .untouched : .collected(limit: Self.largestCoded, coding: coding)
        } else if case .length(let length) = framing, length <= Self.shortest {
            self = .collected(limit: Self.shortest, coding: nil)
        } else {
            self = .streamed
        }
    }
}

extension Fields {
    /// Takes away what says something of the octets of a body that is another one now (RFC 9110 §8.4, RFC 9530).
    mutating func forgetBody() {
        remove("Content-Encoding")
        remove("Content-MD5")
        remove("Content-Digest")
        remove("Repr-Digest")
        remove("Digest")
    }
}

extension Rewriting {
    /// A whole body with every address of an upstream turned into the deck's; nil where there is none, or where its coding can't
    /// be undone.
    func body(_ octets: Bytes, coding: String?, codecs: ContentCodecs) -> Bytes? {
        guard let coding, coding.lowercased() != "identity" else { return body(octets) }
        return codecs.decode(coding, octets).flatMap { body($0) }
    }
}
