import SystemIO
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct FsyncGroupTests {
    @Test func flushesWhatWasAdded() async throws {
        let folder = try TemporaryDirectory()
        let group = try FsyncGroup()
        for name in ["a", "b"] {
            try Files.writeAtomically([1], to: folder.file(name))
            group.add(folder.file(name))
        }
        try await group.flush()
        try await group.flush()
    }

    @Test func mindsNoFileThatWasRemoved() async throws {
        let folder = try TemporaryDirectory()
        let group = try FsyncGroup()
        group.add(folder.file("gone"))
        group.add(folder.file("gone/too"))
        try await group.flush()
    }

    @Test func throwsAFailureOnce() async throws {
        let folder = try TemporaryDirectory()
        let group = try FsyncGroup()
        try Files.writeAtomically([1], to: folder.file("a"))
        group.add(folder.file("a/b"))
        group.add(folder.file("a"))
        await #expect(throws: SystemError(call: "open", path: folder.file("a/b"), errno: ENOTDIR)) {
            try await group.flush()
        }
        try await group.flush()
    }

    @Test func letsManyWait() async throws {
        let folder = try TemporaryDirectory()
        let group = try FsyncGroup()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<20 {
                tasks.addTask {
                    try Files.writeAtomically([1], to: folder.file("\(number)"))
                    group.add(folder.file("\(number)"))
                    try await group.flush()
                }
            }
            try await tasks.waitForAll()
        }
    }
}
