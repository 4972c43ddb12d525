import HTTPCore

/// How an answer's head and body go out: what framing, what becomes of the connection. Pure.
struct AnswerPlan: Equatable {
    /// How the body's octets are sent.
    enum Body: Equatable {
        /// Not at all: a HEAD request, or a status without content (RFC 9110 §6.4.1).
        case dropped
        /// As they are, so many more.
        case length(left: Int)
        case chunked
        case untilClose
    }

    /// With its framing and connection fields.
    var head: ResponseHead
    var body: Body
    /// Whether the connection ends after it.
    var closes: Bool

    init(_ head: ResponseHead, _ framing: BodyFraming, method: String, version: HTTPVersion, closes: Bool) {
        self.head = head
        self.closes = closes || head.fields.hasToken("Connection", "close")
        body = .dropped
        let status = head.status
        if status == 204 || status < 200 {
            // RFC 9110 §8.6, RFC 9112 §6.1: neither field goes with these.
            self.head.fields.remove("Content-Length")
            self.head.fields.remove("Transfer-Encoding")
        } else if method == "HEAD" || status == 304 {
            describe(framing, version, isHead: method == "HEAD")
        } else {
            frame(framing, version)
        }
        if self.closes {
            self.head.fields.set("Connection", "close")
        } else if version == .http10 {
            self.head.fields.set("Connection", "keep-alive")
        }
    }

    /// The fields of an answer whose body is not sent say what a GET would get, as far as the answer's maker knows.
    private mutating func describe(_ framing: BodyFraming, _ version: HTTPVersion, isHead: Bool) {
        if version == .http10 { head.fields.remove("Transfer-Encoding") }
        guard isHead else { return }
        switch framing {
        case .length(let count) where !head.fields.contains("Content-Length"):
            head.fields.append("Content-Length", String(count))
        case .chunked where version == .http11 && !head.fields.contains("Transfer-Encoding"):
            head.fields.remove("Content-Length")
            head.fields.append("Transfer-Encoding", "chunked")
        default: break
        }
    }

    private mutating func frame(_ framing: BodyFraming, _ version: HTTPVersion) {
        switch framing {
        case .none: frame(length: 0)
        case .length(let count): frame(length: count)
        case .chunked where version == .http11:
            head.fields.remove("Content-Length")
            if !head.fields.hasToken("Transfer-Encoding", "chunked") {
                head.fields.append("Transfer-Encoding", "chunked")
            }
            body = .chunked
        case .chunked, .untilClose:
            // RFC 9112 §6.1: no transfer coding to an HTTP/1.0 client.
            head.fields.remove("Content-Length")
            head.fields.remove("Transfer-Encoding")
            body = .untilClose
            closes = true
        }
    }

    private mutating func frame(length: Int) {
        head.fields.remove("Transfer-Encoding")
        let text = String(length)
        if head.fields.text("Content-Length") != text { head.fields.set("Content-Length", text) }
        body = .length(left: length)
    }
}
