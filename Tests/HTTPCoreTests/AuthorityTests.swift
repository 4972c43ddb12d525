import HTTPCore
import Testing

/// RFC 3986 §3.2, RFC 9110 §4.2 and §7.2.
@Suite struct AuthorityTests {
    @Test(
        arguments: [
            ("example.com", "example.com", nil), ("EXAMPLE.Com:80", "example.com", 80), ("a:65535", "a", 65_535),
            ("a:", "a", nil), ("a:0080", "a", 80), ("127.0.0.1:1", "127.0.0.1", 1), ("[::1]", "[::1]", nil),
            ("[::1]:8080", "[::1]", 8_080), ("[FE80::A]:1", "[fe80::a]", 1), ("my_host-1.~x", "my_host-1.~x", nil),
            ("[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7:8]", nil), ("[::ffff:1.2.3.4]", "[::ffff:1.2.3.4]", nil),
            ("[1::]", "[1::]", nil), ("[::]", "[::]", nil), ("[1:2:3:4:5:6:1.2.3.4]", "[1:2:3:4:5:6:1.2.3.4]", nil),
            ("example.com.", "example.com.", nil), ("1.2.3", "1.2.3", nil),
        ] as [(String, String, Int?)])
    func reads(input: String, host: String, port: Int?) throws {
        #expect(try Authority.parse(octets(input)) == Authority(host: host, port: port))
    }

    @Test(arguments: [
        ("", "empty-host"), (":80", "empty-host"), ("a:b", "port"), ("a:65536", "port"), ("a:-1", "port"),
        ("a:+1", "port"),
        ("a:0", "port"), ("a:99999999999999999999999", "port"), ("a:1:2", "port"), ("user@a", "userinfo"),
        ("user:pw@a", "userinfo"), ("user:1@a:2", "userinfo"), ("a b", "host"), ("a,b", "host"), ("a%41", "host"),
        ("a/b", "host"), ("a?b", "host"), ("a#b", "host"), ("a\\b", "host"), ("\u{FC}", "empty-host"),
        ("a\u{FC}", "host"),
        ("a\0", "host"), ("[::1", "ipv6"), ("[]", "ipv6"), ("[1]", "ipv6"), ("[:::]", "ipv6"), ("[1::2::3]", "ipv6"),
        ("[12345::]", "ipv6"), ("[1:2:3:4:5:6:7:8:9]", "ipv6"), ("[1:2:3:4:5:6:7]", "ipv6"), ("[::1%25eth0]", "ipv6"),
        ("[::1.2.3.256]", "ipv6"), ("[::1.2.3]", "ipv6"), ("[::01.2.3.4]", "ipv6"), ("[1:]", "ipv6"), ("[:1]", "ipv6"),
        ("[g::]", "ipv6"), ("[v1.x]", "ipv6"), ("[::1]x", "host"), ("[::1]80", "host"),
        ("[1:2:3:4:5:6:7::8:9]", "ipv6"), ("[1:2:3:4::5:6:7:8]", "ipv6"), ("[1.2.3.4::]", "ipv6"),
    ])
    func refuses(input: String, label: String) {
        let error = parseError { () throws(ParseError) in _ = try Authority.parse(octets(input)) }
        #expect(error?.status == 400)
        #expect(error?.label == label)
    }

    @Test func neverQuotesUserInformation() {
        let error = parseError { () throws(ParseError) in _ = try Authority.parse(octets("ann:s3cr3t@host")) }
        #expect(error?.message.contains("s3cr3t") == false)
    }

    @Test func writesItselfAndKnowsDefaultPorts() throws {
        #expect(Authority(host: "a", port: 8).text == "a:8")
        #expect(Authority(host: "[::1]").text == "[::1]")
        #expect(Authority(host: "a").port(defaultFor: "http") == 80)
        #expect(Authority(host: "a").port(defaultFor: "https") == 443)
        #expect(Authority(host: "a", port: 8).port(defaultFor: "https") == 8)
    }
}
