import TapedeckCLI
import Testing

@Suite struct ArgumentParserTests {
    private let parser = ArgumentParser(commands: Commands.all)

    @Test(arguments: [
        (["replay", "--listen", "[::1]:0", "c"], ["[::1]:0"]),
        (["replay", "--listen=a:1", "c"], ["a:1"]),
        (["replay", "--listen=", "c"], [""]),
        (["replay", "--listen=a=b", "c"], ["a=b"]),
        (["replay", "c", "--listen", "a:1", "--listen", "b:2"], ["a:1", "b:2"]),
        (["replay", "--listen", "-", "c"], ["-"]),
    ])
    func takesValuesInBothForms(arguments: [String], listen: [String]) throws {
        #expect(try parser.parse(arguments).values["listen"] == listen)
    }

    @Test func keepsTheOrderOfRepeatedOptions() throws {
        let parsed = try parser.parse(["record", "--upstream", "http://a", "c", "--upstream=auth=http://b"])
        #expect(parsed.values["upstream"] == ["http://a", "auth=http://b"])
        #expect(parsed.operands == ["c"])
    }

    @Test func neverTakesTheNextWordForAnOptionalValue() throws {
        let parsed = try parser.parse(["replay", "--strict", "misses"])
        #expect(parsed.values["strict"] == [""])
        #expect(parsed.operands == ["misses"])
        #expect(try parser.parse(["replay", "--strict=misses,unused"]).values["strict"] == ["misses,unused"])
    }

    @Test func leavesWhatFollowsTwoDashesAlone() throws {
        let parsed = try parser.parse(["replay", "c", "--", "swift", "test", "--quiet", "--"])
        #expect(parsed.operands == ["c"])
        #expect(parsed.childCommand == ["swift", "test", "--quiet", "--"])
        #expect(parsed.values.isEmpty)
    }

    @Test(arguments: [["record", "--help"], ["record", "-h", "--nonsense"], ["record", "--listen", "a:1", "--help"]])
    func helpNeedsNothingElse(arguments: [String]) throws {
        #expect(try parser.parse(arguments).wantsHelp)
    }

    @Test(arguments: [
        (["recrod"], "unknown command \"recrod\"; did you mean record?", "tapedeck record --help"),
        (["explode"], "unknown command \"explode\"", "tapedeck help"),
        (
            ["record", "--upsteam", "http://a", "c"], "unknown option --upsteam; did you mean --upstream?",
            "tapedeck record --help"
        ),
        (["replay", "--lissten=a", "c"], "unknown option --lissten; did you mean --listen?", "tapedeck replay --help"),
        (
            ["replay", "--prune", "c"], "--prune is not an option of replay, but of record", "tapedeck replay --help"
        ),
        (["replay", "--zzzzzz"], "unknown option --zzzzzz", "tapedeck replay --help"),
        (["replay", "-q"], "unknown option -q", "tapedeck replay --help"),
        (["replay", "--quiet=yes"], "--quiet takes no value", "type --quiet alone"),
        (["replay", "--listen"], "--listen needs a value", "type --listen HOST:PORT"),
        (["replay", "--listen", "--quiet"], "--listen needs a value", "type --listen HOST:PORT"),
        (["ls"], "ls: a word is missing", "tapedeck ls [--json] CASSETTE"),
        (["ls", "a", "b"], "ls: \"b\" is one word too many", "tapedeck ls [--json] CASSETTE"),
        (["ls", "a", "--", "b"], "ls runs no command, so nothing may follow --", "tapedeck ls [--json] CASSETTE"),
        (["replay", "--"], "no command after --", "tapedeck replay [options] [CASSETTE] [-- COMMAND …]"),
        ([], "no command", "tapedeck help"),
    ])
    func refusesWithAdvice(arguments: [String], message: String, advice: String) {
        #expect(throws: UsageError(message, advice: advice)) { try parser.parse(arguments) }
    }
}
