package import HTTPCore

/// References to upstreams' own addresses, turned into the deck's for a reverse client, so that the app's next request
/// comes to the deck too. The cassette keeps the original.
package struct Rewriting: Sendable {
    /// An upstream of the deck, and how its client reaches it.
    package struct Place: Sendable {
        package var scheme: String
        package var authority: Authority
        /// `/_deck/NAME/_up/NAME`, or nothing.
        package var prefix: Bytes
        /// The port by which the client reaches it; nil for the one that it asked.
        package var port: Int?

        package init(scheme: String, authority: Authority, prefix: Bytes, port: Int? = nil) {
            self.scheme = scheme
            self.authority = authority
            self.prefix = prefix
            self.port = port
        }
    }

    /// An address that leads to the deck.
    private struct Target: Sendable {
        /// `https:`.
        var scheme: Bytes
        /// `//api.example.com`, in lower case.
        var authority: Bytes
        /// What stands in its place: `http://localhost:4750/_up/api`.
        var deck: Bytes
    }

    private let targets: [Target]
    /// Of the upstream that answered.
    private let own: Place
    private var isSecure: Bool { own.scheme == "https" }

    /// - Parameters:
    ///   - clientHost: the Host field of the client's request.
    ///   - others: the deck's other upstreams.
    package init(upstream address: Address, clientHost: some Collection<UInt8>, others: [Place] = []) {
        own = Place(scheme: address.scheme, authority: address.authority, prefix: address.prefix)
        let host = Bytes(clientHost)
        targets = ([own] + others).map { place in
            Target(
                scheme: Bytes("\(place.scheme):".utf8), authority: Bytes("//\(place.authority.text.lowercased())".utf8),
                deck: Bytes("http://".utf8) + Self.host(host, port: place.port) + place.prefix)
        }
    }

    /// The client's name for the deck's machine with another port.
    private static func host(_ host: Bytes, port: Int?) -> Bytes {
        guard let port else { return host }
        let name = (try? Authority.parse(host))?.host ?? "localhost"
        return Bytes("\(name):\(port)".utf8)
    }

    /// What is replaced in bodies.
    var replacements: [AddressRewriter.Replacement] {
        targets.flatMap { target in
            let address = target.scheme + target.authority
            return [
                AddressRewriter.Replacement(address: address, other: target.deck),
                AddressRewriter.Replacement(address: Self.escaped(address), other: Self.escaped(target.deck)),
            ]
        }
    }

    /// Rewrites Location, Content-Location, Link and Set-Cookie (RFC 9110 §10.2.2, §8.7; RFC 8288; RFC 6265 §4.1.2).
    package func apply(to fields: inout Fields) {
        for index in 0..<fields.count {
            if fields.isName("Location", at: index) || fields.isName("Content-Location", at: index) {
                if let value = rewritten(Bytes(fields.value(at: index))) { fields.replaceValue(at: index, with: value) }
            } else if fields.isName("Link", at: index) {
                if let value = links(Bytes(fields.value(at: index))) { fields.replaceValue(at: index, with: value) }
            } else if fields.isName("Set-Cookie", at: index) {
                if let value = cookie(fields.value(at: index)) { fields.replaceValue(at: index, with: value) }
            }
        }
    }

    /// A text body with every URL of an upstream turned into the deck's; nil if there is none.
    package func body(_ octets: Bytes) -> Bytes? {
        var rewriter = AddressRewriter(replacements)
        let changed = rewriter.take(octets) + rewriter.finish()
        return rewriter.hasReplaced ? changed : nil
    }

    private static func escaped(_ url: Bytes) -> Bytes {
        url.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
    }

    private static func lowercased(_ octets: ArraySlice<UInt8>) -> Bytes {
        octets.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// The URL on the deck; nil if it leads to none of the upstreams and is not relative to the root.
    private func rewritten(_ url: Bytes) -> Bytes? {
        let lowercased = Self.lowercased(url[...])
        for target in targets {
            for scheme in [target.scheme, []] {
                let prefix = scheme + target.authority
                guard lowercased.starts(with: prefix) else { continue }
                let rest = url[prefix.count...]
                guard rest.isEmpty || "/?#".utf8.contains(rest[rest.startIndex]) else { continue }
                return target.deck + rest
            }
        }
        let isRootRelative = url.first == UInt8(ascii: "/") && !url.starts(with: Bytes("//".utf8))
        return isRootRelative && !own.prefix.isEmpty ? own.prefix + url : nil
    }

    /// The targets of a Link field stand between `<` and `>`.
    private func links(_ value: Bytes) -> Bytes? {
        var out = Bytes()
        var rest = value[...]
        var isChanged = false
        while let open = rest.firstIndex(of: UInt8(ascii: "<")),
            let close = rest[open...].firstIndex(of: UInt8(ascii: ">"))
        {
            let url = Bytes(rest[(open + 1)..<close])
            out += rest[...open]
            if let changed = rewritten(url) {
                isChanged = true
                out += changed
            } else {
                out += url
            }
            rest = rest[close...]
        }
        return isChanged ? out + rest : nil
    }

    /// The cookie without a Domain that is the upstream's, without Secure where the upstream was asked by HTTPS, and with
    /// the deck's prefix before its Path; nil if nothing changes.
    private func cookie(_ value: ArraySlice<UInt8>) -> Bytes? {
        let parts = value.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let kept = parts.enumerated().filter { n, part in n == 0 || !isForTheUpstreamOnly(part) }.map {
            $0.offset == 0 ? Bytes($0.element) : withPrefix($0.element)
        }
        let joined = Bytes(kept.joined(separator: [UInt8(ascii: ";")]))
        return joined.elementsEqual(value) ? nil : joined
    }

    /// A Path attribute below the prefix by which the client reaches the upstream.
    private func withPrefix(_ attribute: ArraySlice<UInt8>) -> Bytes {
        let text = String(decoding: attribute, as: UTF8.self)
        let trimmed = text.drop { $0 == " " }
        guard !own.prefix.isEmpty, trimmed.lowercased().hasPrefix("path=/") else { return Bytes(attribute) }
        let path = trimmed.dropFirst(5)
        return Bytes(text.prefix { $0 == " " }.utf8) + Bytes(trimmed.prefix(5).utf8) + own.prefix + Bytes(path.utf8)
    }

    private func isForTheUpstreamOnly(_ attribute: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: attribute, as: UTF8.self).lowercased()
        let name = text.prefix { $0 != "=" }.drop { $0 == " " }
        if name == "secure" { return isSecure }
        guard name == "domain" else { return false }
        let domain = text.drop { $0 != "=" }.dropFirst().drop { $0 == "." || $0 == " " }
        return own.authority.host == domain || own.authority.host.hasSuffix("." + domain)
    }
}
