package import HTTPCore

/// References to upstreams' own addresses, turned into the deck's for a reverse client, so that the app's next request
/// comes to the deck too. The cassette keeps the original.
package struct Rewriting: Sendable {
    /// An address that leads to the deck.
    private struct Target: Sendable {
        /// `https:`.
        var scheme: Bytes
        /// `//api.example.com`, in lower case.
        var authority: Bytes
        var host: String
        /// `/_deck/NAME/_up/NAME`, or nothing.
        var prefix: Bytes
    }

    private let targets: [Target]
    /// Of the upstream that answered.
    private let own: Target
    private let isSecure: Bool
    /// The deck as the client names it: `http://localhost:4750`.
    private let deck: Bytes

    /// - Parameters:
    ///   - clientHost: the Host field of the client's request.
    ///   - others: the deck's other upstreams, each with the prefix that leads to it.
    package init(
        upstream address: Address, clientHost: some Collection<UInt8>,
        others: [(scheme: String, authority: Authority, prefix: Bytes)] = []
    ) {
        own = Self.target(address.scheme, address.authority, address.prefix)
        targets = [own] + others.map { Self.target($0.scheme, $0.authority, $0.prefix) }
        isSecure = address.scheme == "https"
        deck = Bytes("http://".utf8) + Bytes(clientHost)
    }

    private static func target(_ scheme: String, _ authority: Authority, _ prefix: Bytes) -> Target {
        Target(
            scheme: Bytes("\(scheme):".utf8), authority: Bytes("//\(authority.text.lowercased())".utf8),
            host: authority.host, prefix: prefix)
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
        var out = Bytes()
        var copied = 0
        var at = 0
        while at + 2 < octets.count {
            guard octets[at] == UInt8(ascii: "/"), let found = escapedTarget(octets, at) else {
                at += 1
                continue
            }
            let start = schemeStart(octets, at, found.target)
            guard start < at else {
                at += 1
                continue
            }
            out += octets[copied..<start]
            out += found.isEscaped ? Self.escaped(deck + found.target.prefix) : deck + found.target.prefix
            copied = found.end
            at = found.end
        }
        guard copied > 0 else { return nil }
        return out + octets[copied...]
    }

    /// The upstream that is named from `//` on, also where JSON has escaped the slashes.
    private func escapedTarget(_ octets: Bytes, _ at: Int) -> (target: Target, end: Int, isEscaped: Bool)? {
        for target in targets {
            for (spelling, isEscaped) in [(target.authority, false), (Self.escapedTail(target.authority), true)] {
                let end = at + spelling.count
                guard end <= octets.count, Self.lowercased(octets[at..<end]) == spelling,
                    end == octets.count || !Self.continuesAuthority(octets[end])
                else { continue }
                return (target, end, isEscaped)
            }
        }
        return nil
    }

    /// Where the scheme before `//` begins; `at` itself where there is none.
    private func schemeStart(_ octets: Bytes, _ at: Int, _ target: Target) -> Int {
        for spelling in [target.scheme, target.scheme + [UInt8(ascii: "\\")]] {
            let start = at - spelling.count
            if start >= 0, Self.lowercased(octets[start..<at]) == spelling { return start }
        }
        return at
    }

    private static func escapedTail(_ authority: Bytes) -> Bytes { Bytes(#"/\/"#.utf8) + authority.dropFirst(2) }

    private static func escaped(_ url: Bytes) -> Bytes {
        url.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
    }

    private static func lowercased(_ octets: ArraySlice<UInt8>) -> Bytes {
        octets.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    private static func continuesAuthority(_ octet: UInt8) -> Bool {
        (octet | 0x20) >= 0x61 && (octet | 0x20) <= 0x7A || octet >= 0x30 && octet <= 0x39
            || octet == UInt8(ascii: ".") || octet == UInt8(ascii: "-") || octet == UInt8(ascii: ":")
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
                return deck + target.prefix + rest
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
        return own.host == domain || own.host.hasSuffix("." + domain)
    }
}
