import COpenSSL
import HTTPCore

/// What a client says at the beginning of a handshake, as far as a server's choice depends on it.
package struct ClientHello: Sendable, Equatable {
    /// The host that it wants (RFC 6066 §3), where it says so in a form that a certificate can name.
    package var serverName: ServerName?
    /// The protocols that it offers to speak (RFC 7301), in its order; empty where it says nothing.
    package var protocols: [String] = []

    /// Whether an answer in HTTP/1.1 is one that it understands.
    package var takesHTTP1: Bool { protocols.isEmpty || protocols.contains("http/1.1") }

    package init(serverName: ServerName? = nil, protocols: [String] = []) {
        self.serverName = serverName
        self.protocols = protocols
    }

    /// Reads the hello at hand; called within OpenSSL's callback for it alone.
    init(_ ssl: OpaquePointer) {
        // Both are numbers of IANA's registry of TLS extensions.
        serverName = Self.part(ssl, 0).flatMap { Self.serverName(in: $0) }
        protocols = Self.part(ssl, 16).map { Self.protocols(in: $0) } ?? []
    }

    private static func part(_ ssl: OpaquePointer, _ kind: UInt32) -> Bytes? {
        var octets: UnsafePointer<UInt8>?
        var count = 0
        guard SSL_client_hello_get0_ext(ssl, kind, &octets, &count) == 1 else { return nil }
        return Bytes(UnsafeBufferPointer(start: octets, count: count))
    }

    /// The name in a list of names: two octets of length, then for each its kind, two octets of length, and the name.
    static func serverName(in list: Bytes) -> ServerName? {
        guard list.count > 5, list[2] == 0 else { return nil }
        let count = Int(list[3]) << 8 | Int(list[4])
        guard count > 0, list.count >= 5 + count else { return nil }
        return ServerName(host: String(decoding: list[5..<(5 + count)], as: UTF8.self))
    }

    /// The names in a list of protocols: two octets of length, then for each one octet of length, and the name.
    static func protocols(in list: Bytes) -> [String] {
        var found: [String] = []
        var at = 2
        while at < list.count, list.count - at > Int(list[at]) {
            let end = at + 1 + Int(list[at])
            found.append(String(decoding: list[(at + 1)..<end], as: UTF8.self))
            at = end
        }
        return found
    }
}
