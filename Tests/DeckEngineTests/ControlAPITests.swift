import CassetteKit
import ControlAPI
import Foundation
import HTTPCore
import SystemIO
import TapedeckClient
import TestSupport
import Testing
import Transport

@testable import DeckEngine

/// The control API: what it refuses, what it tells, and that its description is true.
@Suite struct ControlAPITests {
    private static let configuration = """
        {"version": 1, "routes": {
          "items": {"match": "GET /items", "variants": {"default": {"status": 200, "body": "fine"}}},
          "login": {"match": "POST /login", "auth": true, "variants": {"default": {"status": 200, "body": "in"}}}}}
        """

    private func deck(_ change: (inout DeckOptions) -> Void = { _ in }) async throws -> RunningDeck {
        try await RunningDeck.start(.replay, configuration: Self.configuration, control: true, change: change)
    }

    private func send(_ deck: RunningDeck, _ head: String, body: String = "") throws -> RawClient.Response {
        let client = try RawClient(port: deck.controlPort)
        let host = head.contains("Host:") ? "" : "\r\nHost: localhost:\(deck.controlPort)"
        try client.send("\(head)\(host)\r\nConnection: close\r\n\r\n\(body)")
        return try client.readResponse()
    }

    @Test(arguments: [
        ("GET /health HTTP/1.1\r\nHost: evil.example", 403, "host"),
        ("PUT /offline HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 2", 415, "media-type"),
        (
            "POST /reset HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 2", 415,
            "media-type"
        ),
        ("PUT /offline HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2", 400, "document"),
        ("GET /nowhere HTTP/1.1", 404, "unknown-resource"), ("DELETE /health HTTP/1.1", 405, "method"),
        ("GET /health?session=nobody HTTP/1.1", 404, "unknown-session"),
        ("POST /reload HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2", 422, "configuration"),
    ])
    func refusesInWords(head: String, status: Int, type: String) async throws {
        let deck = try await deck()
        let answer = try send(deck, head, body: head.contains("Content-Length") ? "{}" : "")
        #expect(answer.status == status)
        #expect(answer.field("Content-Type") == "application/problem+json")
        let problem = try JSONDecoder().decode(ControlAPI.Problem.self, from: Data(answer.body))
        #expect(problem.type == type && problem.status == status)
        #expect(problem.detail?.isEmpty == false && problem.advice?.isEmpty == false)
        #expect(answer.field("Access-Control-Allow-Origin") == nil)
        if status == 405 { #expect(answer.field("Allow") == "GET") }
        _ = await deck.deck.stop()
    }

    @Test func takesNoMebibyte() async throws {
        let deck = try await deck()
        let answer = try send(
            deck, "PUT /offline HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: \(1 << 20)",
            body: String(repeating: " ", count: 1 << 17))
        #expect(answer.status == 413)
        _ = await deck.deck.stop()
    }

    @Test func wantsTheTokenAndAllOfIt() async throws {
        let deck = try await deck { $0.controlToken = "t0ken" }
        for (field, status) in [
            ("", 401), ("\r\nAuthorization: Bearer t0ke", 401), ("\r\nAuthorization: Bearer t0ken", 200),
        ] {
            #expect(try send(deck, "GET /health HTTP/1.1\(field)").status == status)
        }
        _ = await deck.deck.stop()
    }

    @Test func anAddressThatIsNotLoopbackNeedsAToken() async throws {
        for (token, isFine) in [(nil, false), ("t0ken", true)] as [(String?, Bool)] {
            do {
                let deck = try await deck {
                    $0.control = ListenAddress(host: "0.0.0.0", port: 0)
                    $0.controlToken = token
                }
                #expect(isFine)
                _ = await deck.deck.stop()
            } catch let error as DeckError {
                #expect(!isFine && error.kind == .usage && error.advice.contains("--control-token"))
            }
        }
    }

    @Test func anExpiredTokenIsDealtOnceAndSparesTheLogin() async throws {
        let deck = try await deck()
        #expect(try await deck.control("POST", "/expire-token", "{}").text.contains(#""pending" : 1"#))
        #expect(try await deck.ask("POST", "/login", body: "x").status == 200)
        #expect(try await deck.ask("GET", "/items").status == 401)
        #expect(try await deck.ask("GET", "/items").status == 200)
        _ = await deck.deck.stop()
    }

    @Test func resetTakesEveryChoiceBack() async throws {
        let deck = try await deck { $0.faults = ["items=serverError,times=1"] }
        #expect(try await deck.ask("GET", "/items").status == 500)
        _ = try await deck.control("PUT", "/routes/items/variant", #"{"variant": "forbidden"}"#)
        #expect(try await deck.ask("GET", "/items").status == 403)
        let reset = try await deck.control("POST", "/reset", "{}")
        #expect(reset.status == 200 && reset.text.contains("\"requests\" : 2"), "what was counted stays: \(reset.text)")
        #expect(try await deck.control("GET", "/journal").text.contains("\"entries\" : [\n\n  ]"))
        #expect(try await deck.ask("GET", "/items").status == 500)
        #expect(try await deck.ask("GET", "/items").status == 200)
        _ = await deck.deck.stop()
    }

    /// What a page that shows a deck has to ask for.
    @Test func diagnosticsAreAllThere() async throws {
        let deck = try await deck {
            $0.upstreams = [
                NamedUpstream(url: "https://api.test"), NamedUpstream(name: "auth", url: "https://auth.test"),
            ]
        }
        _ = try await deck.control("PUT", "/latency", #"{"latency": "20ms"}"#)
        _ = try await deck.control("POST", "/sessions", #"{"name": "s"}"#)
        let health = try JSONDecoder().decode(
            Health.self, from: Data(try await deck.control("GET", "/health").body))
        #expect(health.latency == "20ms" && health.sessions == 1 && health.mode == .replay)
        #expect(
            health.upstreams == [
                UpstreamState(url: "https://api.test"), UpstreamState(name: "auth", url: "https://auth.test"),
            ])
        #expect(health.version == ProgramVersion.current)
        let other = try JSONDecoder().decode(
            Health.self, from: Data(try await deck.control("GET", "/health?session=s").body))
        #expect(other.latency == "none")
        _ = await deck.deck.stop()
    }

    @Test func metricsCountByRouteOutcomeAndFault() async throws {
        let deck = try await deck { $0.faults = ["items=emptyResponse,times=1"] }
        await #expect(throws: WireError.self) { try await deck.ask("GET", "/items") }
        for _ in 0..<2 { _ = try await deck.ask("GET", "/items") }
        _ = try await deck.ask("GET", "/else")
        let lines = try await deck.control("GET", "/metrics").text.split(separator: "\n").map(String.init)
        for expected in [
            #"tapedeck_exchanges_total{route="items",outcome="fault",fault="emptyResponse"} 1"#,
            #"tapedeck_exchanges_total{route="items",outcome="own",fault=""} 2"#,
            #"tapedeck_exchanges_total{route="",outcome="miss",fault=""} 1"#,
            "tapedeck_exchange_seconds_count 4", #"tapedeck_exchange_seconds_bucket{le="+Inf"} 4"#,
        ] { #expect(lines.contains(expected), "\(expected) in \(lines)") }
        #expect(lines.contains { $0.hasPrefix("tapedeck_upstream_connections_total ") })
        _ = await deck.deck.stop()
    }

    @Test func eventsComeAsTheyHappenAndEndWithTheDeck() async throws {
        let deck = try await deck()
        let listener = try RawClient(port: deck.controlPort)
        try listener.send("GET /events HTTP/1.1\r\nHost: localhost:\(deck.controlPort)\r\n\r\n")
        _ = try listener.readThrough(": events of a tapedeck\n\n")
        _ = try await deck.control("PUT", "/latency", #"{"latency": "1ms"}"#)
        _ = try await deck.ask("GET", "/items?token=planted-secret")
        _ = await deck.deck.stop()
        let text = String(decoding: listener.readToEnd().octets, as: UTF8.self)
        #expect(
            text.contains("event: change\ndata: {\"session\":\"default\",\"value\":\"1ms\",\"what\":\"latency\"}\n\n"))
        #expect(text.contains("event: exchange\ndata: {") && text.contains(#""outcome":"miss""#))
        #expect(!text.contains("planted"))
        #expect(text.hasSuffix("\r\n0\r\n\r\n"))
    }

    @Test func eventsOfOneSessionAreThoseOfNoOther() async throws {
        let deck = try await deck { $0.makesSessions = true }
        _ = try await deck.ask("GET", "/_deck/one/items")
        let listener = try RawClient(port: deck.controlPort)
        try listener.send("GET /events?session=one HTTP/1.1\r\nHost: localhost:\(deck.controlPort)\r\n\r\n")
        _ = try listener.readThrough(": events of a tapedeck\n\n")
        _ = try await deck.ask("GET", "/_deck/two/items?two")
        _ = try await deck.control("PUT", "/latency?session=two", #"{"latency": "2ms"}"#)
        _ = try await deck.control("PUT", "/latency?session=one", #"{"latency": "1ms"}"#)
        _ = try await deck.control("DELETE", "/sessions/one")
        #expect(try await deck.control("GET", "/events?session=nobody").status == 404)
        _ = await deck.deck.stop()
        let text = String(decoding: listener.readToEnd().octets, as: UTF8.self)
        #expect(text.contains(#""value":"1ms""#) && text.contains(#""value":"closed","what":"session""#), "\(text)")
        #expect(!text.contains("two") && !text.contains("2ms"), "\(text)")
    }

    /// What a route named by somebody can do to a line of figures.
    @Test func labelsOfMetricsAreEscaped() {
        let metrics = Metrics()
        metrics.count(
            JournalEntry(
                method: "GET", target: "/", route: "a\"b\\c\r\nd", variant: nil, status: 200, outcome: .own, octets: 0,
                duration: .milliseconds(3)))
        let text = String(decoding: metrics.text(connections: 0, lookUps: 0), as: UTF8.self)
        #expect(text.contains(#"{route="a\"b\\c"# + "\r" + #"\nd",outcome="own",fault=""} 1"#), "\(text)")
    }

    @Test func everyDocumentOfTheTableIsDescribed() throws {
        let schemas = try JSONText.parse(openAPIDocument)["components"]?["schemas"]
        let named = Set((schemas?.members ?? []).map(\.key.text))
        var wanted: Set<String> = ["Problem", "ExchangeEvent", "ChangeEvent"]
        for resource in ControlResource.all {
            wanted.formUnion([resource.takes.body?.document, resource.gives.document].compactMap { $0 })
        }
        #expect(wanted.subtracting(named) == [""], "an object of any kind has no name")
        for document in ControlDocument.all {
            for name in try DocumentShape.all(of: document.type).keys {
                #expect(named.contains(name), "\(name), which \(document.type) holds")
            }
            let members = try DocumentShape.all(of: document.type)[String(describing: document.type)]?.members ?? []
            let strangers = Set(document.notes.keys).subtracting(members.map(\.name))
            #expect(strangers.isEmpty, "\(document.type) has no \(strangers)")
        }
    }

    @Test func theShapeOfADocumentIsThatOfItsType() throws {
        let shape = try #require(try DocumentShape.all(of: SessionRequest.self)["SessionRequest"])
        #expect(shape.members.allSatisfy { $0.isOptional })
        #expect(shape.members.first { $0.name == "faults" }?.kind == .list(.text))
        #expect(shape.members.first { $0.name == "seed" }?.kind == .natural)
        let shapes = try DocumentShape.all(of: Health.self)
        #expect(
            shapes["Health"]?.members.first { $0.name == "mode" }?.kind == .choice(["record", "replay", "passthrough"]))
        #expect(shapes["Health"]?.members.last == .init(name: "counts", kind: .document("Counts"), isOptional: false))
        #expect(shapes["Counts"]?.members.count == 4)
        #expect(throws: DecodingError.self) { _ = try DocumentShape.all(of: Set<Int>.self) }
    }

    @Test(arguments: ["status=x", "after=-1", "outcome=hits", "limit=1e3"])
    func aQueryThatMeansNothingIsRefused(query: String) async throws {
        let deck = try await deck()
        let answer = try await deck.control("GET", "/journal?\(query)")
        #expect(answer.status == 400 && answer.text.contains(#""type" : "query""#), "\(answer.text)")
        _ = await deck.deck.stop()
    }

    @Test func theDescriptionHasEveryResourceAndNoOther() throws {
        let document = try JSONText.parse(openAPIDocument)
        let described = (document["paths"]?.members ?? []).flatMap { path in
            (path.value.members ?? []).map { "\($0.key.text.uppercased()) \(path.key.text)" }
        }
        #expect(described.sorted() == ControlResource.all.map { "\($0.method) \($0.path)" }.sorted())
    }

    @Test(arguments: ["health", "routes", "scenarios", "events"])
    func theDescriptionHasTheMembersThatAreSent(resource: String) async throws {
        let deck = try await deck { $0.scenario = nil }
        let schemas = try JSONText.parse(openAPIDocument)["components"]?["schemas"]
        let (name, sent): (String, JSONValue)
        switch resource {
        case "events":
            let event = ExchangeEvent(
                session: "default", number: 1, method: "GET", target: "/", route: "a", variant: "b", status: 200,
                outcome: "own", octets: 3, milliseconds: 1)
            (name, sent) = ("ExchangeEvent", try JSONText.parse(Array(JSONEncoder().encode(event))))
        default:
            name = ["health": "Health", "routes": "RouteList", "scenarios": "ScenarioList"][resource] ?? ""
            sent = try JSONText.parse(try await deck.control("GET", "/" + resource).body)
        }
        let schema = schemas?[name]
        let known = Set((schema?["properties"]?.members ?? []).map(\.key.text))
        let keys = Set((sent.members ?? []).map(\.key.text))
        #expect(keys.isSubset(of: known), "\(keys.subtracting(known))")
        let required = Set((schema?["required"]?.elements ?? []).compactMap(\.text))
        #expect(required.isSubset(of: keys), "\(required.subtracting(keys))")
        _ = await deck.deck.stop()
    }

    @Test func theSchemaHasTheKeysThatTheReaderKnows() throws {
        let schema = try JSONText.parse(Array(configurationSchema.utf8))
        let keys = { (value: JSONValue?) in Set((value?["properties"]?.members ?? []).map(\.key.text)) }
        #expect(keys(schema) == Set(ConfigurationReader.rootKeys))
        #expect(keys(schema["properties"]?["routes"]?["additionalProperties"]) == Set(ConfigurationReader.routeKeys))
        #expect(
            keys(schema["$defs"]?["variants"]?["additionalProperties"]) == Set(ConfigurationReader.variantKeys))
        let sanitize = schema["properties"]?["sanitize"]
        #expect(keys(sanitize) == Set(ConfigurationReader.sanitizeKeys))
        #expect(
            keys(sanitize?["properties"]?["rules"]?["items"]) == Set(ConfigurationReader.sanitizerRuleKeys))
    }

    @Test func theCommittedSchemaIsTheProgramsOwn() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let committed = try Files.read(
            root.appendingPathComponent("Sources/DeckEngine/Configuration/tapedeck.schema.json").path)
        #expect(String(decoding: committed, as: UTF8.self) == configurationSchema)
    }
}
