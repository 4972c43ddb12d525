package import HTTPCore

/// A request's place upstream: whom it is for and what it asks there.
package struct Address: Sendable, Equatable {
    /// `http` or `https`.
    package var scheme: String
    package var authority: Authority
    /// Path and query as sent, or `*`.
    package var target: Bytes
    /// The client named the host itself (forward proxy).
    package var isForward: Bool
    /// What stood before the path in the client's request: `/_deck/NAME` for its session, `/_up/NAME` for its upstream.
    package var prefix: Bytes = []

    /// The path's octets.
    package var path: ArraySlice<UInt8> { target[..<(target.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)] }

    /// The query's octets without the question mark; nil where there is none.
    package var query: ArraySlice<UInt8>? {
        target.firstIndex(of: UInt8(ascii: "?")).map { target[(target.index(after: $0))...] }
    }
}

/// Where a request belongs, decided from its target and its Host field alone (RFC 9112 §3.2).
package enum Destination: Sendable, Equatable {
    /// A server that is recorded, replayed or passed through.
    case upstream(Address)
    /// The deck's own control API, asked for through the proxy.
    case control(Bytes)
    /// CONNECT.
    case tunnel(Authority)
    /// It can't be served; the answer says why.
    case refused(Problem)
}

/// The rules of where requests go: one listener serves reverse, forward and CONNECT clients.
package struct Addressing: Sendable {
    /// Scheme and authority that origin-form requests belong to; nil if none is known.
    package var home: (scheme: String, authority: Authority)?
    /// Upstreams by name, for requests to `/_up/NAME/…`.
    var named: [String: UpstreamOrigin] = [:]
    /// The port that the request's client connects to: the deck's, or its session's own.
    package var ownPort: Int
    /// The deck's port; nil where that is `ownPort`.
    var deckPort: Int?
    /// Ports of upstreams that have their own.
    var upstreamPorts: Set<Int> = []
    /// Port of the control listener; nil if it is off.
    package var controlPort: Int?
    /// Says what to type when an origin-form request has no upstream.
    package var adviceWithoutHome: String
    /// Modes that connect refuse requests that would come back to the deck.
    package var connects: Bool

    package func destination(of head: RequestHead, _ target: RequestTarget) -> Destination {
        switch target {
        case .authority(let authority):
            return .tunnel(authority)
        case .asterisk:
            return atHome(Bytes("*".utf8), head)
        case .origin:
            return atHome(head.target, head)
        case .absolute(let scheme, let authority, let path, let query):
            var origin = path.isEmpty ? Bytes((head.method == "OPTIONS" && query == nil ? "*" : "/").utf8) : path
            if let query { origin += [UInt8(ascii: "?")] + query }
            guard scheme == "http" || scheme == "https" else {
                return .refused(
                    Problem(
                        status: 400, label: "scheme",
                        detail: "\(scheme):// is not spoken here: ask for an http:// or https:// URL."))
            }
            if Self.isThisMachine(authority) {
                let port = authority.port(defaultFor: scheme)
                if scheme == "https", port == ownPort, connects { return .refused(Self.loop(authority)) }
                if scheme == "https", port == controlPort { return .refused(.controlIsPlain) }
                if isOwn(authority, scheme: scheme) { return atHome(origin, head) }
                if port == controlPort { return .control(origin) }
            }
            return .upstream(Address(scheme: scheme, authority: authority, target: origin, isForward: true))
        }
    }

    /// The port that all sessions share.
    var sharedPort: Int { deckPort ?? ownPort }

    /// Whether an authority is the deck's own address.
    func isOwn(_ authority: Authority, scheme: String) -> Bool { scheme == "http" && isOwn(authority) }

    /// Whether an authority is one of the deck's two addresses.
    func isDeck(_ authority: Authority) -> Bool {
        guard Self.isThisMachine(authority), let port = authority.port else { return false }
        return port == ownPort || port == controlPort
    }

    private static let mark = Bytes("/_up/".utf8)

    /// A request to a named upstream, `/_up/NAME/…`.
    private func atNamed(_ target: Bytes) -> Destination {
        let rest = target[Self.mark.count...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        let name = String(decoding: rest[..<end], as: UTF8.self)
        guard let origin = named[name] else {
            let known = named.keys.sorted().joined(separator: ", ")
            return .refused(
                Problem(
                    status: 404, label: "unknown-upstream",
                    detail: known.isEmpty
                        ? "This deck has no upstreams with names: give --upstream NAME=URL."
                        : "There is no upstream of this name; there are: \(known)."))
        }
        let isSlash = end < rest.endIndex && rest[end] == UInt8(ascii: "/")
        return .upstream(
            Address(
                scheme: origin.scheme, authority: origin.authority,
                target: isSlash ? Bytes(rest[end...]) : [UInt8(ascii: "/")] + rest[end...], isForward: false,
                prefix: Bytes(target[..<end])))
    }

    private func atHome(_ target: Bytes, _ head: RequestHead) -> Destination {
        if target.starts(with: Self.mark), target.count > Self.mark.count { return atNamed(target) }
        guard let home else {
            // Nothing is connected to in replay, so routes may answer whatever host the client names.
            if !connects, let host = head.fields.first("Host"), let authority = try? Authority.parse(host) {
                let named = isOwn(authority) ? Self.deckItself : authority
                return .upstream(Address(scheme: "http", authority: named, target: target, isForward: false))
            }
            return .refused(
                Problem(
                    status: 421, label: "no-upstream", detail: "This request names no host. " + adviceWithoutHome))
        }
        if connects, home.scheme == "http", isOwn(home.authority) {
            return .refused(Self.loop(home.authority))
        }
        return .upstream(Address(scheme: home.scheme, authority: home.authority, target: target, isForward: false))
    }

    /// Whether a name and port are the deck's own.
    private func isOwn(_ authority: Authority) -> Bool {
        let port = authority.port(defaultFor: "http")
        return Self.isThisMachine(authority) && (port == ownPort || port == deckPort || upstreamPorts.contains(port))
    }

    /// What stands for the deck's own address in keys, so that they are the same whatever port a run has.
    private static let deckItself = Authority(host: "localhost")

    /// The answer to a request that would come back to the deck (RFC 9110 §7.6.3, RFC 5842 §7.2).
    package static func loop(_ authority: Authority) -> Problem {
        Problem(
            status: 508, label: "loop", title: "Loop Detected",
            detail: "\(authority.text) is this deck itself: give --upstream the address of the real backend.")
    }

    /// The names that a machine has for itself.
    package static func isThisMachine(_ authority: Authority) -> Bool {
        ["localhost", "127.0.0.1", "[::1]"].contains(authority.host)
    }
}

extension Problem {
    /// TLS to the control API.
    fileprivate static let controlIsPlain = Problem(
        status: 400, label: "control-scheme", detail: "The control API speaks plain HTTP: ask for it as http://.")
}
