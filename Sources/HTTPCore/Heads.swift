/// The versions that are spoken here; any other is answered 505.
package enum HTTPVersion: Sendable, Hashable {
    case http10
    case http11

    /// As it stands in a start line.
    package var text: StaticString {
        switch self {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        }
    }

    /// Reads `HTTP/1.0` or `HTTP/1.1`. Another version in right form is 505, anything else 400.
    static func parse(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) throws(ParseError) -> HTTPVersion {
        let prefix: StaticString = "HTTP/"
        let found = UnsafeBufferPointer(rebasing: octets[range])
        let isVersion =
            found.count == 8 && prefix.withUTF8Buffer { found.starts(with: $0) } && found[5].isDigit
            && found[6] == Octet.dot && found[7].isDigit
        guard isVersion else {
            throw .malformed("version", "the start line has no HTTP version where one belongs", at: range.lowerBound)
        }
        switch (found[5], found[7]) {
        case (UInt8(ascii: "1"), UInt8(ascii: "1")): return .http11
        case (UInt8(ascii: "1"), UInt8(ascii: "0")): return .http10
        default:
            throw ParseError(
                status: 505, label: "version-not-supported", message: "only HTTP/1.0 and HTTP/1.1 are spoken here",
                offset: range.lowerBound)
        }
    }
}

/// A request line and its fields (RFC 9112 §3).
package struct RequestHead: Sendable, Equatable {
    /// A token, case-sensitive, as sent.
    package var method: String
    /// The request target, octet for octet.
    package var target: Bytes
    package var version: HTTPVersion
    package var fields: Fields

    package init(method: String, target: Bytes, version: HTTPVersion = .http11, fields: Fields = Fields()) {
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
    }
}

/// A status line and its fields (RFC 9112 §4).
package struct ResponseHead: Sendable, Equatable {
    package var version: HTTPVersion
    /// 100 to 999.
    package var status: Int
    /// The reason phrase, octet for octet; may be empty.
    package var reason: Bytes
    package var fields: Fields

    package init(version: HTTPVersion = .http11, status: Int, reason: Bytes, fields: Fields = Fields()) {
        self.version = version
        self.status = status
        self.reason = reason
        self.fields = fields
    }

    /// A head with the registered reason phrase of its status.
    package init(status: Int, fields: Fields = Fields()) {
        self.init(status: status, reason: Bytes(reasonPhrase(status).utf8), fields: fields)
    }
}
