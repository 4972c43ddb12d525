/// A host and, where given, a port (RFC 3986 §3.2, RFC 9110 §7.2).
package struct Authority: Sendable, Hashable {
    /// Lower case; an IPv6 address stands in brackets. Never empty.
    package var host: String
    /// 1 to 65535, or nil where none was given.
    package var port: Int?

    package init(host: String, port: Int? = nil) {
        self.host = host
        self.port = port
    }

    /// `host` or `host:port`.
    package var text: String {
        guard let port else { return host }
        return "\(host):\(port)"
    }

    /// The port, or the scheme's own: 443 for `https` and `wss`, else 80.
    package func port(defaultFor scheme: String) -> Int {
        port ?? (scheme == "https" || scheme == "wss" ? 443 : 80)
    }

    /// Reads `host`, `host:port` or `[address]:port`. Throws 400.
    ///
    /// Stricter than RFC 3986: user information, escapes and sub-delimiters are refused in a host. None of them names a
    /// host that can be reached, and each lets two readers see two hosts.
    package static func parse(_ bytes: some Collection<UInt8>) throws(ParseError) -> Authority {
        let octets = Bytes(bytes)
        return try octets.withUnsafeBufferPointer { (pointer) throws(ParseError) -> Authority in
            let parts = try split(pointer)
            let host = String(decoding: pointer[..<parts.hostEnd].lazy.map(\.lowercased), as: UTF8.self)
            return Authority(host: host, port: parts.port)
        }
    }

    /// Checks an authority and gives where its host ends, and its port.
    static func split(_ octets: UnsafeBufferPointer<UInt8>) throws(ParseError) -> (hostEnd: Int, port: Int?) {
        let hostEnd = octets.first == Octet.openBracket ? try addressEnd(octets) : try nameEnd(octets)
        guard hostEnd > 0 else {
            throw .malformed("empty-host", "the authority has no host", at: 0)
        }
        guard hostEnd < octets.count else { return (hostEnd, nil) }
        guard octets[hostEnd] == Octet.colon else {
            throw .malformed("host", "the host holds an octet that no host name has", at: hostEnd)
        }
        var port = 0
        for index in (hostEnd + 1)..<octets.count {
            guard octets[index].isDigit else {
                throw .malformed("port", "the port is not a number", at: index)
            }
            port = port * 10 + Int(octets[index] - 0x30)
            guard port <= 65_535 else {
                throw .malformed("port", "the port is above 65535", at: index)
            }
        }
        // A colon without digits means the scheme's own port (RFC 3986 §6.2.3).
        if octets.count == hostEnd + 1 { return (hostEnd, nil) }
        guard port > 0 else {
            throw .malformed("port", "the port is zero", at: hostEnd + 1)
        }
        return (hostEnd, port)
    }

    private static func nameEnd(_ octets: UnsafeBufferPointer<UInt8>) throws(ParseError) -> Int {
        var end = 0
        while end < octets.count, OctetSet.unreserved.contains(octets[end]) { end += 1 }
        if end < octets.count, octets[end] != Octet.colon, octets.contains(Octet.at) {
            throw .malformed("userinfo", "the authority holds user information", at: 0)
        }
        if end < octets.count, octets[end] == Octet.colon, octets[end...].contains(Octet.at) {
            throw .malformed("userinfo", "the authority holds user information", at: 0)
        }
        return end
    }

    private static func addressEnd(_ octets: UnsafeBufferPointer<UInt8>) throws(ParseError) -> Int {
        guard let close = octets.firstIndex(of: Octet.closeBracket),
            isIPv6(UnsafeBufferPointer(rebasing: octets[1..<close]))
        else {
            throw .malformed("ipv6", "the address in brackets is not an IPv6 address", at: 0)
        }
        return close + 1
    }
}
