import CassetteKit
import HTTPCore
import Testing

@testable import DeckRules

@Suite struct VariantDefinitionTests {
    @Test func aBodyAtTheTopLevelKeepsTheBuiltInStatus() throws {
        let variant = try made("serverError", top: VariantDefinition(body: .text("broken")))
        let answer = try #require(own(variant))
        #expect(answer.status == 500)
        #expect(answer.body == .text("broken"))
        #expect(answer.fields.text("Content-Type") == "text/plain; charset=utf-8")
    }

    @Test func aRouteWinsOverTheTopLevel() throws {
        let variant = try made(
            "notFound", top: VariantDefinition(status: 410, fields: [FieldChange("X-A", ["1"])]),
            route: VariantDefinition(fields: [FieldChange("x-a", ["2"])], latency: .fixed(.seconds(1))))
        let answer = try #require(own(variant))
        #expect(answer.status == 410)
        #expect(answer.fields.all("X-A").map { Array($0) } == [Array("2".utf8)])
        #expect(variant.latency == .fixed(.seconds(1)))
    }

    @Test func aStatusAloneIsAnAnswerWithoutBody() throws {
        let answer = try #require(own(try made("default", top: VariantDefinition(status: 204))))
        #expect(answer.status == 204 && answer.body == nil && answer.fields.isEmpty)
    }

    @Test func fieldsAloneChangeTheRecordedAnswer() throws {
        let variant = try made(
            "default", top: VariantDefinition(fields: [FieldChange("ETag", []), FieldChange("X-A", ["1", "2"])]))
        guard case .recorded(let edits) = variant.answer else {
            Issue.record("not the recorded answer")
            return
        }
        #expect(!edits.isEmpty)
        var fields = Fields([("etag", "\"x\""), ("Date", "today"), ("x-a", "0")])
        edits.apply(to: &fields)
        #expect(fields == Fields([("Date", "today"), ("X-A", "1"), ("X-A", "2")]))
    }

    @Test func editsWithAStatusChangeTheRecordedAnswer() throws {
        let edits = BodyEdits(removes: [try EditPointer("/a")])
        let variant = try made("partial", top: VariantDefinition(status: 206, edits: edits))
        guard case .recorded(let changes) = variant.answer else {
            Issue.record("not the recorded answer")
            return
        }
        #expect(changes.status == 206 && !changes.body.isEmpty)
    }

    @Test func aBodyTakesThePlaceOfEmptiedArrays() throws {
        let answer = try #require(own(try made("empty", top: VariantDefinition(body: .json(.array([]))))))
        #expect(answer.body?.octets == Array("[]".utf8))
    }

    @Test func editsTakeThePlaceOfABuiltInBody() throws {
        let edits = BodyEdits(removes: [try EditPointer("/a")])
        guard case .recorded(let changes) = try made("serverError", top: VariantDefinition(edits: edits)).answer else {
            Issue.record("not the recorded answer")
            return
        }
        #expect(changes.status == 500)
    }

    @Test func anAnswerTakesThePlaceOfAFaultThatShowsNone() throws {
        #expect(own(try made("timeout", top: VariantDefinition(status: 504)))?.status == 504)
    }

    @Test func aFaultBreaksTheAnswerThatTheVariantBrings() throws {
        let variant = try made("truncatedBody", top: VariantDefinition(body: .text("0123456789")))
        guard case .fault(.truncatedBody, let own) = variant.answer else {
            Issue.record("not the fault")
            return
        }
        #expect(own?.body == .text("0123456789"))
    }

    @Test func aFaultTakesThePlaceOfAnAnswer() throws {
        guard
            case .fault(.emptyResponse, nil) = try made("serverError", top: VariantDefinition(fault: .emptyResponse))
                .answer
        else {
            Issue.record("not the fault alone")
            return
        }
    }

    @Test func aPlanIsLaidOverFieldByField() throws {
        let variant = try made("tokenExpired", top: VariantDefinition(plan: PlanDefinition(after: 3)))
        #expect(variant.plan.after == 3 && variant.plan.times == 1 && variant.plan.isSharedByStar)
    }

    @Test func saysWhatContradictsItself() throws {
        let edits = BodyEdits(removes: [try EditPointer("/a")])
        #expect(VariantDefinition(body: .text(""), edits: edits).contradiction() != nil)
        #expect(VariantDefinition(edits: edits, fault: .stall).contradiction() != nil)
        #expect(VariantDefinition(status: 500, fault: .timeout).contradiction() != nil)
        #expect(VariantDefinition(fields: [FieldChange("A", ["1"])], fault: .stall).contradiction() != nil)
        #expect(VariantDefinition(status: 500, fault: .stall).contradiction() == nil)
        #expect(VariantDefinition(status: 500, edits: edits).contradiction() == nil)
    }

    @Test func decisionsSayWhatTheyNeed() throws {
        let variants = [
            "late": VariantDefinition(latency: .fixed(.seconds(1)), bandwidth: Bandwidth(bytesPerSecond: 10)),
            "changed": VariantDefinition(fields: [FieldChange("A", ["1"])]), "own": VariantDefinition(status: 500),
            "cut": VariantDefinition(status: 500, fault: .stall),
        ]
        // Takes the recorded sequence, needs an answer from it or the upstream, may be stored.
        let rows: [(String, Bool, Bool, Bool)] = [
            ("default", true, true, true), ("late", true, true, true), ("changed", true, true, false),
            ("own", false, false, false), ("cut", false, false, false), ("timeout", false, false, false),
            ("truncatedBody", false, true, false), ("redirectLoop", false, false, false), ("empty", true, true, false),
        ]
        for (name, takes, needs, stores) in rows {
            var asker = try Asker([try route("a", "GET /a")], variants: variants)
            try asker.state.choose(name, forRoute: "a")
            let decision = asker.decide("GET /a")
            #expect(decision.takesRecorded == takes, "\(name)")
            #expect(decision.needsAnswer == needs, "\(name)")
            #expect(decision.isStorable == stores, "\(name)")
        }
    }

    private func made(
        _ name: String, top: VariantDefinition, route: VariantDefinition? = nil
    ) throws -> Variant {
        let routes = [
            Route(name: "a", pattern: try RoutePattern.parse("GET /a"), variants: route.map { [name: $0] } ?? [:])
        ]
        let rules = RuleSet(table: RouteTable(routes), definitions: [name: top])
        return try #require(rules.variant(name, route: 0))
    }

    private func own(_ variant: Variant) -> OwnAnswer? {
        if case .own(let answer) = variant.answer { answer } else { nil }
    }
}
