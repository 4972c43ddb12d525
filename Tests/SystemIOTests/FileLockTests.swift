import SystemIO
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct FileLockTests {
    @Test func namesTheHolder() throws {
        let folder = try TemporaryDirectory()
        let lock = try taken(folder.file(".lock"))
        guard case .heldBy(pid: Int(getpid())) = try FileLock.take(folder.file(".lock")) else {
            Issue.record("a second one got the lock, or another process's name")
            return
        }
        lock.release()
    }

    @Test func leavesNoFileBehind() throws {
        let folder = try TemporaryDirectory()
        let lock = try taken(folder.file(".lock"))
        #expect(try Files.list(folder.path) == [".lock"])
        lock.release()
        lock.release()
        #expect(try Files.list(folder.path) == [])
    }

    @Test func isFreeAgainWhenItsOwnerGoes() throws {
        let folder = try TemporaryDirectory()
        for _ in 0..<3 { _ = try taken(folder.file(".lock")) }
    }

    @Test(arguments: ["", "4711\n", "no number", String(repeating: "9", count: 100)])
    func takesWhatAKilledProcessLeft(contents: String) throws {
        let folder = try TemporaryDirectory()
        try Files.writeAtomically(Array(contents.utf8), to: folder.file(".lock"))
        let lock = try taken(folder.file(".lock"))
        #expect(try Files.read(folder.file(".lock")) == Array("\(getpid())\n".utf8))
        lock.release()
    }

    @Test func isOneHoldersAtATime() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file(".lock")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var takes = 0
                    for _ in 0..<200 {
                        guard case .taken(let lock) = try FileLock.take(path) else { continue }
                        // Whoever has the lock can make this file, for nobody else has made it.
                        let mark = try Descriptor.open(path + ".mark", O_CREAT | O_EXCL, mode: 0o600)
                        try Files.remove(path + ".mark")
                        try mark.closeChecked()
                        lock.release()
                        takes += 1
                    }
                    return takes
                }
            }
            let takes = try await group.reduce(0, +)
            #expect(takes > 0)
        }
    }

    @Test func saysWhyItCannotBe() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("none/.lock")
        #expect(throws: SystemError(call: "open", path: path, errno: ENOENT)) { _ = try FileLock.take(path) }
    }

    private func taken(_ path: String) throws -> FileLock {
        guard case .taken(let lock) = try FileLock.take(path) else { throw NotTaken() }
        return lock
    }

    private struct NotTaken: Error {}
}
