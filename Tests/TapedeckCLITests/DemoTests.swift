import CassetteKit
import SystemIO
import TestSupport
import Testing

@testable import TapedeckCLI

@Suite struct DemoTests {
    /// The cassette under version control.
    private var committed: CassetteFolder {
        var folder = #filePath
        for _ in 0..<3 { folder = Files.parent(of: folder) ?? "." }
        return CassetteFolder(folder + "/cassettes/demo")
    }

    private func files(_ folder: CassetteFolder) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in [".gitattributes", ".gitignore", "cassette.json"] {
            files[name] = try Files.read(folder.path + "/" + name)
        }
        for name in try Files.list(folder.interactions) {
            files["interactions/" + name] = try Files.read(folder.interaction(name))
        }
        return files
    }

    @Test func everyStepHoldsAndRecordingAgainChangesNoLine() async throws {
        let copy = try TemporaryDirectory("demo")
        let kept = CassetteFolder(copy.file("demo"))
        let before = try files(committed)
        try Files.makeDirectories(kept.interactions)
        for (name, octets) in before { try Files.writeAtomically(octets, to: kept.path + "/" + name) }

        let program = TestProgram()
        #expect(await program.run("demo", "--keep", kept.path) == 0, "\(program.out)")
        #expect(try files(kept) == before)
        #expect(program.out.contains("7 of 7 answers equal"))
        let lines = program.out.split(separator: "\n").filter { !$0.contains(kept.path) }
        for line in lines { #expect(line.count <= 80, "\(line)") }
    }
}
