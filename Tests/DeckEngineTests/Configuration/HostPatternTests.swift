import DeckRules
import HTTPCore
import Testing

@testable import DeckEngine

@Suite struct HostPatternTests {
    static let rows: [(pattern: String, host: String, port: Int, isTaken: Bool)] = [
        ("api.example.com", "api.example.com", 443, true),
        ("api.example.com", "api.example.com", 8_443, true),
        ("api.example.com", "x.api.example.com", 443, false),
        ("API.example.com", "api.example.com", 443, true),
        ("api.example.com:8443", "api.example.com", 8_443, true),
        ("api.example.com:8443", "api.example.com", 443, false),
        ("*.example.com", "api.example.com", 443, true),
        ("*.example.com", "a.b.example.com", 443, true),
        ("*.example.com", "example.com", 443, false),
        ("*.example.com", "notexample.com", 443, false),
        ("*.example.com", "example.com.evil.test", 443, false),
        ("*.example.com:80", "a.example.com", 443, false),
        ("[::1]:80", "[::1]", 80, true),
        ("*", "anything.test", 1, true),
    ]

    @Test(arguments: rows) func takes(_ pattern: String, _ host: String, _ port: Int, _ isTaken: Bool) throws {
        #expect(try HostPattern(pattern).takes(host: host, port: port) == isTaken)
    }

    @Test func theSchemesPortCounts() throws {
        let authority = try Authority.parse("a.test".utf8)
        #expect(try HostPattern("a.test:443").takes(authority, scheme: "https"))
        #expect(try !HostPattern("a.test:443").takes(authority, scheme: "http"))
    }

    @Test(arguments: ["", "*.", "a.*.com", "*a.com", "https://a.com", "a.com/x", "a b", "a:x", "**"])
    func refuses(_ text: String) {
        #expect(throws: RuleError.self) { try HostPattern(text) }
    }
}

@Suite struct NamedUpstreamTests {
    @Test(arguments: [
        ("https://staging.example.com", "https://staging.example.com"), ("HTTP://A.test/", "http://a.test"),
        ("https://a.test:8443", "https://a.test:8443"), ("http://[::1]:8080", "http://[::1]:8080"),
    ]) func checks(_ text: String, _ url: String) throws {
        #expect(try NamedUpstream.checkedURL(text) == url)
    }

    @Test(arguments: [
        "", "a.test", "ftp://a.test", "https://", "https://a.test/v1", "https://a.test?x", "https://a.test#x",
        "https://u:p@a.test", "https://a b", "https://a.test:x", "https://a.test//",
    ]) func refuses(_ text: String) {
        let error = #expect(throws: RuleError.self) { try NamedUpstream.checkedURL(text) }
        #expect(error?.description.contains("u:p") == false)
    }
}
