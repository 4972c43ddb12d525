import CassetteKit
import DeckRules
import SystemIO

extension DeckBuilder {
    /// Refuses faults of the TLS handshake for every host where clients speak to the deck as to a server: there is no
    /// handshake then that they could break.
    func refuseUnreachableFaults(_ rules: RuleSet, _ scenario: String?) throws(DeckError) {
        guard isServer else { return }
        var given: [(variant: String, origin: String)] = rules.faults.compactMap { fault in
            if case .star = fault.target { (fault.variant, "--fault '\(fault.text)'") } else { nil }
        }
        if let scenario, let star = rules.scenarios[scenario]?.star { given.append((star, "scenario `\(scenario)`")) }
        for (name, origin) in given where rules.variant(name, route: nil)?.isInHandshake == true {
            throw DeckError(
                .usage,
                "\(origin): `\(name)` acts on HTTPS through the proxy, and the clients of this deck speak plain HTTP to it as to"
                    + " a server.",
                advice:
                    "record without --upstream and set https_proxy, or name the host: 'CONNECT api.example.com=\(name)'"
            )
        }
    }

    /// Whether clients reach the deck as a server (reverse) rather than as their proxy.
    private var isServer: Bool {
        if options.forwardOnly { return false }
        if !options.upstreams.isEmpty || !options.configuration.upstreams.isEmpty { return true }
        guard options.mode == .replay, let path = options.cassette else { return false }
        let manifest = CassetteFolder(path).manifest
        guard let octets = try? Files.read(manifest) else { return false }
        return (try? ManifestFormat.read(octets, path: manifest))?.form == .reverse
    }
}
