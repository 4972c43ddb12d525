import Testing

@testable import DeckRules

@Suite struct FaultPlanTests {
    /// A plan and the exchanges, of the first twelve, on which it acts.
    static let plans: [(plan: PlanDefinition, acts: [Int])] = [
        (PlanDefinition(), Array(1...12)),
        (PlanDefinition(times: 1), [1]),
        (PlanDefinition(after: 2, times: 1), [3]),
        (PlanDefinition(after: 2), Array(3...12)),
        (PlanDefinition(times: 3), [1, 2, 3]),
        (PlanDefinition(every: 3), [3, 6, 9, 12]),
        (PlanDefinition(times: 2, every: 3), [3, 6]),
        (PlanDefinition(after: 2, every: 3), [5, 8, 11]),
        (PlanDefinition(after: 2, times: 2, every: 2), [4, 6]),
        (PlanDefinition(after: 12), []),
        (PlanDefinition(duration: .seconds(3)), [1, 2, 3]),
        (PlanDefinition(after: 4, duration: .seconds(3)), [5, 6, 7]),
        (PlanDefinition(times: 2, duration: .seconds(3)), [1, 2]),
        (PlanDefinition(probability: 1), Array(1...12)),
    ]

    @Test(arguments: plans) func acts(_ plan: PlanDefinition, _ expected: [Int]) throws {
        let route = try route("it", "GET /a", ["odd": VariantDefinition(status: 500, plan: plan)])
        var asker = try Asker([route], scenario: Scenario(name: "s", entries: ["it": "odd"]))
        let acting = (1...12).filter { asker.decide("GET /a", at: .seconds($0)).variantName == "odd" }
        #expect(acting == expected)
    }

    @Test func countersAreTheRoutesOwn() throws {
        let odd = ["odd": VariantDefinition(status: 500, plan: PlanDefinition(after: 2, times: 1))]
        var asker = try Asker(
            [try route("a", "GET /a/{x}"), try route("b", "GET /b")], variants: odd,
            scenario: Scenario(name: "s", entries: ["a": "odd", "b": "odd"]))
        #expect(asker.names("GET /a/1", 2) + asker.names("GET /a/2", 2) == ["default", "default", "odd", "default"])
        #expect(asker.names("GET /b", 4) == ["default", "default", "odd", "default"])
    }

    @Test func thenFollows() throws {
        let variants = [
            "first": VariantDefinition(status: 500, plan: PlanDefinition(times: 2, then: "second")),
            "second": VariantDefinition(status: 503, plan: PlanDefinition(times: 1, then: "third")),
            "third": VariantDefinition(status: 404),
        ]
        var asker = try Asker(
            [try route("a", "GET /a")], variants: variants, scenario: Scenario(name: "s", entries: ["a": "first"]))
        #expect(asker.names("GET /a", 5) == ["first", "first", "second", "third", "third"])
    }

    @Test func thenMayGoInCircles() throws {
        let variants = [
            "up": VariantDefinition(status: 200, plan: PlanDefinition(times: 2, then: "down")),
            "down": VariantDefinition(status: 503, plan: PlanDefinition(times: 1, then: "up")),
        ]
        var asker = try Asker(
            [try route("a", "GET /a")], variants: variants, scenario: Scenario(name: "s", entries: ["a": "up"]))
        #expect(asker.names("GET /a", 7) == ["up", "up", "down", "up", "up", "down", "up"])
    }

    @Test func aPlanOfDefaultEndsInTheRecordedAnswer() throws {
        let plan = PlanDefinition(times: 1)
        var asker = try Asker([try route("a", "GET /a", ["default": VariantDefinition(status: 503, plan: plan)])])
        #expect(!asker.state.isInert)
        #expect(!asker.decide("GET /a").takesRecorded)
        #expect(asker.decide("GET /a").takesRecorded)
    }

    @Test func choosingAgainBeginsThePlanAnew() throws {
        let odd = ["odd": VariantDefinition(status: 500, plan: PlanDefinition(times: 1))]
        var asker = try Asker([try route("a", "GET /a")], variants: odd)
        try asker.state.choose("odd", forRoute: "a")
        #expect(asker.names("GET /a", 2) == ["odd", "default"])
        try asker.state.choose("odd", forRoute: "a")
        #expect(asker.names("GET /a", 2) == ["odd", "default"])
    }

    @Test func faultsOfTheCommandLineCountEveryExchangeThatTheyMeet() throws {
        var asker = try Asker(
            [try route("a", "GET /a")], scenario: Scenario(name: "s", entries: ["a": "slow"]),
            faults: ["a=serverError,times=1", "a=notFound,after=2,times=1", "GET /a=forbidden,after=3,times=1"])
        #expect(asker.names("GET /a", 5) == ["serverError", "slow", "notFound", "forbidden", "slow"])
    }

    @Test func aFaultThatComesTooLateActsAfterTheOneBefore() throws {
        var asker = try Asker([try route("a", "GET /a")], faults: ["a=serverError,times=2", "a=notFound,times=1"])
        #expect(asker.names("GET /a", 4) == ["serverError", "serverError", "notFound", "default"])
    }

    @Test func theScenariosPlanCountsWhatFaultsTook() throws {
        let odd = ["odd": VariantDefinition(status: 500, plan: PlanDefinition(after: 2, times: 1))]
        var asker = try Asker(
            [try route("a", "GET /a")], variants: odd, scenario: Scenario(name: "s", entries: ["a": "odd"]),
            faults: ["a=notFound,times=1"])
        #expect(asker.names("GET /a", 4) == ["notFound", "default", "odd", "default"])
    }
}
