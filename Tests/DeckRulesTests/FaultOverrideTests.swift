import Testing

@testable import DeckRules

@Suite struct FaultOverrideTests {
    @Test func readsARouteAndItsNumbers() throws {
        let fault = try FaultOverride.parse("items=timeout,after=2,times=1")
        #expect(fault.target == .route("items"))
        #expect(fault.variant == "timeout" && fault.after == 2 && fault.times == 1)
        #expect(try FaultOverride.parse("items=timeout,times=1,after=2").after == 2)
        #expect(try FaultOverride.parse("*=offline").target == .star)
    }

    @Test func readsAPatternWithEqualsSignsAndCommas() throws {
        let fault = try FaultOverride.parse("GET /route/1,2;3?hints=a;b&x=1=slow,times=3")
        #expect(fault.target == .pattern(try RoutePattern.parse("GET /route/1,2;3?hints=a;b&x=1")))
        #expect(fault.variant == "slow" && fault.times == 3 && fault.after == nil)
    }

    @Test func aPathWithoutQueryTakesAny() throws {
        var asker = try Asker(faults: ["GET /a=notFound", "GET /b?=forbidden"])
        #expect(asker.decide("GET /a").variantName == "notFound")
        #expect(asker.decide("GET /a?x=1").variantName == "notFound")
        #expect(asker.decide("POST /a").variantName == "default")
        #expect(asker.decide("GET /b").variantName == "forbidden")
        #expect(asker.decide("GET /b?x=1").variantName == "default")
    }

    @Test func starSparesAuthRoutes() throws {
        var asker = try Asker([try route("login", "POST /login", isAuth: true)], faults: ["*=unavailable"])
        #expect(asker.decide("POST /login").variantName == "default")
        #expect(asker.decide("GET /x").variantName == "unavailable")
    }

    @Test func anAuthRouteCanBeNamed() throws {
        var asker = try Asker([try route("login", "POST /login", isAuth: true)], faults: ["POST /login=unavailable"])
        #expect(asker.decide("POST /login").variantName == "unavailable")
    }

    @Test(arguments: [
        ("items", "no variant"), ("items=", "no variant"), ("=timeout", "no variant"), ("", "no variant"),
        ("items=timeout,after=x", "`after`"), ("items=timeout,after=-1", "`after`"),
        ("items=timeout,times=0", "`times`"),
        ("items=timeout,every=2", "unknown option"), ("items=timeout,", "unknown option"),
        ("items=timeout,times=1,times=2", "unknown option"), ("GET a=timeout", "begin with /"),
    ]) func refuses(_ text: String, _ reason: String) {
        let error = #expect(throws: RuleError.self) { try FaultOverride.parse(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func aRunsFaultsCanBeGivenBackAsAPlan() throws {
        let flaky = ["flaky": VariantDefinition(status: 500, plan: PlanDefinition(probability: 0.4))]
        let routes = [try route("a", "GET /a")]
        var asker = try Asker(routes, variants: flaky, scenario: Scenario(name: "s", entries: ["a": "flaky"]), seed: 5)
        let decisions = (0..<20).map { _ in asker.decide("GET /a") }
        let plan = decisions.filter { $0.variantName == "flaky" }.compactMap(\.exactPlan)
        #expect(plan.count > 2)
        let again = flaky.mapValues { definition in
            var definition = definition
            definition.plan.probability = 1
            return definition
        }
        var planned = try Asker(routes, variants: again, faults: plan)
        #expect(planned.names("GET /a", 20) == decisions.map(\.variantName))
        #expect(asker.decide("GET /elsewhere").exactPlan == nil)
        try asker.state.setScenario(nil)
        #expect(asker.decide("GET /a").ordinal == 21)
    }

    @Test func unknownNamesAreProblems() throws {
        let faults = try ["item=timeout", "items=timeuot", "GET /x=soldOut", "items=tlsExpired"].map(
            FaultOverride.parse)
        let rules = RuleSet(
            table: RouteTable([try route("items", "GET /items", ["soldOut": VariantDefinition(status: 409)])]),
            faults: faults)
        let messages = rules.validate().map(\.error.message)
        #expect(
            messages == [
                "the fault `item=timeout`: there is no route `item`",
                "the fault `items=timeuot`: there is no variant `timeuot`",
                "the fault `GET /x=soldOut`: there is no variant `soldOut`",
                "the fault `items=tlsExpired`: `tlsExpired` acts in the TLS handshake, before a path is known",
            ])
    }
}
