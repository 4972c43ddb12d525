import HTTPCore
import Transport

extension Tunnel {
    /// A request's target as an absolute one, or why it can't be served here.
    ///
    /// A tunnel leads to one host: what asks for another one has lost its way, and is told so with 421 (RFC 9110 §15.5.20) rather
    /// than being answered as either. A host without a port means the scheme's own.
    func target(_ head: RequestHead, _ target: RequestTarget) -> Result<RequestTarget, TunnelRefusal> {
        switch target {
        case .authority: return .failure(TunnelRefusal(.nestedConnect))
        case .absolute(let scheme, let authority, _, _):
            guard scheme == self.scheme, isSame(authority) else { return .failure(misdirected(authority)) }
            return .success(target)
        case .origin(let path, let query):
            if let other = otherHost(head) { return .failure(misdirected(other)) }
            return .success(.absolute(scheme: scheme, authority: authority, path: path, query: query))
        case .asterisk:
            if let other = otherHost(head) { return .failure(misdirected(other)) }
            return .success(.absolute(scheme: scheme, authority: authority, path: [], query: nil))
        }
    }

    private func otherHost(_ head: RequestHead) -> Authority? {
        guard let field = head.fields.first("Host"), let host = try? Authority.parse(field), !host.host.isEmpty else {
            return nil
        }
        return isSame(host) ? nil : host
    }

    private func isSame(_ other: Authority) -> Bool {
        other.host == authority.host && other.port(defaultFor: scheme) == authority.port(defaultFor: scheme)
    }

    private func misdirected(_ other: Authority) -> TunnelRefusal {
        TunnelRefusal(
            Problem(
                status: 421, label: "misdirected",
                detail: "This tunnel was opened to \(authority.text), and the request is for \(other.text): "
                    + "open a tunnel to that host by its name."))
    }
}

/// Why a request through a tunnel is refused.
struct TunnelRefusal: Error {
    var problem: Problem

    init(_ problem: Problem) { self.problem = problem }
}

extension Problem {
    fileprivate static let nestedConnect = Problem(
        status: 400, label: "nested-connect", detail: "A tunnel within a tunnel is not opened here.")
}
