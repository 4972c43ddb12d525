package import HTTPCore
package import Transport

/// What goes upstream for a client's request: the same target and fields, without what belongs to the connection.
package enum UpstreamRequests {
    /// - Parameters:
    ///   - body: the request's body if it was read before; nil passes it on as it comes.
    ///   - preserveHost: keeps the client's Host field; else the upstream sees its own authority.
    package static func make(
        _ head: RequestHead, at address: Address, framing: BodyFraming, preserveHost: Bool
    ) -> UpstreamRequest {
        var fields = removeHopByHop(head.fields, keepTE: true)
        fields.remove("Expect")
        fields.remove("Tapedeck-Session")
        if !preserveHost || address.isForward {
            fields.remove("Host")
            var withHost = Fields()
            withHost.append("Host", address.authority.text)
            for i in 0..<fields.count { withHost.append(name: fields.name(at: i), value: fields.value(at: i)) }
            fields = withHost
        }
        return UpstreamRequest(
            scheme: address.scheme, authority: address.authority, method: head.method, target: address.target,
            fields: fields, body: framing)
    }
}
