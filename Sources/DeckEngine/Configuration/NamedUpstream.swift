package import DeckRules
import HTTPCore

/// A real server that the deck speaks for, optionally under a name of its own.
package struct NamedUpstream: Sendable, Equatable {
    /// The name of `/_up/NAME/…`; nil for the first, unnamed one.
    package var name: String?
    /// An absolute `http` or `https` URL without path, query or userinfo, as `https://staging.example.com`.
    package var url: String

    package init(name: String? = nil, url: String) {
        self.name = name
        self.url = url
    }

    /// As `cassette.json` has it: a URL, or `NAME=URL`.
    package init(recorded text: String) {
        let equals = text.firstIndex(of: "=")
        if let equals, !text[..<equals].contains(where: { ":/".contains($0) }) {
            self.init(name: String(text[..<equals]), url: String(text[text.index(after: equals)...]))
        } else {
            self.init(url: text)
        }
    }

    /// Checks an upstream's URL; a single slash after the authority is dropped.
    ///
    /// - Throws: `RuleError` for another scheme, an authority that is none, and anything after it. The message does not repeat
    ///   userinfo.
    package static func checkedURL(_ text: String) throws(RuleError) -> String {
        let lowercased = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lowercased.hasPrefix) else {
            throw RuleError(
                "an upstream's URL begins with neither http:// nor https://", advice: "write one as https://example.com"
            )
        }
        var rest = text.dropFirst(scheme.count)
        if rest.last == "/" { rest = rest.dropLast() }
        if rest.contains("@") {
            throw RuleError(
                "an upstream's URL has a name or password", advice: "leave it out; the client sends its own")
        }
        if rest.contains(where: { "/?#".contains($0) }) {
            throw RuleError(
                "the upstream `\(scheme)\(rest)` has a path or query",
                advice: "end it after the host; clients send the path")
        }
        do {
            return scheme + (try Authority.parse(rest.utf8)).text
        } catch {
            throw RuleError("`\(rest)` is no host and port: \(error.message)", advice: "write one as example.com:8443")
        }
    }
}
