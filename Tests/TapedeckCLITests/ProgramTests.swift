import ControlAPI
import TapedeckCLI
import TestSupport
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

    @Test func ctlSaysThatNothingListens() async throws {
        let upstream = try ScriptedUpstream([[.hold]])
        upstream.stop()
        let program = TestProgram()
        let variables = ["TAPEDECK_CONTROL_URL": "http://127.0.0.1:\(upstream.port)"]
        #expect(await program.run("ctl", "health", variables: variables) == 3)
        #expect(
            program.error == """
                tapedeck: nothing listens at http://127.0.0.1:\(upstream.port)
                  → start tapedeck, or give --control its control address

                """)
    }

    @Test func ctlWritesDocumentsForMachines() async throws {
        let json = #"{"latency": "750ms"}"#
        let upstream = try ScriptedUpstream(
            answering: "HTTP/1.1 200 OK\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)")
        let program = TestProgram()
        let address = "--control=127.0.0.1:\(upstream.port)"
        #expect(await program.run("ctl", "latency", "750ms", "--json", address) == 0)
        #expect(program.out == "{\n  \"latency\" : \"750ms\"\n}\n")
        #expect(upstream.log.text(0).hasPrefix("PUT /latency HTTP/1.1\r\n"))
    }
}
