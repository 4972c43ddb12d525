import HTTPCore
import Testing

@testable import DeckRules

@Suite struct RuleStateTests {
    @Test func withoutRulesEveryExchangeGetsTheRecordedAnswer() throws {
        var asker = try Asker()
        #expect(asker.state.isInert)
        #expect(!asker.state.needsKey && !asker.state.hasConnectionFaults)
        let decision = asker.decide("GET /a")
        #expect(decision.variantName == "default" && decision.routeName == nil)
        #expect(decision.takesRecorded && decision.isStorable && decision.delay == .none)
    }

    @Test func aScenariosEntryWinsOverItsStar() throws {
        let train = Scenario(name: "train", star: "slow", entries: ["detail": "timeout"])
        var asker = try Asker(
            [try route("list", "GET /items"), try route("detail", "GET /items/{id}")], scenario: train)
        #expect(asker.decide("GET /items").variantName == "slow")
        #expect(asker.decide("GET /items/1").variantName == "timeout")
        #expect(asker.decide("GET /elsewhere").variantName == "slow")
    }

    @Test func starSparesAuthRoutes() throws {
        let out = Scenario(name: "out", star: "unauthorized")
        var asker = try Asker(
            [try route("login", "POST /login", isAuth: true), try route("items", "GET /items")], scenario: out)
        #expect(asker.decide("POST /login").variantName == "default")
        #expect(asker.decide("GET /items").variantName == "unauthorized")
        #expect(asker.decide("GET /other").variantName == "unauthorized")
    }

    @Test func anEntryReachesAnAuthRoute() throws {
        let scenario = Scenario(name: "s", star: "slow", entries: ["login": "forbidden"])
        var asker = try Asker([try route("login", "POST /login", isAuth: true)], scenario: scenario)
        #expect(asker.decide("POST /login").variantName == "forbidden")
    }

    @Test func theChoiceOfRunTimeWinsOverFaultAndScenario() throws {
        let scenario = Scenario(name: "s", entries: ["items": "slow"])
        var asker = try Asker([try route("items", "GET /items")], scenario: scenario, faults: ["items=serverError"])
        #expect(asker.decide("GET /items").variantName == "serverError")
        try asker.state.choose("notFound", forRoute: "items")
        #expect(asker.decide("GET /items").variantName == "notFound")
        try asker.state.choose(nil, forRoute: "items")
        #expect(asker.decide("GET /items").variantName == "serverError")
    }

    @Test func aRoutesDefaultActsWhereNothingElseDoes() throws {
        let own = ["default": VariantDefinition(status: 204)]
        let scenario = Scenario(name: "s", entries: ["it": "flaky"])
        var asker = try Asker(
            [
                try route(
                    "it", "GET /a",
                    own.merging(["flaky": VariantDefinition(status: 500, plan: PlanDefinition(after: 1, times: 1))]) {
                        a, _ in a
                    })
            ], scenario: scenario)
        let decisions = (0..<3).map { _ in asker.decide("GET /a") }
        #expect(decisions.map(\.variantName) == ["default", "flaky", "default"])
        #expect(!decisions[0].needsAnswer && !decisions[0].takesRecorded)
    }

    @Test func tokenExpiredComesOncePerRoute() throws {
        let scenario = Scenario(name: "s", entries: ["a": "tokenExpired", "b": "tokenExpired"])
        var asker = try Asker([try route("a", "GET /a"), try route("b", "GET /b")], scenario: scenario)
        #expect(asker.names("GET /a", 3) == ["tokenExpired", "default", "default"])
        #expect(asker.names("GET /b", 2) == ["tokenExpired", "default"])
    }

    @Test func tokenExpiredByStarComesOnceForTheWholeSession() throws {
        let scenario = Scenario(name: "s", star: "tokenExpired")
        let routes = [
            try route("login", "POST /login", isAuth: true), try route("a", "GET /a"), try route("b", "GET /b"),
        ]
        var asker = try Asker(routes, scenario: scenario)
        #expect(asker.names("POST /login", 1) == ["default"])
        #expect(asker.names("GET /a", 2) == ["tokenExpired", "default"])
        #expect(asker.names("GET /b", 2) == ["default", "default"])
        #expect(asker.names("GET /unrouted", 1) == ["default"])
        try asker.state.setScenario("s")
        #expect(asker.names("GET /b", 2) == ["tokenExpired", "default"])
        var other = try Asker(routes, faults: ["*=tokenExpired"])
        #expect(other.names("GET /b", 2) + other.names("GET /a", 1) == ["tokenExpired", "default", "default"])
    }

    @Test func otherPlansByStarRunOncePerRoute() throws {
        let once = ["once": VariantDefinition(status: 500, plan: PlanDefinition(times: 1))]
        var asker = try Asker(
            [try route("a", "GET /a"), try route("b", "GET /b")], variants: once,
            scenario: Scenario(name: "s", star: "once"))
        #expect(asker.names("GET /a", 2) == ["once", "default"])
        #expect(asker.names("GET /b", 2) == ["once", "default"])
    }

    @Test func offlineTakesEverythingAndCountsNothing() throws {
        let scenario = Scenario(name: "s", star: "tokenExpired")
        var asker = try Asker([try route("login", "POST /login", isAuth: true)], scenario: scenario)
        asker.state.setOffline(true)
        #expect(asker.state.hasConnectionFaults)
        #expect(asker.names("POST /login", 2) + asker.names("GET /x", 1) == ["offline", "offline", "offline"])
        asker.state.setOffline(false)
        #expect(!asker.state.hasConnectionFaults)
        #expect(asker.names("GET /x", 2) == ["tokenExpired", "default"])
    }

    @Test func aRouteOfAnotherTableCountsAsNone() throws {
        var asker = try Asker()
        let other = RouteTable([try route("a", "GET /a")])
        let match = other.route(method: "GET", path: Array("/a".utf8), query: nil)
        let decision = asker.state.decide(ExchangeFacts(route: match, method: "GET", path: Array("/a".utf8)))
        #expect(decision.routeName == nil)
    }

    @Test func namesTheNearRoute() throws {
        var asker = try Asker([try route("items", "GET /items?limit={limit}")])
        #expect(asker.decide("GET /items").nearRouteName == "items")
        #expect(asker.decide("GET /items?limit=1").nearRouteName == nil)
    }

    @Test func aVariantsLatencyWinsOverTheSessionsOverTheRules() throws {
        var asker = try Asker(
            [
                try route("a", "GET /a"),
                try route("b", "GET /b", ["fast": VariantDefinition(latency: LatencyModel.none)]),
            ],
            scenario: Scenario(name: "s", entries: ["a": "loading", "b": "fast"]), latency: .fixed(.seconds(1)))
        #expect(asker.decide("GET /a").delay == .fixed(.milliseconds(750)))
        #expect(asker.decide("GET /b").delay == .none)
        #expect(asker.decide("GET /c").delay == .fixed(.seconds(1)))
        asker.state.setLatency(.recorded(speed: 1))
        #expect(asker.decide("GET /c").delay == .recorded(speed: 1))
        #expect(asker.decide("GET /a").delay == .fixed(.milliseconds(750)))
    }

    @Test func connectionFaultsMakeEveryAnswerCloseItsConnection() throws {
        let routes = [try route("a", "GET /a"), try route("b", "GET /b")]
        var broken = try Asker(routes, scenario: Scenario(name: "s", entries: ["a": "connectionReset"]))
        #expect(broken.decide("GET /b").closesConnection)
        var whole = try Asker(routes, scenario: Scenario(name: "s", entries: ["a": "redirectLoop"]))
        #expect(!whole.decide("GET /b").closesConnection)
        var later = try Asker(
            routes,
            variants: ["first": VariantDefinition(status: 500, plan: PlanDefinition(times: 1, then: "emptyResponse"))],
            scenario: Scenario(name: "s", entries: ["a": "first"]))
        #expect(later.decide("GET /b").closesConnection)
        var byFault = try Asker(routes, faults: ["GET /z=timeout"])
        #expect(byFault.decide("GET /b").closesConnection)
        try byFault.state.choose("slow", forRoute: "a")
        #expect(byFault.state.hasConnectionFaults)
    }

    @Test func refusesWhatItDoesNotKnow() throws {
        var asker = try Asker([try route("items", "GET /items")], scenario: Scenario(name: "train", star: "slow"))
        #expect(throws: RuleError("there is no scenario `trian`", advice: "did you mean `train`?")) {
            try asker.state.setScenario("trian")
        }
        #expect(throws: RuleError("there is no route `item`", advice: "did you mean `items`?")) {
            try asker.state.choose("slow", forRoute: "item")
        }
        #expect(throws: RuleError("there is no variant `timeuot`", advice: "did you mean `timeout`?")) {
            try asker.state.choose("timeuot", forRoute: "items")
        }
        #expect(asker.state.scenario == "train")
    }

    @Test func resetBeginsAnew() throws {
        var asker = try Asker([try route("a", "GET /a")], scenario: Scenario(name: "s", star: "tokenExpired"))
        #expect(asker.names("GET /a", 2) == ["tokenExpired", "default"])
        try asker.state.choose("slow", forRoute: "a")
        try asker.state.reset(scenario: "s")
        #expect(asker.names("GET /a", 2) == ["tokenExpired", "default"])
    }

    @Test func newRulesKeepTheChoicesThatTheyKnow() throws {
        var asker = try Asker(
            [try route("a", "GET /a"), try route("b", "GET /b")], scenario: Scenario(name: "s", star: "slow"))
        try asker.state.choose("notFound", forRoute: "a")
        try asker.state.choose("timeout", forRoute: "b")
        let gone = asker.state.adopt(RuleSet(table: RouteTable([try route("a", "GET /a/2")])))
        #expect(gone == ["there is no scenario `s`", "there is no route `b`"])
        #expect(asker.decide("GET /a/2").variantName == "notFound")
        #expect(!asker.state.hasConnectionFaults)
    }

    @Test func namesWhatNoExchangeMet() throws {
        let scenario = Scenario(name: "s", star: "slow", entries: ["a": "timeout", "b": "timeout"])
        var asker = try Asker(
            [try route("a", "GET /a"), try route("b", "GET /b")], scenario: scenario,
            faults: ["GET /c=notFound", "b=slow,after=5"])
        #expect(asker.state.unmet.count == 5)
        _ = asker.decide("GET /b")
        _ = asker.decide("GET /z")
        let expected = ["--fault 'GET /c=notFound' met no exchange", "scenario `s`: `a` met no exchange"]
        #expect(asker.state.unmet.map(\.description) == expected)
        try asker.state.setScenario(nil)
        #expect(asker.state.unmet.map(\.description) == expected)
    }
}
