import SystemIO
import TestSupport
import Testing

@testable import TapedeckCLI

@Suite struct ReadCommandsTests {
    private let cassette = (Files.parent(of: #filePath) ?? ".") + "/Golden/cassette"

    @Test func listsACassette() async throws {
        let program = TestProgram()
        #expect(await program.run("ls", cassette) == 0)
        try checkGolden(program.out, is: "ls-cassette.txt")
    }

    @Test func showsByTheBeginningOfAName() async throws {
        let program = TestProgram()
        #expect(await program.run("show", cassette, "post-api") == 0)
        try checkGolden(program.out, is: "show-cassette.txt")
    }

    @Test func showsFilesAsTheyAreToMachines() async throws {
        let program = TestProgram()
        #expect(await program.run("show", "--json", cassette) == 0)
        try checkGolden(program.out, is: "show-cassette.json")
    }

    @Test func writesABodysOctetsAndNothingElse() async {
        let binary = TestProgram()
        #expect(await binary.run("show", "--body", cassette, "get-logo.c41e77.1") == 0)
        #expect(binary.outOctets == [0, 1, 2, 255])
        let document = TestProgram()
        #expect(await document.run("show", cassette, "post-api-orders", "--body") == 0)
        #expect(document.out == #"{"id":17,"total":12.50}"#)
    }

    /// A long body is cut where others are shown beside it, and whole where it is alone.
    @Test func aLongBodyIsInNobodysWay() async throws {
        let folder = try TemporaryDirectory()
        try Files.makeDirectories(folder.path + "/c/interactions")
        let manifest = #"{"version": 1, "form": "reverse", "upstreams": ["http://api.test"]}"#
        try Files.writeAtomically(Array(manifest.utf8), to: folder.path + "/c/cassette.json")
        let numbers = (1...500).map(String.init).joined(separator: ",")
        for name in ["a", "b"] {
            let file = """
                {"after": 2, "match": {"ignoreQuery": ["t"]}, "request": {"method": "GET", "url": "http://api.test/\(name)"},
                 "response": {"status": 200, "body": {"json": [\(numbers)], "layout": "compact"}}}
                """
            try Files.writeAtomically(Array(file.utf8), to: folder.path + "/c/interactions/\(name).000000.1.json")
        }
        let both = TestProgram()
        #expect(await both.run("show", folder.path + "/c") == 0)
        #expect(both.out.contains("… 382 more lines"))
        #expect(both.out.contains("a.000000.1.json (after 2 writes)"))
        #expect(both.out.contains(#"match: {"ignoreQuery": ["t"]}"#))
        let one = TestProgram()
        #expect(await one.run("show", folder.path + "/c", "b.") == 0)
        #expect(!one.out.contains("more lines"))
        #expect(one.out.contains("    500"))
    }

    @Test func writesOneBodyAtATime() async {
        let program = TestProgram()
        #expect(await program.run("show", "--body", cassette) == 2)
        #expect(program.out.isEmpty)
        #expect(program.error.contains("2 interactions"))
    }

    @Test func saysWhatIsNoCassette() async throws {
        let folder = try TemporaryDirectory()
        let program = TestProgram()
        #expect(await program.run("ls", folder.path) == 2)
        #expect(program.error.contains(folder.path))
        #expect(program.error.contains("→"))
    }

    @Test func namesThePlaceOfADefect() async throws {
        let folder = try TemporaryDirectory()
        try Files.writeAtomically(Array("{\n  \"version\": 1,,\n}".utf8), to: folder.file("cassette.json"))
        let program = TestProgram()
        #expect(await program.run("ls", folder.path) == 2)
        #expect(program.error.contains("cassette.json:2:"))
    }
}
