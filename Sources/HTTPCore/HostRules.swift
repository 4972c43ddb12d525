/// Checks the Host field of a request (RFC 9112 §3.2): exactly one in HTTP/1.1, at most one in HTTP/1.0, and a valid
/// one. The authority of an absolute target wins over Host (§3.2.2), so the two may differ; an empty Host serves no
/// form, because an `http` address without a host is invalid (RFC 9110 §4.2.1). Throws 400.
package func validateHost(_ head: RequestHead, target: RequestTarget) throws(ParseError) {
    guard let index = head.fields.firstIndex(of: "Host") else {
        guard head.version == .http10 else {
            throw .malformed("no-host", "an HTTP/1.1 request needs a Host field", at: 0)
        }
        return
    }
    guard head.fields.firstIndex(of: "Host", from: index + 1) == nil else {
        throw .malformed("two-hosts", "the request has more than one Host field", at: 0)
    }
    do throws(ParseError) {
        try head.fields.value(at: index).withUnsafeBufferPointer { (octets) throws(ParseError) in
            _ = try Authority.split(octets)
        }
    } catch {
        throw .malformed("invalid-host", "the Host field is invalid: \(error.message)", at: 0)
    }
}
