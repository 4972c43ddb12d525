import SystemIO
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct FilesTests {
    @Test(arguments: [0, 1, 4_095, 4_096, 4_097, 70_000, 1 << 20])
    func readsBackWhatWasWritten(count: Int) throws {
        let folder = try TemporaryDirectory()
        let octets = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Files.writeAtomically(octets, to: folder.file("a"))
        #expect(try Files.read(folder.file("a")) == octets)
        #expect(try Files.size(folder.file("a")) == count)
    }

    /// Files below `/proc` say that they are empty and are not.
    @Test func readsFilesThatDoNotKnowTheirSize() throws {
        #expect(try Files.read("/proc/self/status").count > 100)
    }

    @Test func saysWhichCallFailedOnWhichFile() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("none")
        let error = #expect(throws: SystemError.self) { try Files.read(path) }
        #expect(error == SystemError(call: "open", path: path, errno: ENOENT))
        #expect(error?.message == "open \(path): No such file or directory")
    }

    @Test func refusesToReadAFolder() throws {
        let folder = try TemporaryDirectory()
        #expect(throws: SystemError(call: "read", path: folder.path, errno: EISDIR)) { try Files.read(folder.path) }
    }

    @Test func refusesPathsThatCWouldCut() throws {
        let folder = try TemporaryDirectory()
        try Files.writeAtomically([1], to: folder.file("a"))
        #expect(!Files.exists(folder.file("a\0b")))
        #expect(throws: SystemError(call: "open", path: folder.file("a\0b"), errno: EINVAL)) {
            try Files.read(folder.file("a\0b"))
        }
    }

    @Test func listsNamesByTheirOctets() throws {
        let folder = try TemporaryDirectory()
        for name in ["b", "a", "B", ".hidden", "ä", "a.1", "a-1"] {
            try Files.writeAtomically([], to: folder.file(name))
        }
        #expect(try Files.list(folder.path) == [".hidden", "B", "a", "a-1", "a.1", "b", "ä"])
    }

    @Test func tellsFilesFromFolders() throws {
        let folder = try TemporaryDirectory()
        try Files.writeAtomically([], to: folder.file("a"))
        #expect(Files.isFile(folder.file("a")) && !Files.isDirectory(folder.file("a")))
        #expect(Files.isDirectory(folder.path) && !Files.isFile(folder.path))
        #expect(
            !Files.exists(folder.file("b")) && !Files.isFile(folder.file("b")) && !Files.isDirectory(folder.file("b")))
    }

    @Test func makesTheFoldersAboveToo() throws {
        let folder = try TemporaryDirectory()
        for _ in 0..<2 { try Files.makeDirectories(folder.file("a/b/c/")) }
        #expect(Files.isDirectory(folder.file("a/b/c")))
    }

    #if os(Linux)
        @Test func givesUpOnAFolderThatItsFileSystemRefuses() {
            #expect(throws: SystemError.self) { try Files.makeDirectories("/proc/tapedeck/a") }
        }
    #endif

    @Test func makesNoFolderBelowAFile() throws {
        let folder = try TemporaryDirectory()
        try Files.writeAtomically([], to: folder.file("a"))
        #expect(throws: SystemError(call: "mkdir", path: folder.file("a"), errno: EEXIST)) {
            try Files.makeDirectories(folder.file("a"))
        }
        #expect(throws: SystemError(call: "mkdir", path: folder.file("a/b"), errno: ENOTDIR)) {
            try Files.makeDirectories(folder.file("a/b"))
        }
    }

    @Test func removesLinksAndNotWhatTheyLeadTo() throws {
        let (folder, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        try Files.writeAtomically([7], to: other.file("kept"))
        try Files.makeDirectories(folder.file("a/b"))
        #expect(symlink(other.path, folder.file("a/b/link")) == 0)
        try Files.removeTree(folder.file("a"))
        #expect(!Files.exists(folder.file("a")))
        #expect(try Files.read(other.file("kept")) == [7])
    }

    @Test func resolvesLinks() throws {
        let folder = try TemporaryDirectory()
        try Files.makeDirectories(folder.file("a"))
        #expect(symlink("a", folder.file("link")) == 0)
        #expect(try Files.realPath(folder.file("link/../link")) == folder.file("a"))
        #expect(throws: SystemError.self) { try Files.realPath(folder.file("none")) }
    }

    @Test(arguments: [
        ("a/b", "a"), ("/a/b/", "/a"), ("/a", "/"), ("a", "."), ("a/", "."), ("./a", "."), ("/", nil), ("", nil),
    ])
    func knowsTheFolderOfAPath(path: String, folder: String?) {
        #expect(Files.parent(of: path) == folder)
    }
}
