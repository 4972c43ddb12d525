import TapedeckCLI
import TestSupport
import Testing

@Suite struct HelpTextTests {
    @Test func programHelpIsAsReviewed() throws {
        try checkGolden(HelpText.program(Commands.all), is: "help.txt")
    }

    @Test(arguments: Commands.all)
    func commandHelpIsAsReviewed(command: CommandSpec) throws {
        try checkGolden(HelpText.command(command), is: "help-\(command.name).txt")
    }

    @Test(arguments: Commands.all)
    func helpFitsEightyColumns(command: CommandSpec) {
        let examples = Set(command.examples.map { "  " + $0 })
        for line in HelpText.command(command).split(separator: "\n") where !examples.contains(String(line)) {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test(arguments: Commands.all)
    func optionsOfACommandAreToldApart(command: CommandSpec) {
        let names = command.options.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
