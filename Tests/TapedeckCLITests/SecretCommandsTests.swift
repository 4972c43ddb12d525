import CassetteKit
import SystemIO
import TestSupport
import Testing

@testable import TapedeckCLI

@Suite struct SecretCommandsTests {
    private static let key = "ghp_0123456789abcdefghijABCDEFGHIJ"

    private func cassette() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory("leaky")
        let folder = CassetteFolder(directory.file("c"))
        try Files.makeDirectories(folder.interactions)
        try Files.writeAtomically(Array(#"{"version":1,"form":"reverse","upstreams":[]}"#.utf8), to: folder.manifest)
        let interaction = """
            {"request":{"method":"GET","url":"http://a.test/x"},
             "response":{"status":200,"body":{"text":["see \(Self.key)"]}},"mood":1}
            """
        try Files.writeAtomically(Array(interaction.utf8), to: folder.interaction("get-x.000000.1.json"))
        return directory
    }

    @Test func scanNamesWhatIsLeftAndEndsWithOne() async throws {
        let directory = try cassette()
        let program = TestProgram()
        #expect(await program.run("scan", directory.file("c")) == 1)
        #expect(program.out.contains("/response/body/text/0: github-tokens: ghp_… (34 octets)"), "\(program.out)")
        #expect(!program.out.contains(Self.key))
        #expect(program.error.contains("get-x.000000.1.json: the key $.mood is not known"), "\(program.error)")
        let machine = TestProgram()
        #expect(await machine.run("scan", "--json", directory.file("c")) == 1)
        #expect(machine.out.contains(#""rule": "github-tokens""#), "\(machine.out)")
        #expect(await TestProgram().run("scan", directory.file("nothing")) == 2)
    }

    @Test func sanitizeHidesItSoThatScanFindsNothing() async throws {
        let directory = try cassette()
        let program = TestProgram()
        #expect(await program.run("sanitize", directory.file("c")) == 0)
        #expect(program.out.contains("changed  get-x.000000.1.json"), "\(program.out)")
        let after = TestProgram()
        #expect(await after.run("scan", directory.file("c")) == 0, "\(after.out)")
        #expect(await TestProgram().run("sanitize", directory.path) == 2)
    }

    @Test func sanitizersListsEveryRule() async throws {
        let program = TestProgram()
        #expect(await program.run("sanitizers") == 0)
        for note in SanitizerNote.all { #expect(program.out.contains(note.id)) }
        let machine = TestProgram()
        #expect(await machine.run("sanitizers", "--json") == 0)
        #expect(machine.out.contains(#""id": "phone-numbers""#))
    }

    @Test func aSecretsVariableThatIsNotSetIsAMistake() async throws {
        let directory = try cassette()
        let program = TestProgram()
        #expect(await program.run("scan", "--secret-env", "NOT_SET_ANYWHERE", directory.file("c")) == 2)
        #expect(program.error.contains("NOT_SET_ANYWHERE"))
    }
}
