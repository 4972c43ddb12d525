package import HTTPCore

/// References to the upstream's own address, turned into the deck's for a reverse client, so that the app's next request
/// comes to the deck too. The cassette keeps the original.
package struct Rewriting: Sendable {
    /// `https://api.example.com`, without a slash at the end.
    private let upstream: Bytes
    /// `//api.example.com`.
    private let schemeless: Bytes
    private let host: String
    private let isSecure: Bool
    /// The deck as the client names it: `http://localhost:4750`.
    private let deck: Bytes

    /// - Parameter clientHost: the Host field of the client's request.
    package init(upstream address: Address, clientHost: some Collection<UInt8>) {
        upstream = Bytes("\(address.scheme)://\(address.authority.text)".utf8)
        schemeless = Bytes("//\(address.authority.text)".utf8)
        host = address.authority.host
        isSecure = address.scheme == "https"
        deck = Bytes("http://".utf8) + Bytes(clientHost)
    }

    /// Rewrites Location, Content-Location and Set-Cookie (RFC 9110 §10.2.2, §8.7; RFC 6265 §4.1.2).
    package func apply(to fields: inout Fields) {
        for index in 0..<fields.count {
            if fields.isName("Location", at: index) || fields.isName("Content-Location", at: index) {
                if let value = rewritten(Bytes(fields.value(at: index))) { fields.replaceValue(at: index, with: value) }
            } else if fields.isName("Set-Cookie", at: index) {
                if let value = cookie(fields.value(at: index)) { fields.replaceValue(at: index, with: value) }
            }
        }
    }

    /// The URL on the deck; nil if it does not lead to the upstream.
    private func rewritten(_ url: Bytes) -> Bytes? {
        for prefix in [upstream, schemeless] where url.count >= prefix.count {
            let head = String(decoding: url[..<prefix.count], as: UTF8.self).lowercased()
            guard head.utf8.elementsEqual(prefix) else { continue }
            let rest = url[prefix.count...]
            guard
                rest.isEmpty
                    || [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(rest[rest.startIndex])
            else { continue }
            return deck + rest
        }
        return nil
    }

    /// The cookie without a Domain that is the upstream's, and without Secure where the upstream was asked by HTTPS; nil
    /// if nothing changes.
    private func cookie(_ value: ArraySlice<UInt8>) -> Bytes? {
        let parts = value.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let kept = parts.enumerated().filter { n, part in n == 0 || !isForTheUpstreamOnly(part) }.map(\.element)
        return kept.count == parts.count ? nil : Bytes(kept.joined(separator: [UInt8(ascii: ";")]))
    }

    private func isForTheUpstreamOnly(_ attribute: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: attribute, as: UTF8.self).lowercased()
        let name = text.prefix { $0 != "=" }.drop { $0 == " " }
        if name == "secure" { return isSecure }
        guard name == "domain" else { return false }
        let domain = text.drop { $0 != "=" }.dropFirst().drop { $0 == "." || $0 == " " }
        return host == domain || host.hasSuffix("." + domain)
    }
}
