package import HTTPCore

/// Which requests are let through at all, before anything else is decided.
package struct Gate: Sendable {
    /// Hosts that modes which connect may reach; nil allows all.
    package var allowed: [HostPattern]?
    /// The mode opens connections to upstreams.
    package var connects: Bool
    /// The proxy listens on loopback addresses only.
    package var isLoopback: Bool

    package init(allowed: [HostPattern]?, connects: Bool, isLoopback: Bool) {
        self.allowed = allowed
        self.connects = connects
        self.isLoopback = isLoopback
    }

    /// Why a request is refused; nil lets it through.
    package func problem(for address: Address, _ head: RequestHead) -> Problem? {
        guard connects else { return nil }
        if let allowed {
            if allowed.contains(where: { $0.takes(address.authority, scheme: address.scheme) }) { return nil }
            return Problem(
                status: 403, label: "upstream-not-allowed",
                detail: "\(address.authority.host) is not under \"allowUpstreams\": add it to the configuration.")
        }
        if address.isForward, !isLoopback {
            return Problem(
                status: 403, label: "open-proxy",
                detail:
                    "This deck listens beyond loopback, so forward requests need \"allowUpstreams\" in the configuration."
            )
        }
        return nil
    }
}
