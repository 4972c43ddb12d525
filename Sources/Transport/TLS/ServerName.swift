package import HTTPCore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Whom a certificate is for: a host's name, or its address.
package enum ServerName: Sendable, Hashable {
    /// In lower case.
    case name(String)
    /// Four octets, or sixteen.
    case address(Bytes)

    /// The host of a URL or a CONNECT, where a certificate can name it; an IPv6 address may stand in brackets.
    package init?(host: String) {
        if let address = Self.address(host) {
            self = .address(address)
            return
        }
        // RFC 6066 §3: a name goes without the dot at its end; RFC 5280 §4.2.1.6: in ASCII.
        let name = host.lowercased().hasSuffix(".") ? host.lowercased().dropLast() : host.lowercased()[...]
        guard !name.isEmpty, name.utf8.count <= 253, name.utf8.allSatisfy(Self.isNameOctet) else { return nil }
        self = .name(String(name))
    }

    /// As it stands in a URL.
    package var text: String {
        switch self {
        case .name(let name): name
        case .address(let octets) where octets.count == 4: octets.map(String.init).joined(separator: ".")
        case .address(let octets): "[\(Self.text(octets))]"
        }
    }

    private static func isNameOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._".utf8.contains(octet)
        }
    }

    private static func address(_ host: String) -> Bytes? {
        var four = in_addr()
        if inet_pton(AF_INET, host, &four) == 1 { return withUnsafeBytes(of: &four) { Bytes($0) } }
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        var six = in6_addr()
        if inet_pton(AF_INET6, bare, &six) == 1 { return withUnsafeBytes(of: &six) { Bytes($0) } }
        return nil
    }

    private static func text(_ octets: Bytes) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            let isRead = octets.withUnsafeBytes {
                inet_ntop(AF_INET6, $0.baseAddress, text.baseAddress, socklen_t(text.count)) != nil
            }
            return isRead ? text.baseAddress.map { String(cString: $0) } ?? "" : ""
        }
    }
}
