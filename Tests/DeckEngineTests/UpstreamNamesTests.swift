import HTTPCore
import SystemIO
import TestSupport
import Testing
import Transport

@testable import DeckEngine

/// Upstreams with names, and references to them.
@Suite struct UpstreamNamesTests {
    @Test func aNamedUpstreamIsReachedByItsPrefix() async throws {
        let folder = try TemporaryDirectory()
        try Interactions.write(
            [
                Interactions.file(
                    "GET", "/a",
                    #"{"json": {"next": "http://auth.test/b", "own": "http://api.test/c"}, "layout": "compact"}"#),
                Interactions.file("GET", "/a", #"{"text": ["login"]}"#).replacing("api.test", with: "auth.test"),
            ], to: folder.path + "/c")
        let deck = try await RunningDeck.start(.replay, cassette: folder.path + "/c") {
            $0.upstreams = [
                NamedUpstream(url: "http://api.test"), NamedUpstream(name: "auth", url: "http://auth.test"),
            ]
            $0.makesSessions = true
        }
        #expect(try await deck.ask("GET", "/_up/auth/a").text == "login")
        let host = [("Host", "deck.test:1")]
        #expect(
            try await deck.ask("GET", "/a", host).text
                == #"{"next":"http://deck.test:1/_up/auth/b","own":"http://deck.test:1/c"}"#)
        #expect(
            try await deck.ask("GET", "/_deck/s/a", host).text
                == #"{"next":"http://deck.test:1/_deck/s/_up/auth/b","own":"http://deck.test:1/_deck/s/c"}"#)
        let unknown = try await deck.ask("GET", "/_up/other/a")
        #expect(unknown.status == 404 && unknown.text.contains("auth"))
        _ = await deck.deck.stop()
    }

    @Test(arguments: [
        ("Location", "http://auth.test/x?y#z", "http://d:1/_deck/s/_up/auth/x?y#z"), ("Location", "/x", "/_deck/s/x"),
        ("Location", "//API.test/x", "http://d:1/_deck/s/x"),
        ("Location", "https://elsewhere.test/x", "https://elsewhere.test/x"),
        ("Location", "x/y", "x/y"), ("Location", "http://api.test.evil/x", "http://api.test.evil/x"),
        (
            "Link", #"<http://api.test/2>; rel="next", </3>; rel="last""#,
            #"<http://d:1/_deck/s/2>; rel="next", </_deck/s/3>; rel="last""#
        ),
        ("Set-Cookie", "a=b; Path=/; Domain=api.test", "a=b; Path=/_deck/s/"),
        ("Set-Cookie", "a=b; path=/x", "a=b; path=/_deck/s/x"),
    ])
    func fieldsLeadTheClientBack(_ name: String, _ value: String, _ expected: String) throws {
        var address = Address(
            scheme: "http", authority: Authority(host: "api.test"), target: Array("/".utf8), isForward: false)
        address.prefix = Array("/_deck/s".utf8)
        var fields = Fields([(name, value)])
        let others = [
            Rewriting.Place(
                scheme: "http", authority: Authority(host: "auth.test"), prefix: Array("/_deck/s/_up/auth".utf8))
        ]
        Rewriting(upstream: address, clientHost: Array("d:1".utf8), others: others).apply(to: &fields)
        #expect(String(decoding: fields.value(at: 0), as: UTF8.self) == expected)
    }

    @Test(arguments: [
        ("<a href='http://API.test/x'>", "<a href='http://d:1/x'>"),
        (#"{"u":"http:\/\/api.test\/x"}"#, #"{"u":"http:\/\/d:1\/x"}"#),
        ("http://api.test:81/ http://api.testing/", nil), ("say api.test", nil), ("http://api.test", "http://d:1"),
    ])
    func bodiesLeadTheClientBack(_ body: String, _ expected: String?) {
        let address = Address(
            scheme: "http", authority: Authority(host: "api.test"), target: Array("/".utf8), isForward: false)
        let changed = Rewriting(upstream: address, clientHost: Array("d:1".utf8)).body(Array(body.utf8))
        #expect(changed.map { String(decoding: $0, as: UTF8.self) } == expected)
    }
}
