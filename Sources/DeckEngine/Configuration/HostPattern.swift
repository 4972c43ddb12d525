package import DeckRules
package import HTTPCore

/// Hosts that a configuration names: one, or with `*.` all below it, on any port or on one.
package struct HostPattern: Sendable, Hashable, CustomStringConvertible {
    /// As written.
    package let description: String
    private let host: String
    private let takesBelow: Bool
    private let port: Int?

    /// Reads `api.example.com`, `*.example.com`, `localhost:8080`, or `*` for every host.
    package init(_ text: String) throws(RuleError) {
        description = text
        if text == "*" {
            (host, takesBelow, port) = ("", true, nil)
            return
        }
        takesBelow = text.hasPrefix("*.")
        let authority: Authority
        do {
            authority = try Authority.parse((takesBelow ? text.dropFirst(2) : text[...]).utf8)
        } catch {
            throw RuleError(
                "`\(text)` is no host: \(error.message)", advice: "write api.example.com, *.example.com or host:port")
        }
        if authority.host.isEmpty || authority.host.contains("*") {
            throw RuleError("`\(text)` is no host", advice: "* stands alone or before the first dot")
        }
        host = authority.host
        port = authority.port
    }

    /// Tells whether a host, in lower case, and its port are among those named.
    package func takes(host: String, port: Int) -> Bool {
        if let own = self.port, own != port { return false }
        guard takesBelow else { return host == self.host }
        return self.host.isEmpty || host.hasSuffix(".\(self.host)")
    }

    /// Tells the same of an authority without a port of its own: the scheme's counts.
    package func takes(_ authority: Authority, scheme: String) -> Bool {
        takes(host: authority.host, port: authority.port(defaultFor: scheme))
    }
}
