import Testing

@testable import TapedeckCLI

@Suite struct UnknownVariablesTests {
    @Test func namesWhatMeansNothingAndWhatMayBeMeant() {
        let warnings = UnknownVariables.warnings(in: ["TAPEDECK_LISTN": "x", "TAPEDECK_ZZZZZZZZZZ": "1", "PATH": "/"])
        #expect(warnings.count == 2)
        #expect(warnings[0] == "the variable TAPEDECK_LISTN is set, but means nothing: did you mean TAPEDECK_LISTEN?")
        #expect(!warnings.joined().contains("=1"))
    }

    @Test(arguments: [
        "TAPEDECK_LISTEN", "TAPEDECK_FAULT", "TAPEDECK_URL", "TAPEDECK_URL_AUTH", "TAPEDECK_CONTROL_URL",
        "TAPEDECK_CA_FILE", "TAPEDECK_REPLAY_ONLY", "TAPEDECK_POLLER", "TEST_RUNNER_TAPEDECK_URL", "TAPEDECK",
    ])
    func knowsItsOwn(name: String) {
        #expect(UnknownVariables.warnings(in: [name: "x"]) == [])
    }

    @Test func optionsOfCtlHaveNoVariables() {
        #expect(Options.steering.allSatisfy { $0.variable == nil })
    }
}
