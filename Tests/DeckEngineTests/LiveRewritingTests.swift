import Codecs
import HTTPCore
import SystemIO
import TapedeckClient
import TestSupport
import Testing
import Transport

@testable import DeckEngine

/// Addresses of upstreams in answers that pass while they are recorded.
@Suite struct LiveRewritingTests {
    private static let host = [("Host", "deck.test:1")]

    /// A deck that records an upstream which sends `answer`, in these pieces, to every request.
    private func record(
        _ folder: TemporaryDirectory, _ pieces: [[UInt8]], change: (inout DeckOptions) -> Void = { _ in }
    ) async throws -> (deck: RunningDeck, upstream: ScriptedUpstream) {
        let upstream = try ScriptedUpstream([[.readRequest] + pieces.map { .send($0) }])
        let deck = try await RunningDeck.start(.record, cassette: folder.path + "/c") {
            $0.upstreams = [
                NamedUpstream(url: "http://api.test"), NamedUpstream(name: "auth", url: "http://auth.test"),
            ]
            $0.upstreamOptions.connectTo = ("127.0.0.1", upstream.port)
            change(&$0)
        }
        return (deck, upstream)
    }

    private func stored(_ folder: TemporaryDirectory) throws -> String {
        let interactions = folder.path + "/c/interactions"
        let name = try #require(try Files.list(interactions).first)
        return String(decoding: try Files.read("\(interactions)/\(name)"), as: UTF8.self)
    }

    @Test func aChunkedBodyIsRewrittenAcrossItsPieces() async throws {
        let folder = try TemporaryDirectory()
        let (deck, upstream) = try await record(
            folder,
            [
                Array(
                    ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "a\r\n<a href=ht\r\n").utf8),
                Array("9\r\ntp://auth\r\n".utf8), Array("7\r\n.test/>\r\n0\r\n\r\n".utf8),
            ])
        let answer = try await deck.ask("GET", "/a", Self.host)
        #expect(answer.text == "<a href=http://deck.test:1/_up/auth/>")
        _ = await deck.deck.stop()
        upstream.stop()
        #expect(try stored(folder).contains("<a href=http://auth.test/>"), "the cassette keeps the original")
    }

    @Test func aShortBodyKeepsItsLength() async throws {
        let folder = try TemporaryDirectory()
        let text = #"{"next":"http://api.test/p?2"}"#
        let (deck, upstream) = try await record(
            folder,
            [
                Array(
                    ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-MD5: x\r\nLocation: http://auth.test/l\r\n"
                        + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)").utf8)
            ])
        let answer = try await deck.ask("GET", "/a", Self.host)
        #expect(answer.text == #"{"next":"http://deck.test:1/p?2"}"#)
        #expect(answer.head.fields.text("Content-Length") == String(answer.body.count))
        #expect(answer.head.fields.text("Location") == "http://deck.test:1/_up/auth/l")
        #expect(!answer.head.fields.contains("Content-MD5"))
        _ = await deck.deck.stop()
        upstream.stop()
        let stored = try stored(folder)
        #expect(stored.contains("http://api.test/p?2") && stored.contains("Content-MD5: x"), "\(stored)")
    }

    @Test(arguments: [("", "/x", "Path=/"), ("/_up/auth", "/_up/auth/x", "Path=/_up/auth/")])
    func placesBelowAPrefixStayBelowIt(prefix: String, location: String, path: String) async throws {
        let folder = try TemporaryDirectory()
        let (deck, upstream) = try await record(
            folder,
            [
                Array(
                    ("HTTP/1.1 302 Found\r\nLocation: /x\r\nSet-Cookie: a=b; Domain=auth.test; Path=/\r\n"
                        + "Content-Length: 0\r\n\r\n").utf8)
            ])
        let answer = try await deck.ask("GET", prefix + "/a", Self.host)
        #expect(answer.head.fields.text("Location") == location)
        #expect(answer.head.fields.text("Set-Cookie")?.hasSuffix(path) == true)
        _ = await deck.deck.stop()
        upstream.stop()
        let stored = try stored(folder)
        #expect(stored.contains("Location: /x") && stored.contains("; Path=/\""), "\(stored)")
    }

    @Test func aCodedBodyThatIsTooLargePassesAsItCame() async throws {
        let folder = try TemporaryDirectory()
        var generator = SeededGenerator(seed: 3)
        let noise = (0..<(RewrittenBody.largestCoded * 2)).map { _ in UInt8.random(in: 97...122, using: &generator) }
        let coded = try encodeContent(noise + Array(" http://auth.test/".utf8), .gzip)
        #expect(coded.count > RewrittenBody.largestCoded)
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n"
        let (deck, upstream) = try await record(folder, [Array(head.utf8), coded])
        let answer = try await deck.ask("GET", "/a", Self.host)
        #expect(answer.body == coded && answer.head.fields.text("Content-Encoding") == "gzip")
        #expect(deck.log.text.contains("lead around the deck"))
        _ = await deck.deck.stop()
        upstream.stop()
    }

    @Test(arguments: [true, false])
    func aCodedBodyIsDecodedOnlyWhereSomethingIsRewritten(hasAddress: Bool) async throws {
        let folder = try TemporaryDirectory()
        let text = hasAddress ? "see http://auth.test/x" : "see http://other.test/x"
        let coded = try encodeContent(Array(text.utf8), .gzip)
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n"
        let (deck, upstream) = try await record(folder, [Array(head.utf8), coded])
        let answer = try await deck.ask("GET", "/a", Self.host + [("Accept-Encoding", "gzip")])
        if hasAddress {
            #expect(answer.text == "see http://deck.test:1/_up/auth/x")
            #expect(!answer.head.fields.contains("Content-Encoding"))
        } else {
            #expect(answer.body == coded && answer.head.fields.text("Content-Encoding") == "gzip")
        }
        #expect(answer.head.fields.text("Content-Length") == String(answer.body.count))
        _ = await deck.deck.stop()
        upstream.stop()
        let stored = try stored(folder)
        #expect(stored.contains(text) && stored.contains(#""coding": "gzip""#), "\(stored)")
    }

    @Test func nothingIsRewrittenWhereNobodyWantsIt() async throws {
        let folder = try TemporaryDirectory()
        let text = "http://auth.test/x"
        let (deck, upstream) = try await record(
            folder,
            [
                Array(
                    ("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nLocation: \(text)\r\nContent-Length: 18\r\n\r\n"
                        + text).utf8)
            ]
        ) { $0.keepsReferences = true }
        let answer = try await deck.ask("GET", "/a", Self.host)
        #expect(answer.text == text && answer.head.fields.text("Location") == text)
        _ = await deck.deck.stop()
        upstream.stop()
    }

    @Test func anAnswerThatIsCutGivesWhatHasCome() async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream([
            [
                .readRequest,
                .send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 90\r\n\r\nhttp://auth.te"),
                .close,
            ]
        ])
        let deck = try await RunningDeck.start(.record, cassette: folder.path + "/c") {
            $0.upstreams = [
                NamedUpstream(url: "http://api.test"), NamedUpstream(name: "auth", url: "http://auth.test"),
            ]
            $0.upstreamOptions.connectTo = ("127.0.0.1", upstream.port)
        }
        let client = try RawClient(port: deck.port)
        try client.send("GET /a HTTP/1.1\r\nHost: deck.test:1\r\n\r\n")
        _ = try client.readThrough("http://auth.te")
        _ = await deck.deck.stop()
        upstream.stop()
    }

    /// Sessions, references and root-relative places on the ports of upstreams that have their own.
    @Test func anUpstreamMayHaveItsOwnPort() async throws {
        let folder = try TemporaryDirectory()
        let login = Interactions.file("GET", "/a", #"{"text": ["http://api.test/c http://auth.test/d"]}"#)
            .replacing("api.test/a", with: "auth.test/a")
        let home = Interactions.file("GET", "/a", #"{"text": ["http://auth.test/b"]}"#)
        try Interactions.write([home, login], to: folder.path + "/c")
        let deck = try await RunningDeck.start(.replay, cassette: folder.path + "/c") {
            $0.upstreams = [
                NamedUpstream(url: "http://api.test"), NamedUpstream(name: "auth", url: "http://auth.test"),
            ]
            $0.upstreamPorts = .any
            $0.makesSessions = true
        }
        let url = try #require(deck.deck.upstreamURLs.first?.url)
        let port = try #require(url.split(separator: ":").last.flatMap { Int($0) })
        #expect(deck.deck.upstreamURLs.map(\.name) == ["auth"] && port != deck.port)
        #expect(try await deck.ask("GET", "/a", [("Host", "d:\(deck.port)")]).text == "http://d:\(port)/b")
        let client = WireClient(host: "127.0.0.1", port: port, timeout: .seconds(60))
        for prefix in ["", "/_deck/s"] {
            let answer = try await client.perform(
                WireRequest("GET", prefix + "/a", fields: Fields([("Host", "d:\(port)")])))
            #expect(answer.text == "http://d:\(deck.port)\(prefix)/c http://d:\(port)\(prefix)/d")
        }
        let absolute = try await client.perform(WireRequest("GET", "\(url)/a"))
        #expect(absolute.status == 200, "its own address is no other host's")
        #expect(try await deck.ask("GET", "/_up/auth/a").status == 200, "the prefix works all the same")
        let report = await deck.deck.stop()
        #expect(report.misses == 0 && report.unused == [])
    }

    @Test func aRangeWithoutAFreePortStopsTheStart() async throws {
        let folder = try TemporaryDirectory()
        try Interactions.write([Interactions.file("GET", "/a", #"{"text": ["x"]}"#)], to: folder.path + "/c")
        let other = try await RunningDeck.start(.replay, cassette: folder.path + "/c")
        await #expect(throws: DeckError.self) {
            _ = try await RunningDeck.start(.replay, cassette: folder.path + "/c") {
                $0.upstreams = [NamedUpstream(name: "auth", url: "http://api.test")]
                $0.upstreamPorts = .range(other.port...other.port)
            }
        }
        _ = await other.deck.stop()
    }
}
