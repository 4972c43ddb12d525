import SystemIO
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct AtomicWriteTests {
    @Test func replacesAFileAndLeavesNothingElse() throws {
        let folder = try TemporaryDirectory()
        try Files.writeAtomically([1, 2, 3], to: folder.file("a"))
        try Files.writeAtomically([4], to: folder.file("a"))
        #expect(try Files.read(folder.file("a")) == [4])
        #expect(try Files.list(folder.path) == ["a"])
    }

    @Test func givesTheModeItWasTold() throws {
        let folder = try TemporaryDirectory()
        try Files.writeAtomically([1], to: folder.file("a"), mode: 0o600)
        var info = stat()
        #expect(stat(folder.file("a"), &info) == 0)
        #expect(info.st_mode & 0o777 == 0o600)
    }

    /// The last step fails: the name is a folder's, or longer than any file system takes.
    @Test(arguments: [("folder", EISDIR), (String(repeating: "n", count: 300), ENAMETOOLONG)])
    func leavesNothingWhenRenamingFails(name: String, code: Int32) throws {
        let folder = try TemporaryDirectory()
        try Files.makeDirectories(folder.file("folder"))
        #expect(throws: SystemError(call: "rename", path: folder.file(name), errno: code)) {
            try Files.writeAtomically([1], to: folder.file(name))
        }
        #expect(try Files.list(folder.path) == ["folder"])
    }

    @Test func saysThatTheFolderIsMissing() throws {
        let folder = try TemporaryDirectory()
        #expect(throws: SystemError(call: "open", path: folder.file("b/a"), errno: ENOENT)) {
            try Files.writeAtomically([1], to: folder.file("b/a"))
        }
    }

    @Test func stepsOverWhatAKilledProcessLeft() throws {
        let folder = try TemporaryDirectory()
        // The names that the next writes of this process would take.
        for number in 1...2_000 {
            try Descriptor.open(folder.file(".tmp-\(getpid())-\(number)"), O_CREAT, mode: 0o600).closeChecked()
        }
        try Files.writeAtomically([9], to: folder.file("a"))
        #expect(try Files.read(folder.file("a")) == [9])
    }

    /// A reader sees one whole write or another, whatever the writers are doing.
    @Test func neverShowsHalfAFile() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("a")
        try Files.writeAtomically([UInt8](repeating: 0, count: 20_000), to: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 1...4 as ClosedRange<UInt8> {
                group.addTask {
                    for _ in 0..<20 { try Files.writeAtomically([UInt8](repeating: writer, count: 20_000), to: path) }
                }
            }
            group.addTask {
                for _ in 0..<60 {
                    let octets = try Files.read(path)
                    #expect(octets.count == 20_000 && octets.allSatisfy { $0 == octets[0] })
                }
            }
            try await group.waitForAll()
        }
        #expect(try Files.list(folder.path) == ["a"])
    }
}
