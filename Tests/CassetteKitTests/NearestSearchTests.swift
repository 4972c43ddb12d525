import HTTPCore
import TestSupport
import Testing

@testable import CassetteKit

@Suite struct NearestSearchTests {
    private func interaction(_ name: String, _ raw: RawRequest) -> Interaction {
        let request = RecordedRequest(
            method: raw.method, scheme: raw.scheme, authority: raw.authority, target: raw.target, fields: raw.fields,
            body: raw.body.map { RecordedBody(.text($0)) })
        return Interaction(
            name: name, request: request, outcome: .response(RecordedResponse(status: 200, reason: octets("OK"))))
    }

    private func report(
        _ raw: RawRequest, _ recorded: [Interaction], _ rules: MatchRules = MatchRules(), cassette: String? = "c"
    ) -> MissReport {
        let matcher = Matcher(sanitizer: Sanitizer(codecs: testCodecs), rules: rules)
        return MissReport(raw, interactions: recorded, matcher: matcher, cassette: cassette)
    }

    private var cassette: [Interaction] {
        [
            interaction("get-items.1a2b3c.1.json", request("GET", "/items?limit=5&t=1")),
            interaction("get-items-17.4d5e6f.1.json", request("GET", "/items/17")),
            interaction("get-users.7a8b9c.1.json", request("GET", "/users?limit=5")),
            interaction("post-items.0d1e2f.1.json", jsonRequest(#"{"sku":"A","n":1,"tags":["x"]}"#, "/items")),
        ]
    }

    @Test func namesTheNearestAndTheRuleThatWouldMatch() {
        let shown = report(request("GET", "/items?limit=5&t=2"), cassette).text
        let expected = """
            599 No Recorded Interaction

            GET https://api.example.test/items?limit=5&t=2

            Nearest:
            1. get-items.1a2b3c.1.json
               GET https://api.example.test/items?limit=5&t=1
               - query item t: "2", recorded "1"
               To match it: "match": {"ignoreQuery": ["t"]} in tapedeck.json
            2. get-users.7a8b9c.1.json
               GET https://api.example.test/users?limit=5
               - path segment 1: items, recorded users
               - query item t: "2", not recorded
            3. get-items-17.4d5e6f.1.json
               GET https://api.example.test/items/17
               - path segment 2: missing, recorded 17
               - query item limit: "5", not recorded
               - query item t: "2", not recorded

            To record it: tapedeck record --mode new --upstream https://api.example.test c

            """
        #expect(shown == expected)
    }

    @Test func namesPlacesInJSON() throws {
        let raw = jsonRequest(#"{"n":1.0,"sku":"B","tags":["y","z"],"password":"planted"}"#, "/items")
        let report = report(raw, cassette)
        let nearest = try #require(report.nearest.first)
        #expect(nearest.name == "post-items.0d1e2f.1.json")
        #expect(
            nearest.differences.map(\.description) == [
                #"body /sku: "B", recorded "A""#, #"body /tags/0: "y", recorded "x""#,
                #"body /tags/1: "z", not recorded"#,
                #"body /password: "REDACTED-passwords", not recorded"#,
            ])
        #expect(report.fix(nearest) == #""match": {"ignoreBody": ["/sku", "/tags/*", "/password"]}"#)
        #expect(!report.text.contains("planted") && !text(report.problem).contains("planted"))
    }

    @Test func writesProblemDetails() {
        let shown = text(report(request("GET", "/items?limit=5&t=1&x"), [cassette[0]], cassette: "my tapes/a").problem)
        let expected = #"""
            {
              "title": "No Recorded Interaction",
              "status": 599,
              "detail": "GET https://api.example.test/items?limit=5&t=1&x is not recorded; the nearest is get-items.1a2b3c.1.json",
              "request": {
                "method": "GET",
                "url": "https://api.example.test/items?limit=5&t=1&x"
              },
              "nearest": [
                {
                  "interaction": "get-items.1a2b3c.1.json",
                  "method": "GET",
                  "url": "https://api.example.test/items?limit=5&t=1",
                  "distance": 4,
                  "differences": [
                    {
                      "place": "query item x",
                      "request": "no value",
                      "recorded": null
                    }
                  ],
                  "rule": "\"match\": {\"ignoreQuery\": [\"x\"]}"
                }
              ],
              "command": "tapedeck record --mode new --upstream https://api.example.test 'my tapes/a'"
            }

            """#
        #expect(shown == expected)
    }

    @Test func saysSoWhenNothingIsRecorded() {
        let report = report(request("GET", "/a?api_key=sk_test_0011223344556677"), [], cassette: nil)
        #expect(report.logLine == "miss GET https://api.example.test/a?api_key=REDACTED-api_key: nothing is recorded")
        #expect(report.text.contains("Nothing is recorded.\n"))
        #expect(report.command.hasSuffix(" CASSETTE"))
    }

    @Test func secretsAreNoDifference() throws {
        let recorded = interaction(
            "a.json", request("GET", "/a?token=REDACTED-access_token.post-login.77ab01.1&x=1"))
        let nearest = try #require(report(request("GET", "/a?token=planted&x=2"), [recorded]).nearest.first)
        #expect(nearest.differences.map(\.description) == [#"query item x: "2", recorded "1""#])
    }

    @Test func comparesFieldsFormsAndOctets() throws {
        let rules = MatchRules(headers: ["Accept"])
        let left = request(
            "POST", "/", [("Accept", "a/b"), ("Content-Type", "application/x-www-form-urlencoded")], body: "x=1&y=2")
        let right = request(
            "POST", "/", [("Accept", "a/c"), ("Content-Type", "application/x-www-form-urlencoded")], body: "x=1&y=3")
        let form = report(left, [interaction("a.json", right)], rules)
        let nearest = try #require(form.nearest.first)
        #expect(
            nearest.differences.map(\.description) == [
                "field Accept: a/b, recorded a/c", #"form field y: "2", recorded "3""#,
            ])
        #expect(form.fix(nearest) == #""match": {"ignoreBody": ["/y"], "headers": []}"#)
        let octets = report(
            request("POST", "/", body: "abc"), [interaction("a.json", request("POST", "/", body: "ab"))])
        let other = try #require(octets.nearest.first)
        #expect(other.differences.map(\.description) == ["body octets: 3 octets, recorded 2 octets"])
        #expect(octets.fix(other) == #""match": {"body": "ignore"}"#)
    }

    @Test func isBoundedInCountAndSize() throws {
        let many = (0..<40).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        let long = String(repeating: "x", count: 5000)
        let raw = jsonRequest(#"{"a":"\#(long)",\#(many)}"#)
        let nearest = try #require(report(raw, [interaction("a.json", jsonRequest("{}"))]).nearest.first)
        #expect(nearest.differences.count == NearestSearch.differencesLimit)
        #expect(nearest.further > 0)
        #expect(nearest.differences.allSatisfy { $0.description.utf8.count < 200 })
    }

    @Test func equalRequestsAreNamedOnce() {
        let twice = [cassette[0], interaction("get-items.1a2b3c.2.json", request("GET", "/items?limit=5&t=1"))]
        #expect(report(request("GET", "/items"), twice).nearest.map(\.name) == ["get-items.1a2b3c.1.json"])
    }

    @Test(arguments: [
        ("", true), ("*/*", true), ("application/json", true), ("application/problem+json", true),
        ("application/*", true),
        ("text/html", false), ("text/plain, application/json;q=0", false), ("image/*,*/*;q=0.8", true),
    ])
    func answersInTextWhereJSONIsRefused(_ accept: String, _ isJSON: Bool) {
        let fields = accept.isEmpty ? Fields() : Fields([("Accept", accept)])
        let (head, body) = report(request("GET", "/a"), []).response(accept: fields.all("Accept"))
        #expect(head.status == 599 && text(head.reason) == "No Recorded Interaction")
        #expect(head.fields.text("Tapedeck-Miss") == "1" && head.fields.text("Cache-Control") == "no-store")
        #expect((head.fields.text("Content-Type") == "application/problem+json") == isJSON)
        #expect(text(body).hasPrefix(isJSON ? "{" : "599 "))
    }

    /// A clock that runs on by a step whenever somebody looks.
    private func limits(step: Duration, time: Duration) -> NearestLimits {
        let clock = ManualClock()
        var limits = NearestLimits {
            clock.advance(by: step)
            return clock.now()
        }
        limits.time = time
        return limits
    }

    @Test func theSearchEndsWithItsTimeAndSaysSo() throws {
        let matcher = Matcher(sanitizer: Sanitizer(codecs: testCodecs))
        let recorded = (0..<5_000).map { interaction("get-\($0).000000.1.json", request("GET", "/items/\($0)")) }
        // Looked at in turns of 64: three are over before the fourth look at the clock.
        let report = MissReport(
            request("GET", "/items/none"), interactions: recorded, matcher: matcher, cassette: "c",
            limits: limits(step: .milliseconds(10), time: .milliseconds(25)))
        #expect(report.lookedAt == 192)
        #expect(report.nearest.count == 3)
        #expect(report.text.contains("(of the first 192 interactions: the search was ended)"))
        #expect(try JSONText.parse(report.problem)["lookedAt"]?.integer == 192)
    }

    @Test func theSearchEndsWithItsCount() {
        let matcher = Matcher(sanitizer: Sanitizer(codecs: testCodecs))
        let recorded = (0..<100).map { interaction("get-\($0).000000.1.json", request("GET", "/items/\($0)")) }
        var limits = NearestLimits()
        limits.count = 10
        let report = MissReport(
            request("GET", "/items/99"), interactions: recorded, matcher: matcher, cassette: "c", limits: limits)
        #expect(report.lookedAt == 10)
        limits.count = 100
        let whole = MissReport(
            request("GET", "/items/99/x"), interactions: recorded, matcher: matcher, cassette: "c", limits: limits)
        #expect(whole.lookedAt == nil)
        #expect(whole.nearest.first?.name == "get-99.000000.1.json")
    }
}
