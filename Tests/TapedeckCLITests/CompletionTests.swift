import SystemIO
import Testing

@testable import TapedeckCLI

@Suite struct CompletionTests {
    @Test(arguments: CompletedShell.allCases)
    func knowsEveryCommandOptionAndAction(shell: CompletedShell) async {
        let program = TestProgram()
        #expect(await program.run("completion", shell.rawValue) == 0)
        for command in Commands.all {
            #expect(program.out.contains(command.name))
            for option in command.options { #expect(program.out.contains(option.name)) }
        }
        for action in CtlAction.names { #expect(program.out.contains(action)) }
    }

    @Test func namesTheShellsThatThereAre() async {
        let program = TestProgram()
        #expect(await program.run("completion", "tcsh") == 2)
        #expect(program.error.contains("bash|zsh|fish"))
    }
}
