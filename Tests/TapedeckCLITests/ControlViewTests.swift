import ControlAPI
import Testing

@testable import TapedeckCLI

@Suite struct ControlViewTests {
    @Test func showsHealth() throws {
        let health = Health(
            mode: .replay, version: "0.1.0", pid: 4711, proxy: "http://localhost:4750", cassette: "cassettes/checkout",
            interactions: 12, scenario: "train", offline: true, uptime: 75.4,
            counts: Health.Counts(requests: 9, hits: 7, misses: 1, faults: 1))
        try checkGolden(ControlView.health(health, color: false).joined(separator: "\n") + "\n", is: "ctl-health.txt")
    }

    @Test func showsRoutes() throws {
        let routes = [
            RouteState(
                name: "login", match: "POST /api/v1/login", variant: "default", variants: [], auth: true, requests: 1),
            RouteState(
                name: "itemDetail", match: "GET /api/v1/items/{itemId}", variant: "soldOut", variants: [],
                requests: 240),
        ]
        try checkGolden(ControlView.routes(routes, color: false).joined(separator: "\n") + "\n", is: "ctl-routes.txt")
    }

    @Test func showsScenarios() throws {
        let list = ScenarioList(
            active: "train",
            scenarios: [
                ScenarioState(name: "signed-out", entries: ["*": "unauthorized"]),
                ScenarioState(name: "train", entries: ["itemDetail": "timeout", "*": "slow"]),
            ])
        let lines = ControlView.scenarios(list, color: false)
        try checkGolden(lines.joined(separator: "\n") + "\n", is: "ctl-scenarios.txt")
    }

    @Test func saysWhereToNameWhatIsMissing() {
        #expect(ControlView.routes([], color: false).first?.hasPrefix("no routes") == true)
        #expect(ControlView.scenarios(ScenarioList(active: nil, scenarios: []), color: false).count == 1)
    }

    @Test(arguments: [(true, "passed"), (false, "failed")])
    func endsTheVerdictWithOneWord(passed: Bool, word: String) {
        let report = StopReport(passed: passed, counts: Health.Counts(), lines: ["requests 3"])
        #expect(ControlView.verdict(report, color: false) == ["requests 3", word])
    }

    @Test func colorsOnlyWhenAsked() {
        let report = StopReport(passed: false, counts: Health.Counts())
        #expect(ControlView.verdict(report, color: true) == ["\u{1B}[31mfailed\u{1B}[0m"])
    }

    @Test(arguments: [
        (["health"], CtlAction.health), (["scenario"], .scenarios),
        (["scenario", "none"], .chooseScenario(nil, atOnce: false)),
        (["scenario", "train"], .chooseScenario("train", atOnce: false)),
        (["scenario", "none", "at-once"], .chooseScenario(nil, atOnce: true)),
        (["variant", "login", "slow"], .chooseVariant("slow", route: "login")),
        (["variant", "login", "none"], .chooseVariant(nil, route: "login")), (["latency", "2s"], .latency("2s")),
        (["offline", "on"], .offline(true)), (["offline", "off"], .offline(false)), (["stop"], .stop),
        (["wait"], .wait), (["expire-token"], .expireToken), (["reset"], .reset), (["reload"], .reload),
        (["events"], .events), (["metrics"], .metrics), (["openapi"], .openAPI),
        (["schema"], .schema), (["assert"], .check(nil)), (["assert", "{}"], .check("{}")),
        (["session", "a", "b/c"], .makeSession("a", cassette: "b/c")), (["journal", "a"], .journal("a")),
    ])
    func readsActions(words: [String], action: CtlAction) throws {
        #expect(try CtlAction(words) == action)
    }

    @Test(arguments: [
        (["offline", "perhaps"], "tapedeck ctl offline on|off"),
        (["variant", "login"], "tapedeck ctl variant ROUTE VARIANT|none"),
        (["stop", "now"], "tapedeck ctl stop"), (["explode"], "tapedeck ctl --help"),
    ])
    func saysHowActionsAreTyped(words: [String], advice: String) {
        let error = #expect(throws: UsageError.self) { try CtlAction(words) }
        #expect(error?.advice == advice)
    }
}
