import HTTPCore
import Testing

@testable import CassetteKit

/// Rules that interactions bring for themselves.
@Suite struct InteractionMatchTests {
    private func value(_ text: String) throws -> JSONValue { try JSONText.parse(octets(text)) }

    private func interaction(_ target: String, _ match: String?, _ fields: [(String, String)] = []) throws
        -> Interaction
    {
        let raw = request("GET", target, fields)
        return Interaction(
            name: target,
            request: RecordedRequest(
                method: raw.method, scheme: raw.scheme, authority: raw.authority, target: raw.target, fields: raw.fields
            ),
            outcome: .error(RecordedError(status: 502, label: "x", message: "x")), match: try match.map(value))
    }

    private let matcher = Matcher(sanitizer: Sanitizer(codecs: testCodecs))

    private func found(_ raw: RawRequest, in interactions: [Interaction]) throws -> String? {
        let own = try OwnMatchKeys(interactions) { _ in matcher }
        var names: [MatchKey: String] = [:]
        for interaction in interactions {
            let key = try own.key(of: interaction, base: matcher) ?? matcher.key(of: interaction.request)
            names[key] = interaction.name
        }
        let key = own.key(method: raw.method, base: matcher, usual: matcher.key(of: raw)) { $0.key(of: raw) }
        return names[key]
    }

    @Test func aRuleHoldsForItsInteractionAlone() throws {
        let list = [
            try interaction("/a?t=1", #"{"ignoreQuery": ["t"]}"#), try interaction("/b?t=1", nil),
        ]
        #expect(try found(request("GET", "/a?t=9"), in: list) == "/a?t=1")
        #expect(try found(request("GET", "/a"), in: list) == "/a?t=1")
        #expect(try found(request("GET", "/b?t=9"), in: list) == nil)
        #expect(try found(request("GET", "/b?t=1"), in: list) == "/b?t=1")
    }

    @Test func whatIsEqualWinsOverWhatIsLoose() throws {
        let list = [try interaction("/a?t=1", #"{"ignoreQuery": "t"}"#), try interaction("/a?t=2", nil)]
        #expect(try found(request("GET", "/a?t=2"), in: list) == "/a?t=2")
        #expect(try found(request("GET", "/a?t=3"), in: list) == "/a?t=1")
    }

    @Test func aRuleThatAsksForMoreWins() throws {
        let list = [
            try interaction("/a", nil), try interaction("/a", #"{"headers": ["X-A"]}"#, [("X-A", "1")]),
        ]
        let own = try OwnMatchKeys(list) { _ in matcher }
        #expect(try own.key(of: list[1], base: matcher) != nil)
        let raw = request("GET", "/a", [("X-A", "1")])
        let key = own.key(method: "GET", base: matcher, usual: matcher.key(of: raw)) { $0.key(of: raw) }
        #expect(try key == own.key(of: list[1], base: matcher))
        let other = request("GET", "/a", [("X-A", "2")])
        #expect(
            own.key(method: "GET", base: matcher, usual: matcher.key(of: other)) { $0.key(of: other) }
                == matcher.key(of: other))
    }

    @Test(arguments: [
        #"{"ignoreQuerry": ["t"]}"#, #"{"body": "loose"}"#, #"{"graphql": 1}"#, #"[]"#, #"{"ignoreBody": ["id"]}"#,
        #"{"headers": [1]}"#,
    ])
    func whatIsNoRuleIsRefusedWithItsPlace(_ match: String) {
        let file =
            #"{"match": \#(match), "request": {"method": "GET", "url": "https://a.test/"}, "response": {"status": 204}}"#
        let error = #expect(throws: FormatError.self) {
            try InteractionFormat.read(octets(file), name: "a.json", folder: "c")
        }
        #expect(error?.path?.hasPrefix("$.match") == true)
    }

    @Test func theCountOfWritesIsKept() throws {
        let file = #"{"after": 3, "request": {"method": "GET", "url": "https://a.test/"}, "response": {"status": 204}}"#
        let interaction = try InteractionFormat.read(octets(file), name: "a.json", folder: "c")
        #expect(interaction.after == 3)
        #expect(text(InteractionFormat.write(interaction)).contains("\"after\": 3"))
    }
}
