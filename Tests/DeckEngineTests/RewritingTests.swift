import HTTPCore
import Testing

@testable import DeckEngine

/// References to the upstream's own address, on their way to a reverse client.
@Suite struct RewritingTests {
    private func rewritten(_ name: String, _ value: String, scheme: String = "https") throws -> String? {
        var fields = Fields([(name, value)])
        let address = Address(
            scheme: scheme, authority: try Authority.parse("api.test".utf8), target: Array("/".utf8), isForward: false)
        Rewriting(upstream: address, clientHost: Array("localhost:4750".utf8)).apply(to: &fields)
        return String(decoding: fields.value(at: 0), as: UTF8.self)
    }

    @Test(arguments: [
        ("https://api.test/a?b#c", "http://localhost:4750/a?b#c"), ("https://api.test", "http://localhost:4750"),
        ("HTTPS://API.test/a", "http://localhost:4750/a"), ("//api.test/a", "http://localhost:4750/a"),
        // Not the upstream, or nothing to rewrite.
        ("/a", "/a"), ("https://api.test.evil/a", "https://api.test.evil/a"),
        ("http://api.test/a", "http://api.test/a"),
        ("https://api.test:8443/a", "https://api.test:8443/a"), ("https://other.test/a", "https://other.test/a"),
        ("", ""),
    ])
    func locationsOfTheUpstreamLeadToTheDeck(location: String, expected: String) throws {
        #expect(try rewritten("Location", location) == expected)
        #expect(try rewritten("Content-Location", location) == expected)
    }

    @Test(arguments: [
        ("a=1; Domain=api.test; Path=/; Secure", "https", "a=1; Path=/"),
        ("a=1; Path=/; HttpOnly", "https", "a=1; Path=/; HttpOnly"),
        ("a=1; domain=.test", "https", "a=1"), ("a=1; Domain=other.test", "https", "a=1; Domain=other.test"),
        ("a=1; Secure", "http", "a=1; Secure"), ("domain=api.test", "https", "domain=api.test"),
    ])
    func cookiesComeBackToTheDeck(cookie: String, scheme: String, expected: String) throws {
        #expect(try rewritten("Set-Cookie", cookie, scheme: scheme) == expected)
    }
}
