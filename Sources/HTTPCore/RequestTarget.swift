/// The four forms of a request target (RFC 9112 §3.2). Paths and queries are octets as sent: nothing is decoded.
package enum RequestTarget: Sendable, Equatable {
    /// `/path?query`. The path begins with `/`; the query is nil without a `?`, and may be empty.
    case origin(path: Bytes, query: Bytes?)
    /// `scheme://authority/path?query`. The scheme is in lower case; the path is empty where the target has none.
    case absolute(scheme: String, authority: Authority, path: Bytes, query: Bytes?)
    /// `host:port`, for CONNECT alone.
    case authority(Authority)
    /// `*`, for OPTIONS alone.
    case asterisk

    /// Reads a target. Throws 400 where the form does not suit the method, and for user information, a fragment, white
    /// space or a control character. Octets from 0x80 up are kept, and so are malformed escapes: what the client asked
    /// for is the upstream's to judge.
    package static func parse(_ target: Bytes, method: String) throws(ParseError) -> RequestTarget {
        for (index, octet) in target.enumerated() {
            if octet <= Octet.space || octet == Octet.delete {
                throw .malformed("target", "the request target holds white space or a control character", at: index)
            }
            if octet == Octet.hash {
                throw .malformed("fragment", "the request target holds a fragment", at: index)
            }
        }
        if method == "CONNECT" { return try parseAuthorityForm(target) }
        if target == [Octet.asterisk] {
            guard method == "OPTIONS" else {
                throw .malformed("target-form", "the target * is for OPTIONS alone", at: 0)
            }
            return .asterisk
        }
        if target.first == Octet.slash {
            let (path, query) = splitAtQuery(target[...])
            return .origin(path: path, query: query)
        }
        return try parseAbsoluteForm(target)
    }

    private static func parseAuthorityForm(_ target: Bytes) throws(ParseError) -> RequestTarget {
        let authority = try Authority.parse(target)
        guard authority.port != nil else {
            throw .malformed("target-form", "CONNECT needs HOST:PORT for its target", at: target.count)
        }
        return .authority(authority)
    }

    private static func parseAbsoluteForm(_ target: Bytes) throws(ParseError) -> RequestTarget {
        var schemeEnd = 0
        while schemeEnd < target.count, OctetSet.scheme.contains(target[schemeEnd]) { schemeEnd += 1 }
        let separator = [Octet.colon, Octet.slash, Octet.slash]
        guard let first = target.first, first.isLetter, target[schemeEnd...].starts(with: separator) else {
            throw .malformed("target-form", "the request target is neither a path nor a whole address", at: 0)
        }
        let start = schemeEnd + separator.count
        let end = target[start...].firstIndex { $0 == Octet.slash || $0 == Octet.question } ?? target.count
        let authority: Authority
        do throws(ParseError) { authority = try Authority.parse(target[start..<end]) } catch {
            throw error.moved(by: start)
        }
        let (path, query) = splitAtQuery(target[end...])
        let scheme = String(decoding: target[..<schemeEnd].lazy.map(\.lowercased), as: UTF8.self)
        return .absolute(scheme: scheme, authority: authority, path: path, query: query)
    }

    private static func splitAtQuery(_ octets: ArraySlice<UInt8>) -> (path: Bytes, query: Bytes?) {
        guard let mark = octets.firstIndex(of: Octet.question) else { return (Bytes(octets), nil) }
        return (Bytes(octets[..<mark]), Bytes(octets[(mark + 1)...]))
    }
}
