import HTTPCore

/// An answer that the server gives by itself: problem+json (RFC 9457), after which the connection closes.
struct Rejection {
    var status: Int
    /// One fixed word for metrics and filters.
    var label: String
    var detail: String

    init(status: Int, label: String, detail: String) {
        self.status = status
        self.label = label
        self.detail = detail
    }

    init(_ error: ParseError) {
        self.init(status: error.status, label: error.label, detail: error.message)
    }

    static let headTimeout = Rejection(
        status: 408, label: "head-timeout", detail: "the request's head did not come whole in time")
    static let tooManyConnections = Rejection(
        status: 503, label: "too-many-connections",
        detail: "this program serves as many connections as it may; close idle ones or try again")
    static let noAnswer = Rejection(status: 500, label: "no-answer", detail: "the request was given no answer")

    var body: Bytes {
        let members = [
            ("title", Self.quoted(reasonPhrase(status))), ("status", String(status)), ("label", Self.quoted(label)),
            ("detail", Self.quoted(detail)),
        ]
        return Bytes("{\(members.map { "\"\($0)\": \($1)" }.joined(separator: ", "))}\n".utf8)
    }

    var head: ResponseHead {
        ResponseHead(
            version: .http11, status: status, reason: Bytes(reasonPhrase(status).utf8),
            fields: Fields([
                ("Content-Type", "application/problem+json"), ("Content-Length", String(body.count)),
                ("Cache-Control", "no-store"), ("Connection", "close"),
            ]))
    }

    /// The whole answer as sent.
    var octets: Bytes { Serializer.responseHead(head) + body }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
