import CassetteKit
import HTTPCore
import SystemIO

/// Counts the absolute URLs in answers that lead the app around the deck: to hosts that are no upstream of it.
///
/// Any thread, under the lock.
final class ExternalHosts: Sendable {
    /// Larger bodies are not searched, in octets.
    static let largestBody = 1 << 20
    /// Hosts whose URLs are names of things rather than addresses.
    private static let vocabularies: Set<String> = [
        "www.w3.org", "schema.org", "json-schema.org", "purl.org", "xmlns.com", "ogp.me", "www.sitemaps.org",
    ]
    /// Different hosts that are counted.
    private static let capacity = 256

    private let counts = Locked<[String: Int]>([:])

    func note(_ authorities: [Authority: Int], except isKnown: (Authority) -> Bool) {
        for (authority, count) in authorities where !isKnown(authority) {
            counts.withLock { counts in
                guard counts[authority.text] != nil || counts.count < Self.capacity else { return }
                counts[authority.text, default: 0] += count
            }
        }
    }

    /// URLs by host.
    var all: [String: Int] { counts.withLock { $0 } }

    /// The authorities of the absolute URLs in an answer, in fields that hold one and in a body of JSON, HTML, XML or text.
    static func found(in fields: Fields, body: Bytes?) -> [Authority: Int] {
        var found: [Authority: Int] = [:]
        for index in 0..<fields.count
        where fields.isName("Location", at: index) || fields.isName("Content-Location", at: index)
            || fields.isName("Link", at: index)
        {
            search(Bytes(fields.value(at: index)), &found)
        }
        if let body, body.count <= largestBody,
            let type = fields.first("Content-Type").flatMap({ MediaType.parse($0) }),
            type.isJSON || type.isText || type.isXML
        {
            search(body, &found)
        }
        return found
    }

    private static func search(_ octets: Bytes, _ found: inout [Authority: Int]) {
        let slash = UInt8(ascii: "/")
        var at = 0
        while let colon = octets[at...].firstIndex(of: UInt8(ascii: ":")) {
            at = colon + 1
            let isEscaped = octets[at...].starts(with: Bytes(#"\/\/"#.utf8))
            guard isEscaped || octets[at...].starts(with: [slash, slash]), isScheme(before: colon, octets) else {
                continue
            }
            let start = host(behind: at + (isEscaped ? 4 : 2), octets)
            let end = octets[start...].firstIndex { !isAuthority($0) } ?? octets.endIndex
            if let authority = try? Authority.parse(octets[start..<end]), authority.host.contains("."),
                !vocabularies.contains(authority.host)
            {
                found[authority, default: 0] += 1
            }
            at = end
        }
    }

    /// Where the host begins: behind a user's name and password, which must not be taken for one.
    private static func host(behind start: Int, _ octets: Bytes) -> Int {
        let ends = "/?#\"'<>\\ \t\r\n".utf8
        let end = octets[start...].firstIndex { ends.contains($0) } ?? octets.endIndex
        return octets[start..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start
    }

    private static func isScheme(before colon: Int, _ octets: Bytes) -> Bool {
        for scheme in ["https", "http"] {
            let start = colon - scheme.utf8.count
            if start >= 0, octets[start..<colon].map({ $0 | 0x20 }).elementsEqual(scheme.utf8) { return true }
        }
        return false
    }

    private static func isAuthority(_ octet: UInt8) -> Bool {
        (octet | 0x20) >= 0x61 && (octet | 0x20) <= 0x7A || octet >= 0x30 && octet <= 0x39
            || ".-_:[]".utf8.contains(octet)
    }
}

extension DeckCore {
    /// Counts what an answer to a reverse client leads to.
    func noteExternal(_ found: [Authority: Int], _ isForward: Bool) {
        guard !found.isEmpty, !isForward else { return }
        let allowed = options.configuration.externalHosts
        externalHosts.note(found) { authority in
            authority.host == addressing.home?.authority.host || Addressing.isThisMachine(authority)
                || cassette.named.values.contains { $0.authority.host == authority.host }
                || allowed.contains { $0.takes(authority, scheme: "https") || $0.takes(authority, scheme: "http") }
        }
    }
}
