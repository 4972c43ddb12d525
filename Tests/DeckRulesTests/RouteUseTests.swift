import Testing

@testable import DeckRules

/// Variants that move on when another route is used (`when`).
@Suite struct RouteUseTests {
    private func shop() throws -> [Route] {
        let pending = VariantDefinition(
            status: 200, body: .text("pending"),
            plan: PlanDefinition(when: RouteUse(route: "checkout"), then: "paid"))
        let paid = VariantDefinition(
            status: 200, body: .text("paid"),
            plan: PlanDefinition(when: RouteUse(route: "checkout", times: 2), then: "pending"))
        return [
            try route("order", "GET /order", ["pending": pending, "paid": paid]),
            try route("checkout", "POST /checkout"),
        ]
    }

    @Test func oneRoutesUseMovesAnother() throws {
        var asker = try Asker(try shop(), scenario: Scenario(name: "s", entries: ["order": "pending"]))
        #expect(asker.names("GET /order", 2) == ["pending", "pending"])
        _ = asker.names("POST /checkout", 1)
        #expect(asker.names("GET /order", 2) == ["paid", "paid"])
        _ = asker.names("POST /checkout", 1)
        #expect(asker.names("GET /order", 1) == ["paid"])
        _ = asker.names("POST /checkout", 1)
        #expect(asker.names("GET /order", 1) == ["pending"], "a machine may go round")
    }

    @Test func whatCameBeforeTheScenarioDoesNotCountAndWhatCameBeforeTheFirstUseDoes() throws {
        var asker = try Asker(try shop(), scenario: Scenario(name: "s", entries: ["order": "pending"]))
        _ = asker.names("POST /checkout", 1)
        #expect(asker.names("GET /order", 1) == ["paid"])
        try asker.state.setScenario("s")
        #expect(asker.names("GET /order", 1) == ["pending"])
    }

    @Test func aRefreshEndsTheRefusalOfEveryRoute() throws {
        let stale = VariantDefinition(
            status: 401, plan: PlanDefinition(when: RouteUse(route: "refresh"), then: "default"))
        var asker = try Asker(
            [try route("refresh", "POST /refresh", isAuth: true), try route("a", "GET /a"), try route("b", "GET /b")],
            variants: ["stale": stale], scenario: Scenario(name: "s", star: "stale"))
        #expect(
            asker.names("GET /a", 2) + asker.names("GET /b", 1) + asker.names("GET /c", 1)
                == ["stale", "stale", "stale", "stale"])
        #expect(asker.names("POST /refresh", 1) == ["default"])
        #expect(
            asker.names("GET /a", 1) + asker.names("GET /b", 2) + asker.names("GET /c", 1)
                == ["default", "default", "default", "default"])
    }

    @Test func ofItsOwnRouteTheExchangesBeforeCount() throws {
        let twice = VariantDefinition(status: 500, plan: PlanDefinition(when: RouteUse(route: "a", times: 2)))
        var asker = try Asker(
            [try route("a", "GET /a", ["twice": twice])], scenario: Scenario(name: "s", entries: ["a": "twice"]))
        #expect(asker.names("GET /a", 4) == ["twice", "twice", "default", "default"])
    }

    @Test func aRouteThatIsNotThereIsAProblem() throws {
        let rules = RuleSet(definitions: ["x": VariantDefinition(plan: PlanDefinition(when: RouteUse(route: "nope")))])
        #expect(rules.validate().map(\.path) == [["variants", "x", "when", "route"]])
    }

    @Test(
        arguments: [
            ("offline", [:], [], true), ("offline", ["a": "default"], [], false),
            ("offline", ["a": "offline"], [], true),
            (nil, ["a": "offline"], [], false), (nil, [:], ["*=offline"], true),
            (nil, [:], ["*=offline,times=1"], false),
            (nil, [:], ["a=offline"], false), ("slow", [:], [], false),
        ] as [(String?, [String: String], [String], Bool)])
    func knowsWhenAllIsOffline(_ star: String?, _ entries: [String: String], _ faults: [String], _ isAll: Bool) throws {
        var asker = try Asker(
            [try route("a", "GET /a"), try route("login", "POST /login", isAuth: true)],
            scenario: Scenario(name: "s", star: star, entries: entries), faults: faults)
        #expect(asker.state.isWhollyOffline == isAll)
        asker.state.setOffline(true)
        #expect(asker.state.isWhollyOffline)
        asker.state.setOffline(false)
        #expect(asker.state.isWhollyOffline == isAll)
        try asker.state.choose("default", forRoute: "a")
        #expect(!asker.state.isWhollyOffline)
    }
}
