/// How the end of a body is found (RFC 9112 §6).
package enum BodyFraming: Sendable, Equatable {
    /// There is no body.
    case none
    /// As many octets as Content-Length says.
    case length(Int)
    /// Transfer-Encoding: chunked.
    case chunked
    /// The body ends with the connection; responses only.
    case untilClose
}

/// Finds the framing of a request's body (RFC 9112 §6.3). Any doubt is 400, since a server behind might read it
/// otherwise: Transfer-Encoding beside Content-Length or in HTTP/1.0, codings that do not end in one `chunked`, a
/// length that is not digits alone, and more than one length even if they are equal. A coding before `chunked` is
/// 501.
package func requestFraming(_ head: RequestHead) throws(ParseError) -> BodyFraming {
    let codingIndex = head.fields.firstIndex(of: "Transfer-Encoding")
    let lengthIndex = head.fields.firstIndex(of: "Content-Length")
    if codingIndex == nil, lengthIndex == nil { return .none }
    let framing: BodyFraming
    if codingIndex != nil {
        guard lengthIndex == nil else { throw .twoFramings }
        guard head.version == .http11 else { throw .codingInOldVersion }
        try checkChunkedAlone(head.fields)
        framing = .chunked
    } else {
        framing = .length(try contentLength(head.fields, foldsEqual: false))
    }
    if head.method == "CONNECT" {
        // A CONNECT request has no content (RFC 9110 §9.3.6): what follows belongs to the tunnel.
        guard framing == .length(0) else {
            throw .malformed("connect-body", "a CONNECT request can't have a body", at: 0)
        }
        return .none
    }
    return framing
}

/// Finds the framing of a response's body (RFC 9112 §6.3). No body to HEAD, with 1xx, 204 and 304, and with 2xx to
/// CONNECT. Throws 502 for two framings at once, Transfer-Encoding in HTTP/1.0 or other than one `chunked`, and
/// lengths that are not numbers or differ; equal ones are folded (RFC 9110 §8.6).
package func responseFraming(_ head: ResponseHead, requestMethod: String) throws(ParseError) -> BodyFraming {
    let isBodiless = head.status < 200 || head.status == 204 || head.status == 304
    let opensTunnel = requestMethod == "CONNECT" && (200..<300).contains(head.status)
    if requestMethod == "HEAD" || isBodiless || opensTunnel { return .none }
    do throws(ParseError) {
        let hasLength = head.fields.contains("Content-Length")
        guard head.fields.contains("Transfer-Encoding") else {
            return hasLength ? .length(try contentLength(head.fields, foldsEqual: true)) : .untilClose
        }
        guard !hasLength else { throw ParseError.twoFramings }
        guard head.version == .http11 else { throw ParseError.codingInOldVersion }
        try checkChunkedAlone(head.fields)
        return .chunked
    } catch {
        throw error.fromUpstream
    }
}

/// Checks that all Transfer-Encoding lines together say `chunked`, once and nothing else.
private func checkChunkedAlone(_ fields: Fields) throws(ParseError) {
    var codings: [Bytes] = []
    for value in fields.all("Transfer-Encoding") {
        value.withUnsafeBufferPointer { octets in
            forEachListMember(octets, 0..<octets.count) { codings.append(octets[$0].map(\.lowercased)) }
        }
    }
    let chunked = Bytes("chunked".utf8)
    guard !codings.contains([]), codings.last == chunked, !codings.dropLast().contains(chunked) else {
        throw .malformed("transfer-encoding", "Transfer-Encoding does not end in one chunked", at: 0)
    }
    guard codings.count == 1 else {
        throw ParseError(
            status: 501, label: "transfer-coding", message: "a transfer coding other than chunked is not spoken here",
            offset: 0)
    }
}

/// Reads the one length that all Content-Length lines and list members give.
private func contentLength(_ fields: Fields, foldsEqual: Bool) throws(ParseError) -> Int {
    var lengths: [Int?] = []
    for value in fields.all("Content-Length") {
        value.withUnsafeBufferPointer { octets in
            forEachListMember(octets, 0..<octets.count) {
                lengths.append(decimal(UnsafeBufferPointer(rebasing: octets[$0])))
            }
        }
    }
    guard let first = lengths.first, let length = first else {
        throw .malformed("content-length", "Content-Length is not a number that can be counted to", at: 0)
    }
    guard lengths.allSatisfy({ $0 == length }) else {
        throw .malformed("content-lengths", "the request or response gives lengths that differ", at: 0)
    }
    guard foldsEqual || lengths.count == 1 else {
        throw .malformed("content-lengths", "Content-Length is given more than once", at: 0)
    }
    return length
}

/// The value of one or more decimal digits and nothing else, or nil; nil above `Int.max`.
private func decimal(_ octets: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !octets.isEmpty else { return nil }
    var value = 0
    for octet in octets {
        guard octet.isDigit else { return nil }
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(Int(octet - 0x30))
        guard !overflow, !carry else { return nil }
        value = sum
    }
    return value
}

extension ParseError {
    fileprivate static var twoFramings: ParseError {
        .malformed("two-framings", "both Transfer-Encoding and Content-Length are given", at: 0)
    }

    fileprivate static var codingInOldVersion: ParseError {
        .malformed("transfer-encoding-1.0", "Transfer-Encoding stands in an HTTP/1.0 message", at: 0)
    }
}
