import ControlAPI
import TapedeckCLI
import Testing

@Suite struct ProgramTests {
    @Test(arguments: ["version", "--version"])
    func givesItsVersion(word: String) async {
        let program = TestProgram()
        #expect(await program.run(word) == 0)
        #expect(program.out == "tapedeck \(ProgramVersion.current)\n")
        #expect(program.error.isEmpty)
    }

    @Test(arguments: ["help", "--help", "-h"])
    func helpGoesToStandardOutput(word: String) async {
        let program = TestProgram()
        #expect(await program.run(word) == 0)
        #expect(program.out == HelpText.program(Commands.all))
        #expect(program.error.isEmpty)
    }

    @Test func helpOfACommandIsTheSameBothWays() async {
        let long = TestProgram()
        let short = TestProgram()
        #expect(await long.run("help", "record") == 0)
        #expect(await short.run("record", "--help") == 0)
        #expect(long.out == short.out)
        #expect(long.out.hasPrefix("usage: tapedeck record "))
    }

    @Test func withoutWordsShowsTheHelpAsAnError() async {
        let program = TestProgram()
        #expect(await program.run() == 2)
        #expect(program.out.isEmpty)
        #expect(program.error == HelpText.program(Commands.all))
    }

    @Test func saysWhatToTypeAfterAMistake() async {
        let program = TestProgram()
        #expect(await program.run("replay", "--lissten", "c") == 2)
        #expect(program.out.isEmpty)
        #expect(
            program.error == """
                tapedeck: unknown option --lissten; did you mean --listen?
                  → tapedeck replay --help

                """)
    }
}
