import CassetteKit
import DeckRules
import HTTPCore
import SystemIO
import TestSupport
import Testing

@testable import DeckEngine

@Suite struct ConfigurationTests {
    static let example = #"""
        {
          "version": 1,
          "upstream": "https://staging.example.com",
          "allowUpstreams": ["*.staging.example.com"],        // modes that connect refuse every other host
          "routes": {
            "login":      {"match": "POST /api/v1/login", "auth": true},
            "itemList":   {"match": "GET /api/v1/items?limit={limit}"},
            "itemDetail": {"match": "GET /api/v1/items/{itemId}",
                           "variants": {"soldOut": {"status": 409, "bodyFile": "sold-out-{itemId}.json"}}},
            "viewer":     {"match": "POST /graphql", "graphql": "Viewer"},
            "analytics":  {"match": "* /collect/{rest...}?*", "record": false, "variants": {"default": {"status": 204}}},
          },
          "variants": {"serverError": {"bodyFile": "errors/500.json"}},     // for all routes
          "scenarios": {
            "signed-out": {"*": "unauthorized"},
            "train":      {"*": "slow", "itemDetail": "timeout"},
          },
        }
        """#

    @Test func readsTheExample() throws {
        var asked: [String] = []
        let configuration = try Configuration.parse(Array(Self.example.utf8), file: "conf/tapedeck.json") { path in
            asked.append(path)
            return Array("{}".utf8)
        }
        #expect(asked == ["conf/errors/500.json"])
        #expect(configuration.folder == "conf" && configuration.file == "conf/tapedeck.json")
        #expect(configuration.upstreams == [NamedUpstream(url: "https://staging.example.com")])
        #expect(configuration.allowUpstreams?.map(\.description) == ["*.staging.example.com"])
        let rules = configuration.rules
        #expect(rules.table.routes.map(\.name) == ["login", "itemList", "itemDetail", "viewer", "analytics"])
        #expect(rules.table.routes.map(\.isAuth) == [true, false, false, false, false])
        #expect(rules.table.routes.map(\.isRecorded) == [true, true, true, true, false])
        #expect(rules.table.routes[3].operation == "Viewer")
        #expect(rules.scenarios["train"]?.star == "slow")
        #expect(rules.scenarios["train"]?.entries == ["itemDetail": "timeout"])
        #expect(rules.scenario == nil)
        guard case .own(let answer) = rules.variant("serverError", route: 0)?.answer else {
            Issue.record("serverError brings no answer")
            return
        }
        #expect(answer.status == 500 && answer.body?.octets == Array("{}".utf8))
        #expect(configuration.warnings.isEmpty)
    }

    @Test func sets() throws {
        let configuration = try read(
            #"""
            {"version": 1, "upstreams": {"api": "HTTPS://Example.com:8443/", "cdn": "http://[::1]:80"},
             "ignoreHosts": ["metrics.example.com", "*.ads.example.com:8080"],
             "playback": "loop", "latency": {"uniform": {"min": "100ms", "max": "1.5s"}}, "bandwidth": "edge",
             "listen": "127.0.0.1:0", "control": "off", "missStatus": 404, "seed": 7,
             "match": {"ignoreQuery": ["utm"], "ignoreBody": ["/a/*/b"], "headers": ["Accept"], "body": "exact",
                       "graphql": "operation"},
             "routes": {"a": {"match": "GET /a", "ignoreQuery": "t", "body": "ignore", "playback": "error",
                              "optional": true, "restart": true}}}
            """#)
        #expect(
            configuration.upstreams == [
                NamedUpstream(name: "api", url: "https://example.com:8443"),
                NamedUpstream(name: "cdn", url: "http://[::1]:80"),
            ])
        #expect(configuration.ignoreHosts.contains { $0.takes(host: "x.ads.example.com", port: 8_080) })
        #expect(configuration.playback == .loop)
        #expect(configuration.rules.latency == .uniform(min: .milliseconds(100), max: .milliseconds(1_500)))
        #expect(configuration.rules.bandwidth == Bandwidth.named("edge"))
        #expect(configuration.options.listen == "127.0.0.1:0" && configuration.options.control == "off")
        #expect(configuration.options.missStatus == 404 && configuration.options.seed == 7)
        #expect(configuration.rules.seed == 7)
        #expect(configuration.match.ignoreQuery == ["utm"] && configuration.match.ignoreBody == ["/a/*/b"])
        #expect(configuration.match.headers == ["Accept"])
        #expect(configuration.match.body == .exact && configuration.match.graphql == .operation)
        #expect(configuration.routeMatch["a"]?.ignoreQuery == ["t"] && configuration.routeMatch["a"]?.body == .ignore)
        let route = try #require(configuration.rules.table.routes.first)
        #expect(route.playback == .error && route.isOptional && route.restarts)
        let match = configuration.rules.table.route(method: "GET", path: Array("/a".utf8), query: Array("t&utm=1".utf8))
        #expect(match.index == 0)
    }

    @Test func readsEverythingThatAVariantMaySay() throws {
        let configuration = try read(
            #"""
            {"version": 1, "routes": {"a": {"match": "GET /a", "variants": {
              "own": {"status": 418, "headers": {"X-A": ["1", "2"], "X-N": 3}, "body": {"a": 1.50}, "latency": "300ms",
                      "bandwidth": 1000},
              "lines": {"headers": ["X-A: 1", "x-a: 2", "Content-Type: text/html"], "body": "<p>"},
              "edited": {"set": {"/a": null}, "remove": ["/b"], "keep": {"/l": 1}, "repeat": {"/m": 5}, "emptyAt": "/n",
                         "headers": {"ETag": null}},
              "planned": {"fault": "stall", "after": 1, "times": 2, "every": 3, "probability": 0.5, "for": "10s",
                          "then": "own"},
              "tail": {"latency": {"lognormal": {"median": "80ms", "p99": "900ms"}}},
              "taped": {"latency": {"recorded": {"speed": 2}}},
            }}}}
            """#)
        let rules = configuration.rules
        let own = try #require(rules.variant("own", route: 0))
        guard case .own(let answer) = own.answer else {
            Issue.record("own brings no answer")
            return
        }
        #expect(answer.status == 418 && answer.body?.octets == Array(#"{"a":1.50}"#.utf8))
        #expect(
            answer.fields
                == Fields([("Content-Type", "application/json"), ("X-A", "1"), ("X-A", "2"), ("X-N", "3")]))
        #expect(own.latency == .fixed(.milliseconds(300)) && own.bandwidth == Bandwidth(bytesPerSecond: 1_000))
        guard case .own(let lines) = rules.variant("lines", route: 0)?.answer else {
            Issue.record("lines brings no answer")
            return
        }
        #expect(lines.fields == Fields([("X-A", "1"), ("X-A", "2"), ("Content-Type", "text/html")]))
        guard case .recorded(let edits) = rules.variant("edited", route: 0)?.answer else {
            Issue.record("edited does not change the recorded answer")
            return
        }
        var body = try JSONText.parse(Array(#"{"a":1,"b":2,"l":[1,2],"m":[3],"n":[4]}"#.utf8))
        #expect(edits.body.apply(to: &body) == [])
        #expect(JSONText.write(body, layout: .compact) == Array(#"{"a":null,"l":[1],"m":[3,3,3,3,3],"n":[]}"#.utf8))
        let plan = try #require(rules.variant("planned", route: 0)).plan
        #expect(plan.after == 1 && plan.times == 2 && plan.every == 3 && plan.probability == 0.5)
        #expect(plan.duration == .seconds(10) && plan.then == "own")
        #expect(
            rules.variant("tail", route: 0)?.latency == .lognormal(median: .milliseconds(80), p99: .milliseconds(900)))
        #expect(rules.variant("taped", route: 0)?.latency == .recorded(speed: 2))
    }

    @Test func readsWhatIsSecret() throws {
        let configuration = try read(
            #"""
            {"version": 1, "sanitize": {
              "rules": [{"id": "mine", "headers": ["X-Key"], "query": ["k"], "form": ["f"], "names": ["n"], "json": ["/a/*"]}],
              "off": ["pins"], "secretsFrom": ["API_TOKEN"], "secretsFile": "secrets.txt", "literals": ["1/xYz+9==-token"],
              "pathSegments": ["/users/{id}/cards"]}}
            """#)
        let sanitizing = configuration.sanitizing
        #expect(sanitizing.rules.map(\.id) == ["mine"])
        #expect(sanitizing.rules.first?.json == ["/a/*"])
        #expect(sanitizing.rules.first?.action == nil)
        #expect(sanitizing.off == ["pins"] && sanitizing.secretsFrom == ["API_TOKEN"])
        #expect(sanitizing.secretsFile == "secrets.txt")
        #expect(sanitizing.literals == ["1/xYz+9==-token"])
        #expect(sanitizing.pathSegments == ["/users/{id}/cards"])
        #expect(configuration.warnings.map(\.path) == ["$.sanitize.literals"])
        #expect(!configuration.warnings.contains { $0.description.contains("xYz") })
    }

    @Test func readsEveryPlaceAndActionOfARule() throws {
        let configuration = try read(
            #"""
            {"version": 1, "sanitize": {"rules": [
              {"id": "a", "cookies": ["_ga"], "path": ["/users/{id}"], "patterns": ["x([0-9]+)"], "action": "remove"},
              {"id": "b", "json": ["/id"], "action": "link"},
              {"id": "c", "query": ["q"], "action": "fixed", "value": "v"},
              {"id": "tokens", "except": ["pageToken"]}, {"id": "email-addresses", "action": "keepShape"}]}}
            """#)
        let rules = configuration.sanitizing.rules
        #expect(rules.map(\.action) == [.remove, .link, .fixed("v"), nil, .keepShape])
        #expect(rules[0].cookies == ["_ga"] && rules[0].path == ["/users/{id}"] && rules[0].patterns.count == 1)
        #expect(rules[3].except == ["pageToken"] && rules.map(\.isBuiltIn) == [false, false, false, true, true])
    }

    @Test func anExceptionNeedsABuiltInRule() throws {
        #expect(throws: ConfigurationError.self) {
            try read(#"{"version": 1, "sanitize": {"rules": [{"id": "own", "names": ["a"], "except": ["b"]}]}}"#)
        }
        #expect(throws: ConfigurationError.self) {
            try read(#"{"version": 1, "sanitize": {"rules": [{"id": "tokens"}]}}"#)
        }
    }

    @Test func loadsAFileAndWhatLiesBesideIt() throws {
        let directory = try TemporaryDirectory()
        let text = #"{"version": 1, "variants": {"notFound": {"bodyFile": "404.html"}}}"#
        try Files.writeAtomically(Array(text.utf8), to: directory.file("tapedeck.json"))
        try Files.writeAtomically(Array("<p>".utf8), to: directory.file("404.html"))
        let configuration = try Configuration.load(directory.file("tapedeck.json"))
        guard case .own(let answer) = configuration.rules.variant("notFound", route: nil)?.answer else {
            Issue.record("notFound brings no answer")
            return
        }
        #expect(answer.body?.octets == Array("<p>".utf8))
        #expect(answer.fields.text("Content-Type") == "text/html; charset=utf-8")
    }

    /// Small configurations of the kind that people begin with.
    @Test(arguments: [
        #"{"version": 1}"#,
        #"{"version": 1, "sanitize": {"literals": ["ab/cd+ef\"gh"]}}"#,
        #"{"version": 1, "routes": {"it": {"match": "GET /la/{rest...}", "variants": {"odd": {"latency": "300ms"}}}}, "scenarios": {"s": {"it": "odd"}}, "scenario": "s"}"#,
        #"{"version": 1, "routes": {"it": {"match": "HEAD /fa/3", "variants": {"odd": {"status": 503, "body": "injected"}}}}, "scenarios": {"s": {"it": "odd"}}, "scenario": "s"}"#,
        "// nothing but a comment before it\n{\"version\": 1,}\n",
    ]) func reads(_ text: String) throws {
        #expect(try read(text).rules.validate() == [])
    }

    private func read(_ text: String) throws -> Configuration {
        try Configuration.parse(Array(text.utf8), file: "tapedeck.json") { _ in nil }
    }
}
