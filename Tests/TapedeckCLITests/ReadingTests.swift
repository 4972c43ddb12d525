import CassetteKit
import HTTPCore
import Testing

@testable import TapedeckCLI

@Suite struct ReadingTests {
    @Test func listsInteractionsOneALine() throws {
        let lines = Listing(SampleInteractions.all).lines(color: false)
        try checkGolden(lines.joined(separator: "\n") + "\n", is: "ls.txt")
    }

    @Test func listsForMachines() throws {
        let octets = JSONText.write(Listing(SampleInteractions.all).json, layout: JSONLayout(.indent2, lf: true))
        try checkGolden(String(decoding: octets, as: UTF8.self), is: "ls.json")
    }

    @Test func namesTheHostWhereThereAreSeveral() {
        var other = SampleInteractions.image
        other.request.authority = Authority(host: "cdn.example.com", port: nil)
        let lines = Listing([SampleInteractions.list, other]).lines(color: false)
        #expect(lines[1].hasSuffix("https://api.example.com/items?limit=2"))
        #expect(lines[2].hasSuffix("https://cdn.example.com/logo.png"))
        #expect(lines.last == "2 interactions")
    }

    @Test(arguments: SampleInteractions.all)
    func showsAnInteractionAsPeopleReadIt(interaction: Interaction) throws {
        let lines = InteractionView(interaction, color: false).lines
        let name = interaction.name.dropLast(5)
        try checkGolden(lines.joined(separator: "\n") + "\n", is: "show-\(name).txt")
    }

    @Test func keepsControlCharactersFromTheTerminal() {
        let lines = InteractionView(SampleInteractions.second, color: false).lines
        #expect(!lines.joined().unicodeScalars.contains("\u{1B}"))
    }

    @Test(arguments: [
        ([String](), 5), (["get-items.5f0c1a.1"], 1), (["get-items.5f0c1a.1.json"], 1), (["get-items"], 2),
        (["get-logo", "get-items.5f0c1a.2"], 2),
    ])
    func picksByNameOrItsBeginning(names: [String], count: Int) throws {
        #expect(try NameSelection.pick(names, from: SampleInteractions.all).count == count)
    }

    @Test func refusesANameThatFitsNone() {
        #expect(throws: UsageError.self) { try NameSelection.pick(["nothing"], from: SampleInteractions.all) }
    }

    @Test(arguments: [
        (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1500, "1.5 KiB"), (1_048_576, "1.0 MiB"),
        (1_048_575, "1024.0 KiB"),
    ])
    func writesSizesForPeople(octets: Int, text: String) {
        #expect(readableSize(octets) == text)
    }
}
