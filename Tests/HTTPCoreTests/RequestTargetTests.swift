import HTTPCore
import Testing

/// RFC 9112 §3.2.
@Suite struct RequestTargetTests {
    @Test(
        arguments: [
            ("/", "/", nil), ("/a?b=c", "/a", "b=c"), ("/q?", "/q", ""), ("/a?b?c", "/a", "b?c"),
            ("//api//x", "//api//x", nil),
            ("/./a/../b", "/./a/../b", nil), ("/%2F%zz%", "/%2F%zz%", nil),
            ("/(x)*[1]/{id}/$f^?x=[0-9]+", "/(x)*[1]/{id}/$f^", "x=[0-9]+"),
            ("/a@b:c", "/a@b:c", nil), ("/\u{FC}?\u{FC}", "/\u{FC}", "\u{FC}"), ("/http://a/b", "/http://a/b", nil),
        ] as [(String, String, String?)])
    func readsOriginForm(target: String, path: String, query: String?) throws {
        let expected = RequestTarget.origin(path: octets(path), query: query.map { octets($0) })
        #expect(try RequestTarget.parse(octets(target), method: "GET") == expected)
        #expect(try RequestTarget.parse(octets(target), method: "OPTIONS") == expected)
    }

    @Test(
        arguments: [
            ("http://a/b?c", "http", "a", nil, "/b", "c"), ("HTTPS://A:1/B", "https", "a", 1, "/B", nil),
            ("http://a", "http", "a", nil, "", nil), ("http://a?b", "http", "a", nil, "", "b"),
            ("http://[::1]:8/", "http", "[::1]", 8, "/", nil), ("http://a//b/@c", "http", "a", nil, "//b/@c", nil),
        ] as [(String, String, String, Int?, String, String?)])
    func readsAbsoluteForm(
        target: String, scheme: String, host: String, port: Int?, path: String, query: String?
    ) throws {
        let expected = RequestTarget.absolute(
            scheme: scheme, authority: Authority(host: host, port: port), path: octets(path),
            query: query.map { octets($0) })
        #expect(try RequestTarget.parse(octets(target), method: "GET") == expected)
    }

    @Test func readsAuthorityFormForConnectAlone() throws {
        let authority = Authority(host: "a.b", port: 443)
        #expect(try RequestTarget.parse(octets("A.b:443"), method: "CONNECT") == .authority(authority))
        #expect(throws: ParseError.self) { try RequestTarget.parse(octets("a.b:443"), method: "GET") }
    }

    @Test func readsAsteriskForOptionsAlone() throws {
        #expect(try RequestTarget.parse(octets("*"), method: "OPTIONS") == .asterisk)
        #expect(throws: ParseError.self) { try RequestTarget.parse(octets("*"), method: "GET") }
        #expect(throws: ParseError.self) { try RequestTarget.parse(octets("*"), method: "options") }
    }

    @Test(arguments: [
        ("", "GET", "target-form"), ("a", "GET", "target-form"), ("a/b", "GET", "target-form"),
        ("?a", "GET", "target-form"),
        ("**", "OPTIONS", "target-form"), ("http:/a", "GET", "target-form"), ("http:a", "GET", "target-form"),
        ("://a", "GET", "target-form"), ("1http://a", "GET", "target-form"), ("ht tp://a", "GET", "target"),
        ("/a#b", "GET", "fragment"), ("/a?b#", "GET", "fragment"), ("http://a/#b", "GET", "fragment"),
        ("/a b", "GET", "target"), ("/a\t", "GET", "target"), ("/a\r\n", "GET", "target"), ("/\0", "GET", "target"),
        ("/\u{7F}", "GET", "target"), ("http://u:p@a/", "GET", "userinfo"), ("http://u@a/", "GET", "userinfo"),
        ("http:///a", "GET", "empty-host"), ("http://a:x/", "GET", "port"), ("http://a,b/", "GET", "host"),
        ("a", "CONNECT", "target-form"), ("a:", "CONNECT", "target-form"), ("/", "CONNECT", "empty-host"),
        ("http://a:1", "CONNECT", "port"), ("*", "CONNECT", "empty-host"), ("u@a:1", "CONNECT", "userinfo"),
    ])
    func refuses(target: String, method: String, label: String) {
        let error = parseError { () throws(ParseError) in
            _ = try RequestTarget.parse(octets(target), method: method)
        }
        #expect(error?.status == 400)
        #expect(error?.label == label)
    }

    @Test func errorsInTheAuthorityPointIntoTheTarget() {
        let error = parseError { () throws(ParseError) in
            _ = try RequestTarget.parse(octets("http://a:x/"), method: "GET")
        }
        #expect(error?.offset == 9)
    }
}
