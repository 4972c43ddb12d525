import HTTPCore
import TestSupport
import Testing

@testable import CassetteKit

/// What a miss says in fifteen situations, held by reviewed files.
@Suite struct MissGoldenTests {
    struct Situation: Sendable, CustomStringConvertible {
        var name: String
        var asked: RawRequest
        var recorded: [RawRequest]
        var rules = MatchRules()
        var playedTimes: Int?
        var cassette: String? = "cassettes/shop"
        var description: String { name }
    }

    static let situations: [Situation] = [
        Situation(name: "nothing-recorded", asked: request("GET", "/items"), recorded: []),
        Situation(name: "without-cassette", asked: request("GET", "/items"), recorded: [], cassette: nil),
        Situation(name: "other-method", asked: request("PUT", "/items/1"), recorded: [request("GET", "/items/1")]),
        Situation(name: "other-host", asked: host(request("GET", "/items")), recorded: [request("GET", "/items")]),
        Situation(name: "other-segment", asked: request("GET", "/items/18"), recorded: [request("GET", "/items/17")]),
        Situation(
            name: "query-value", asked: request("GET", "/items?page=2&t=9"),
            recorded: [request("GET", "/items?page=2&t=1")]),
        Situation(
            name: "query-item-missing", asked: request("GET", "/items"), recorded: [request("GET", "/items?page=1")]),
        Situation(
            name: "query-without-value", asked: request("GET", "/items?all"), recorded: [request("GET", "/items?all=")]),
        Situation(
            name: "json-values", asked: jsonRequest(#"{"sku":"B","tags":["x","y"],"n":null}"#, "/orders"),
            recorded: [jsonRequest(#"{"sku":"A","tags":["x"],"note":"hi"}"#, "/orders")]),
        Situation(name: "form-field", asked: formRequest("a=1&b=2"), recorded: [formRequest("a=1&b=3")]),
        Situation(
            name: "octets", asked: request("POST", "/", [("Content-Type", "text/plain")], body: "one"),
            recorded: [request("POST", "/", [("Content-Type", "text/plain")], body: "other")]),
        Situation(
            name: "field-by-rule", asked: request("GET", "/", [("Accept-Language", "fr")]),
            recorded: [request("GET", "/", [("Accept-Language", "en")])],
            rules: MatchRules(headers: ["Accept-Language"])),
        Situation(
            name: "played-already", asked: request("GET", "/job"), recorded: [request("GET", "/job")], playedTimes: 3),
        Situation(
            name: "secrets", asked: secret("planted-1"), recorded: [secret("planted-2")]),
        Situation(
            name: "graphql-variables", asked: jsonRequest(#"{"query":"{a}","variables":{"id":2}}"#, "/graphql"),
            recorded: [jsonRequest(#"{"query":"{ a }","variables":{"id":1}}"#, "/graphql")]),
        Situation(
            name: "three-of-many", asked: request("GET", "/items?page=9"),
            recorded: (1...6).map { request("GET", "/items?page=\($0)") } + [request("GET", "/users")]),
    ]

    private static func host(_ raw: RawRequest) -> RawRequest {
        var raw = raw
        raw.authority = Authority(host: "files.example.test", port: 8443)
        return raw
    }

    private static func secret(_ value: String) -> RawRequest {
        var raw = jsonRequest(#"{"password":"\#(value)","user":"\#(value.suffix(1))"}"#, "/login?api_key=\(value)")
        raw.fields.append("Authorization", "Bearer \(value)-token")
        return raw
    }

    @Test(arguments: situations)
    func isTheReviewedText(_ situation: Situation) throws {
        let matcher = Matcher(sanitizer: Sanitizer(codecs: testCodecs), rules: situation.rules)
        let recorded = situation.recorded.enumerated().map { number, raw in
            Interaction(
                name: "recorded.00000\(number).1.json",
                request: RecordedRequest(
                    method: raw.method, scheme: raw.scheme, authority: raw.authority, target: raw.target,
                    fields: raw.fields, body: raw.body.map { RecordedBody(.text($0)) }),
                outcome: .response(RecordedResponse(status: 200, reason: octets("OK"))))
        }
        var report = MissReport(situation.asked, interactions: recorded, matcher: matcher, cassette: situation.cassette)
        report.playedTimes = situation.playedTimes
        let text = report.text + "\n" + String(decoding: report.problem, as: UTF8.self)
        #expect(!text.contains("planted"))
        try Golden.check(
            text, is: "miss-\(situation.name).txt", beside: #filePath, updating: environmentSaysUpdate())
    }

    /// A secret in every place that a report can show: the request's, and what an old cassette may still hold.
    @Test(arguments: situations)
    func showsNoSecretThatIsPlanted(_ situation: Situation) {
        let value = "planted-\(situation.name.count)-Zq9x7Vw3"
        func plant(_ raw: RawRequest, _ number: Int) -> RawRequest {
            var raw = raw
            let mark: [UInt8] = raw.target.contains(UInt8(ascii: "?")) ? octets("&") : octets("?")
            raw.target += mark + octets("access_token=\(value)\(number)")
            // What is in a cassette has been sanitized with the whole exchange; the request comes as it is.
            if number == 9 { raw.target += octets("&state=\(value)\(number)") }
            raw.fields.append("Authorization", "Bearer \(value)\(number)")
            raw.fields.append("Cookie", "sid=\(value)\(number)")
            raw.fields.append("X-Api-Key", "\(value)\(number)")
            if let body = raw.body, body.first == UInt8(ascii: "{") {
                raw.body = octets(#"{"password":"\#(value)\#(number)","#) + body.dropFirst()
            } else if raw.body != nil, raw.fields.text("Content-Type")?.contains("form") == true {
                raw.body = octets("client_secret=\(value)\(number)&") + (raw.body ?? [])
            }
            return raw
        }
        let matcher = Matcher(sanitizer: Sanitizer(codecs: testCodecs), rules: situation.rules)
        let recorded = situation.recorded.enumerated().map { number, raw in
            let raw = plant(raw, number)
            return Interaction(
                name: "recorded.00000\(number).1.json",
                request: RecordedRequest(
                    method: raw.method, scheme: raw.scheme, authority: raw.authority, target: raw.target,
                    fields: raw.fields, body: raw.body.map { RecordedBody(.text($0)) }),
                outcome: .response(RecordedResponse(status: 200, reason: octets("OK"))))
        }
        let report = MissReport(
            plant(situation.asked, 9), interactions: recorded, matcher: matcher, cassette: situation.cassette)
        let shown = report.text + report.logLine + String(decoding: report.problem, as: UTF8.self)
        #expect(!shown.contains("planted"), "\(shown)")
        #expect(shown.contains("access_token"), "the places themselves are shown")
    }

    @Test func thereAreFifteen() { #expect(Self.situations.count >= 15) }
}
