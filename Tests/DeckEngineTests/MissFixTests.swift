import CassetteKit
import DeckEngine
import HTTPCore
import SystemIO
import TapedeckClient
import TestSupport
import Testing
import Transport

/// What a miss says to type really makes the request match.
@Suite struct MissFixTests {
    struct Row: Sendable, CustomStringConvertible {
        var name: String
        var method = "GET"
        var target: String
        var fields: [(String, String)] = []
        var body: String?
        /// The recorded request, from its URL on.
        var recorded: String
        var configuration = #"{"version": 1}"#
        var description: String { name }
    }

    private static let json = [("Content-Type", "application/json")]
    private static let form = [("Content-Type", "application/x-www-form-urlencoded")]

    static let rows = [
        Row(name: "a query item", target: "/a?t=2", recorded: #"/a?t=1""#),
        Row(name: "an item that is missing", target: "/a", recorded: #"/a?t=1&u""#),
        Row(name: "an item with an escaped name", target: "/a?b%5B%5D=2", recorded: #"/a?b%5B%5D=1""#),
        Row(
            name: "a JSON value", method: "POST", target: "/a", fields: json, body: #"{"a":1,"x":[{"t":5}]}"#,
            recorded:
                #"/a", "headers": ["Content-Type: application/json"], "body": {"text": ["{\"a\":1,\"x\":[{\"t\":6}]}"]}"#
        ),
        Row(
            name: "a JSON body of another kind", method: "POST", target: "/a", fields: json, body: "[1]",
            recorded: #"/a", "headers": ["Content-Type: application/json"], "body": {"text": ["{\"a\":1}"]}"#),
        Row(
            name: "a form field", method: "POST", target: "/a", fields: form, body: "a=1&b=2",
            recorded:
                #"/a", "headers": ["Content-Type: application/x-www-form-urlencoded"], "body": {"text": ["a=1&b=3"]}"#),
        Row(
            name: "octets", method: "POST", target: "/a", fields: [("Content-Type", "text/plain")], body: "one",
            recorded: #"/a", "headers": ["Content-Type: text/plain"], "body": {"text": ["two"]}"#),
        Row(
            name: "a field that a rule for all names", target: "/a", fields: [("Accept-Language", "fr")],
            recorded: #"/a", "headers": ["Accept-Language: en"]"#,
            configuration: #"{"version": 1, "match": {"headers": ["Accept-Language"]}}"#),
        Row(
            name: "a field that a route names", target: "/a", fields: [("Accept-Language", "fr")],
            recorded: #"/a", "headers": ["Accept-Language: en"]"#,
            configuration: #"{"version": 1, "routes": {"r": {"match": "GET /a", "headers": ["Accept-Language"]}}}"#),
        Row(
            name: "a body that a route compares exactly", method: "POST", target: "/a", fields: json,
            body: #"{"a": 1}"#,
            recorded: #"/a", "headers": ["Content-Type: application/json"], "body": {"text": ["{\"a\":1}"]}"#,
            configuration: #"{"version": 1, "routes": {"r": {"match": "POST /a", "body": "exact"}}}"#),
        Row(
            name: "an item beside one that a route ignores", target: "/a?t=2&u=2", recorded: #"/a?t=1&u=1""#,
            configuration: #"{"version": 1, "routes": {"r": {"match": "GET /a?*", "ignoreQuery": ["u"]}}}"#),
        Row(
            name: "GraphQL variables", method: "POST", target: "/g", fields: json,
            body: #"{"query":"{a}","variables":{"at":2}}"#,
            recorded:
                #"/g", "headers": ["Content-Type: application/json"], "body": {"text": ["{\"query\":\"{a}\",\"variables\":{\"at\":1}}"]}"#
        ),
    ]

    @Test(arguments: rows)
    func theRuleMakesTheRequestMatch(_ row: Row) async throws {
        let folder = try TemporaryDirectory()
        let file = """
            {"request": {"method": "\(row.method)", "url": "http://api.test\(row.recorded)},
             "response": {"status": 200, "body": {"text": ["recorded"]}}}
            """
        try Interactions.write([file], to: folder.path + "/c")
        let deck = try await RunningDeck.start(
            .replay, cassette: folder.path + "/c", configuration: row.configuration)
        let miss = try await deck.ask(row.method, row.target, row.fields, body: row.body)
        _ = await deck.deck.stop()
        #expect(miss.status == 599)
        let nearest = try #require(try JSONText.parse(miss.body)["nearest"]?.elements?.first)
        let rule = try #require(nearest["rule"]?.text, "\(miss.text)")
        let mended = try await RunningDeck.start(
            .replay, cassette: folder.path + "/c", configuration: try Self.pasted(rule, into: row.configuration))
        #expect(try await mended.ask(row.method, row.target, row.fields, body: row.body).text == "recorded", "\(rule)")
        _ = await mended.deck.stop()
    }

    @Test(arguments: [
        #"{"version": 1, "playback": "error"}"#,
        #"{"version": 1, "routes": {"r": {"match": "GET /a", "playback": "error"}}}"#,
    ])
    func whatWasPlayedAlreadyCanBePlayedAgain(_ configuration: String) async throws {
        let folder = try TemporaryDirectory()
        try Interactions.write([Interactions.file("GET", "/a", #"{"text": ["recorded"]}"#)], to: folder.path + "/c")
        let deck = try await RunningDeck.start(.replay, cassette: folder.path + "/c", configuration: configuration)
        _ = try await deck.ask("GET", "/a")
        let miss = try await deck.ask("GET", "/a")
        _ = await deck.deck.stop()
        let document = try JSONText.parse(miss.body)
        #expect(document["detail"]?.text?.contains("already played once") == true)
        let mended = try await RunningDeck.start(
            .replay, cassette: folder.path + "/c",
            configuration: try Self.pasted(try #require(document["rule"]?.text), into: configuration))
        for _ in 0..<3 { #expect(try await mended.ask("GET", "/a").text == "recorded") }
        _ = await mended.deck.stop()
    }

    /// The command names the host that was recorded.
    @Test func theCommandMakesAnotherHostMatch() async throws {
        let folder = try TemporaryDirectory()
        try Interactions.write([Interactions.file("GET", "/a", #"{"text": ["recorded"]}"#)], to: folder.path + "/c")
        let deck = try await RunningDeck.start(.replay, cassette: folder.path + "/c") {
            $0.upstreams = [NamedUpstream(url: "http://other.test")]
        }
        let miss = try await deck.ask("GET", "/a")
        _ = await deck.deck.stop()
        let command = try #require(try JSONText.parse(miss.body)["nearest"]?.elements?.first?["command"]?.text)
        #expect(command == "tapedeck replay --upstream http://api.test \(folder.path)/c")
        let mended = try await RunningDeck.start(.replay, cassette: folder.path + "/c") {
            $0.upstreams = [NamedUpstream(url: "http://api.test")]
        }
        #expect(try await mended.ask("GET", "/a").text == "recorded")
        _ = await mended.deck.stop()
    }

    /// Puts `"match": {…}`, `"routes.NAME": {…}` or `"playback": …` where it says.
    private static func pasted(_ rule: String, into configuration: String) throws -> String {
        let member = try #require(try JSONText.parse(Array("{\(rule)}".utf8)).members?.first)
        let path = member.key.text.split(separator: ".").map(String.init)
        var document = try JSONText.parse(Array(configuration.utf8))
        document = merged(document, path[...], member.value)
        return String(decoding: JSONText.write(document, layout: .compact), as: UTF8.self)
    }

    private static func merged(_ old: JSONValue, _ path: ArraySlice<String>, _ new: JSONValue) -> JSONValue {
        var members = old.members ?? []
        guard let key = path.first else {
            guard let added = new.members else { return new }
            members.removeAll { member in added.contains { $0.key == member.key } }
            return .object(members + added)
        }
        let index = members.firstIndex { $0.key.isText(key) }
        let value = merged(index.map { members[$0].value } ?? .object([]), path.dropFirst(), new)
        if let index { members[index].value = value } else { members.append(JSONMember(key, value)) }
        return .object(members)
    }
}
