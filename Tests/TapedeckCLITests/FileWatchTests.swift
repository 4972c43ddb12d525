import SystemIO
import TestSupport
import Testing

@testable import TapedeckCLI

@Suite struct FileWatchTests {
    @Test func tellsAChangeOnceItHoldsStill() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("a")
        try Files.writeAtomically([1], to: path)
        let changes = Locked(0)
        let watch = FileWatch {
            [path, folder.file("b")]
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        watch.look()
        watch.look()
        #expect(changes.withLock { $0 } == 0)
        try Files.writeAtomically([1, 2], to: path)
        watch.look()
        #expect(changes.withLock { $0 } == 0, "it may still be written")
        watch.look()
        watch.look()
        #expect(changes.withLock { $0 } == 1)
        try Files.writeAtomically([3], to: folder.file("b"))
        watch.look()
        watch.look()
        #expect(changes.withLock { $0 } == 2)
    }
}
