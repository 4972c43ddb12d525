import Testing

@testable import TapedeckCLI

@Suite struct SettingsTests {
    private func settings(_ arguments: [String], _ variables: [String: String] = [:]) throws -> Settings {
        Settings(try ArgumentParser(commands: Commands.all).parse(arguments), variables: variables)
    }

    @Test func flagBeatsVariable() throws {
        let variables = ["TAPEDECK_LISTEN": "env:1"]
        let both = try settings(["replay", "--listen", "flag:1"], variables)
        #expect(both.value(Options.listen) == Settings.Value(text: "flag:1", origin: "--listen"))
        let one = try settings(["replay"], variables)
        #expect(one.value(Options.listen) == Settings.Value(text: "env:1", origin: "TAPEDECK_LISTEN"))
        #expect(try settings(["replay"]).value(Options.listen) == nil)
    }

    @Test func lastOfRepeatedFlagsCounts() throws {
        #expect(try settings(["replay", "--seed=1", "--seed=2"]).value(Options.seed)?.text == "2")
    }

    @Test func emptyVariableIsNotSet() throws {
        #expect(try settings(["replay"], ["TAPEDECK_CONFIG": ""]).value(Options.config) == nil)
    }

    @Test func variableOfARepeatableOptionHasOneValueALine() throws {
        let variables = ["TAPEDECK_FAULT": "GET /a=timeout,after=1\n\nlogin=unauthorized\n"]
        let faults = try settings(["replay"], variables).values(Options.fault).map(\.text)
        #expect(faults == ["GET /a=timeout,after=1", "login=unauthorized"])
    }

    @Test func variableOfAnOptionThatTheCommandLacksIsIgnored() throws {
        #expect(try settings(["ls", "c"], ["TAPEDECK_LISTEN": "env:1"]).value(Options.listen) == nil)
    }

    @Test func controlMeansAnAddressToServersAndAURLToCtl() throws {
        let variables = ["TAPEDECK_CONTROL": "localhost:0", "TAPEDECK_CONTROL_URL": "http://localhost:9"]
        #expect(try settings(["replay"], variables).value(Options.control)?.text == "localhost:0")
        #expect(try settings(["ctl", "health"], variables).value(Options.controlURL)?.text == "http://localhost:9")
    }

    @Test(arguments: [
        ("1", true), ("true", true), ("YES", true), ("on", true), ("0", false), ("False", false), ("no", false),
        ("off", false), ("", false),
    ])
    func readsSwitchesFromVariables(text: String, expected: Bool) throws {
        #expect(try settings(["replay"], ["TAPEDECK_QUIET": text]).flag(Options.quiet) == expected)
    }

    @Test func refusesASwitchThatIsNeitherYesNorNo() throws {
        let settings = try settings(["replay"], ["TAPEDECK_QUIET": "maybe"])
        #expect(throws: UsageError("TAPEDECK_QUIET=maybe is neither yes nor no", advice: "TAPEDECK_QUIET=1")) {
            try settings.flag(Options.quiet)
        }
    }

    @Test(arguments: ["+5", "-1", "", "1e3", " 1", "99999999999999999999"])
    func refusesNumbersThatAreNotPlainDigits(text: String) throws {
        let settings = try settings(["replay", "--seed=\(text)"])
        #expect(throws: UsageError.self) { try settings.number(Options.seed, in: 0...UInt64.max) }
    }

    @Test func keepsNumbersWithinTheirRange() throws {
        let settings = try settings(["replay", "--miss-status=200"])
        #expect(try settings.number(Options.missStatus, in: 200...999) == 200)
        #expect(
            throws: UsageError("--miss-status: \"200\" is not a number from 400 to 999")
        ) { try settings.number(Options.missStatus, in: 400...999) }
    }
}
