import CassetteKit
import HTTPCore
import Testing

@testable import DeckRules

@Suite struct BuiltInVariantsTests {
    private let rules = RuleSet.empty

    @Test func everyRouteHasThemAll() throws {
        let names = [
            "default", "loading", "slow", "unauthorized", "forbidden", "notFound", "tooManyRequests", "serverError",
            "badGateway", "unavailable", "tokenExpired", "empty", "partial", "graphqlError", "graphqlPartial",
            "timeout", "stall",
            "offline",
            "connectionReset", "emptyResponse", "truncatedBody", "malformedResponse", "malformedChunk", "wrongCoding",
            "redirectLoop", "tlsHandshake", "tlsExpired", "tlsWrongHost", "tlsUntrusted",
        ]
        #expect(rules.variantNames(route: nil) == names.sorted())
    }

    @Test(arguments: [
        ("unauthorized", 401), ("tokenExpired", 401), ("forbidden", 403), ("notFound", 404), ("tooManyRequests", 429),
        ("serverError", 500), ("badGateway", 502), ("unavailable", 503), ("graphqlError", 200),
    ]) func answersWithJSONThatNobodyCaches(_ name: String, _ status: Int) throws {
        let answer = try #require(own(name))
        #expect(answer.status == status)
        #expect(answer.fields.text("Content-Type") == "application/json")
        #expect(answer.fields.text("Cache-Control") == "no-store")
        let body = try JSONText.parse(try #require(answer.body?.octets))
        #expect(name == "graphqlError" ? body["data"] == .null : body["error"]?.text != nil)
    }

    @Test func theChallengeIsBearer() throws {
        for name in ["unauthorized", "tokenExpired"] {
            let challenge = try #require(own(name)?.fields.text("WWW-Authenticate"))
            #expect(challenge.hasPrefix("Bearer realm=\""))
            #expect(challenge.hasSuffix("error=\"invalid_token\""))
        }
    }

    @Test func tooManyRequestsSaysWhenToComeBack() {
        #expect(own("tooManyRequests")?.fields.text("Retry-After") == "1")
    }

    @Test func graphqlErrorHasErrors() throws {
        let body = try JSONText.parse(try #require(own("graphqlError")?.body?.octets))
        #expect(body["errors"]?.elements?.first?["message"]?.text != nil)
    }

    @Test func lateOnesDeliverTheRecordedAnswer() throws {
        for (name, time) in [("loading", Duration.milliseconds(750)), ("slow", .seconds(3))] {
            let variant = try #require(rules.variant(name, route: nil))
            #expect(variant.latency == .fixed(time))
            guard case .recorded(let edits) = variant.answer, edits.isEmpty else {
                Issue.record("\(name) does not deliver the recorded answer")
                continue
            }
        }
    }

    @Test(arguments: FaultKind.allCases) func faultsAreVariants(_ kind: FaultKind) throws {
        let variant = try #require(rules.variant(kind.rawValue, route: nil))
        #expect(variant.answer.fault == kind)
        #expect(!kind.details.summary.isEmpty)
    }

    @Test func onlyWellFormedFaultsKeepTheConnection() {
        #expect(FaultKind.allCases.filter { !$0.details.breaksConnection } == [.wrongCoding, .redirectLoop])
    }

    @Test func anExpiredTokenLooksAsTheProjectsOwnRefusal() throws {
        let own = VariantDefinition(body: .json(.object([JSONMember("fault", .integer(401))])))
        let routes = [
            try route("a", "GET /a"), try route("b", "GET /b", ["unauthorized": VariantDefinition(body: .text("no"))]),
        ]
        let rules = RuleSet(table: RouteTable(routes), definitions: ["unauthorized": own])
        for (place, body) in [(nil, #"{"fault":401}"#), (0, #"{"fault":401}"#), (1, "no")] {
            let variant = try #require(rules.variant("tokenExpired", route: place))
            guard case .own(let answer) = variant.answer else {
                Issue.record("no answer")
                continue
            }
            #expect(answer.status == 401 && answer.body?.octets.map { String(decoding: $0, as: UTF8.self) } == body)
            #expect(answer.fields.contains("WWW-Authenticate"))
            #expect(variant.plan.times == 1 && variant.plan.isSharedByStar)
        }
    }

    private func own(_ name: String) -> OwnAnswer? {
        if case .own(let answer) = rules.variant(name, route: nil)?.answer { answer } else { nil }
    }
}
