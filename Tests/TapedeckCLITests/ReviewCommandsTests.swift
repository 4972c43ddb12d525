import SystemIO
import TestSupport
import Testing

@testable import TapedeckCLI

/// `diff`, `status` and `verdict`.
@Suite struct ReviewCommandsTests {
    private let cassette = (Files.parent(of: #filePath) ?? ".") + "/Golden/cassette"

    private func write(_ text: String, to path: String) throws {
        try Files.makeDirectories(Files.parent(of: path) ?? ".")
        try Files.writeAtomically(Array(text.utf8), to: path)
    }

    private func writeCassette(_ folder: String, _ status: Int, checked: String = "2020-01-01") throws {
        try write(#"{"version": 1, "checked": "\#(checked)"}"#, to: folder + "/cassette.json")
        try write(
            #"{"request": {"method": "GET", "url": "http://a.test/x"}, "response": {"status": \#(status)}}"#,
            to: folder + "/interactions/get-x.000000.1.json")
    }

    @Test func equalCassettesDoNotDiffer() async {
        let program = TestProgram()
        #expect(await program.run("diff", cassette, cassette) == 0)
        #expect(program.out == "2 same, 0 changed, 0 new, 0 gone\n")
    }

    @Test func aDifferenceIsShownAndEndsWithOne() async throws {
        let folder = try TemporaryDirectory()
        try writeCassette(folder.file("one"), 200)
        try writeCassette(folder.file("two"), 404)
        let program = TestProgram()
        #expect(await program.run("diff", folder.file("one"), folder.file("two")) == 1)
        #expect(program.out.contains("changed GET http://a.test/x  get-x.000000.1.json\n          status: 200 → 404\n"))
        let machine = TestProgram()
        #expect(await machine.run("diff", "--json", folder.file("one"), folder.file("two")) == 1)
        #expect(machine.out.contains("status: 200 → 404"))
    }

    /// What the configuration calls volatile, or leaves out of matching, is no difference.
    @Test func theConfigurationSaysWhatDoesNotCount() async throws {
        let folder = try TemporaryDirectory()
        for (name, nonce) in [("one", "1"), ("two", "2")] {
            try writeCassette(folder.file(name), 200)
            try write(
                """
                {"request": {"method": "GET", "url": "http://a.test/x?_t=\(nonce)"}, "response": {"status": 200,
                 "headers": ["X-Nonce: \(nonce)", "Content-Type: application/json"], "body": {"json": {"at": \(nonce)}}}}
                """, to: folder.file(name + "/interactions/get-x.000000.1.json"))
        }
        try write(
            #"{"version": 1, "match": {"ignoreQuery": "_t"}, "volatile": {"headers": "x-nonce", "json": "/at"}}"#,
            to: folder.file("tapedeck.json"))
        let quiet = TestProgram()
        let words = ["diff", folder.file("one"), folder.file("two")]
        #expect(await quiet.run(words[0], "--config", folder.file("tapedeck.json"), words[1], words[2]) == 0)
        #expect(quiet.out == "1 same, 0 changed, 0 new, 0 gone\n")
        try write(#"{"version": 1, "match": {"ignoreQuery": "_t"}}"#, to: folder.file("tapedeck.json"))
        let loud = TestProgram()
        #expect(await loud.run(words[0], "--config", folder.file("tapedeck.json"), words[1], words[2]) == 1)
        #expect(loud.out.contains("field X-Nonce: 1 → 2") && loud.out.contains("body /at: 1 → 2"))
    }

    @Test func statusListsCassettesWithWhatNobodyNeeds() async throws {
        let folder = try TemporaryDirectory()
        try writeCassette(folder.file("one"), 200)
        try write("stray", to: folder.file("one/interactions/stray.png"))
        let report =
            #"{"mode": "replay", "requests": 1, "cassette": "\#(folder.file("one"))", "unused": ["get-x.000000.1.json"]}"#
        try write(report, to: folder.file("report.json"))
        let program = TestProgram()
        #expect(await program.run("status", "--report", folder.file("report.json"), folder.path) == 0)
        for part in ["2020-01-01", "unused: ", "get-x.000000.1.json", "stray.png"] {
            #expect(program.out.contains(part), "\(program.out)")
        }
    }

    @Test func statusTellsADefectAndGoesOn() async throws {
        let folder = try TemporaryDirectory()
        try writeCassette(folder.file("one"), 200)
        try write("{", to: folder.file("two/cassette.json"))
        let program = TestProgram()
        #expect(await program.run("status", folder.path) == 1)
        #expect(program.out.contains("one") && program.out.contains("defective: "))
        let none = TestProgram()
        #expect(await none.run("status", folder.file("one/interactions")) == 2)
    }

    @Test func verdictJoinsReports() async throws {
        let folder = try TemporaryDirectory()
        func report(_ unused: String, _ misses: Int) -> String {
            """
            {"mode": "replay", "requests": 1, "hits": 1, "misses": \(misses), "cassette": "c", "unused": [\(unused)],
             "strict": ["misses", "unused"]}
            """
        }
        try write(report(#""a", "b""#, 0), to: folder.file("1"))
        try write(report(#""b", "c""#, 0), to: folder.file("2"))
        try write(report(#""a", "c""#, 0), to: folder.file("3"))
        let two = TestProgram()
        #expect(await two.run("verdict", folder.file("1"), folder.file("2")) == 1)
        #expect(two.out.contains("not asked for: b\n"))
        let all = TestProgram()
        let junit = folder.file("junit.xml")
        #expect(await all.run("verdict", "--junit", junit, folder.file("1"), folder.file("2"), folder.file("3")) == 0)
        #expect(all.out.contains("passed"))
        #expect(Files.exists(junit))
        let none = TestProgram()
        #expect(await none.run("verdict", folder.file("none")) == 2)
    }
}
