import CassetteKit
package import HTTPCore
package import Transport

/// Which session a request asks for, and the request without the marks that say so.
package struct SessionPlace: Sendable {
    /// The session's name; nil where the request names none.
    package var name: String?
    /// The name came as a proxy's user name, which may be meant for somebody else: unless there is such a session, it counts
    /// for none.
    package var isUserName = false
    package var head: RequestHead
    package var target: RequestTarget
    /// What stood before the path: `/_deck/NAME`, or nothing.
    package var prefix: Bytes = []
    /// The upstream is named by the port, not by the path.
    package private(set) var isOnUpstreamPort = false
    /// Why the request can't be served in the tunnel that it came through.
    package var problem: Problem?

    /// Takes the path prefix `/_deck/NAME/`, else the field `Tapedeck-Session`, else the user name in a Basic
    /// Proxy-Authorization (RFC 7617). Inside a tunnel what its CONNECT said holds, unless the request says otherwise.
    ///
    /// - Parameters:
    ///   - tunnel: what the request came through.
    ///   - isOwn: whether an authority is the deck's own address.
    package init(
        _ head: RequestHead, _ target: RequestTarget, in tunnel: Tunnel? = nil, isOwn: (Authority, String) -> Bool
    ) {
        self.head = head
        self.target = target
        if takeMark(in: head.fields) {
            self.head.fields.remove(isUserName ? "Proxy-Authorization" : "Tapedeck-Session")
        } else if let tunnel {
            _ = takeMark(in: tunnel.fields)
        }
        if let tunnel {
            switch tunnel.target(head, target) {
            case .success(let target): self.target = target
            case .failure(let refusal): problem = refusal.problem
            }
        }
        switch self.target {
        case .origin(let path, let query):
            takePrefix(path, query, absolute: nil)
        case .absolute(let scheme, let authority, let path, let query) where isOwn(authority, scheme):
            takePrefix(path, query, absolute: (scheme, authority))
        default: break
        }
    }

    /// The request as one to an upstream with a name, whose own port it came to; a proxy's client asks for whom it names.
    package mutating func lead(to upstream: String, isOwn: (Authority, String) -> Bool) {
        let path: Bytes
        switch target {
        case .origin(let origin, let query): path = origin + (query.map { [UInt8(ascii: "?")] + $0 } ?? [])
        case .absolute(let scheme, let authority, let origin, let query) where isOwn(authority, scheme):
            path = (origin.isEmpty ? [UInt8(ascii: "/")] : origin) + (query.map { [UInt8(ascii: "?")] + $0 } ?? [])
        default: return
        }
        head.target = Bytes("/_up/\(upstream)".utf8) + path
        let mark = head.target.firstIndex(of: UInt8(ascii: "?"))
        target = .origin(
            path: Bytes(head.target[..<(mark ?? head.target.endIndex)]),
            query: mark.map { Bytes(head.target[($0 + 1)...]) })
        isOnUpstreamPort = true
    }

    /// Takes the name that fields give; false where they give none.
    private mutating func takeMark(in fields: Fields) -> Bool {
        if let value = fields.text("Tapedeck-Session"), !value.isEmpty {
            name = value
            return true
        }
        guard let value = fields.first("Proxy-Authorization"), let user = Self.user(in: value) else { return false }
        name = user
        isUserName = true
        return true
    }

    private static let mark = Bytes("/_deck/".utf8)

    private mutating func takePrefix(_ path: Bytes, _ query: Bytes?, absolute: (scheme: String, authority: Authority)?)
    {
        guard path.starts(with: Self.mark) else { return }
        let end = path[Self.mark.count...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
        guard end > Self.mark.count else { return }
        name = String(decoding: path[Self.mark.count..<end], as: UTF8.self)
        isUserName = false
        prefix = Bytes(path[..<end])
        let rest = end == path.endIndex ? [UInt8(ascii: "/")] : Bytes(path[end...])
        if let absolute {
            target = .absolute(scheme: absolute.scheme, authority: absolute.authority, path: rest, query: query)
        } else {
            target = .origin(path: rest, query: query)
        }
        head.target = rest + (query.map { [UInt8(ascii: "?")] + $0 } ?? [])
    }

    /// The user name of Basic credentials; nil for others and for none.
    private static func user(in value: ArraySlice<UInt8>) -> String? {
        let parts = String(decoding: value, as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic",
            let octets = Base64Text.decode(String(parts[1]).filter { $0 != " " })
        else { return nil }
        let user = String(decoding: octets.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        return user.isEmpty ? nil : user
    }

    /// Whether a name can stand in a URL and in a file's name: letters, digits, `-`, `_`, and dots but for the first.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 100 && !name.hasPrefix(".")
            && name.utf8.allSatisfy { octet in
                (octet | 0x20) >= 0x61 && (octet | 0x20) <= 0x7A || octet >= 0x30 && octet <= 0x39
                    || "-._".utf8.contains(octet)
            }
    }
}
