#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// An exclusive hold on a path, across processes, that ends with its holder however that ends (`flock(2)`).
///
/// The file has the holder's process id in it. It is removed on release, so that no folder keeps a trace.
package final class FileLock: Sendable {
    /// What an attempt came to.
    package enum Result: Sendable {
        case taken(FileLock)
        /// Somebody else has it; the id is nil when they have not written it yet.
        case heldBy(pid: Int?)
    }

    private let path: String
    /// Nil once released. Only `release` takes it out.
    private let descriptor: Locked<Int32?>

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = Locked(descriptor)
    }

    deinit { release() }

    /// Takes the lock or says who has it; never waits. Throws where the file can't be made, as in a read-only folder.
    package static func take(_ path: String) throws(SystemError) -> Result {
        while true {
            let file = try Descriptor.open(path, O_RDWR | O_CREAT, mode: 0o644)
            do throws(SystemError) {
                _ = try SystemCall.retry("flock", path) { flock(file.number, LOCK_EX | LOCK_NB) }
            } catch  where error.errno == EWOULDBLOCK {
                return .heldBy(pid: holder(in: file))
            }
            // Between our open and our lock the holder may have released it and removed the file: then this one has no name.
            guard try isStill(file, at: path) else { continue }
            do throws(SystemError) {
                _ = try SystemCall.retry("ftruncate", path) { ftruncate(file.number, 0) }
                try file.writeAll(Array("\(getpid())\n".utf8))
            } catch {
                try? Files.remove(path)
                throw error
            }
            return .taken(FileLock(path: path, descriptor: file.release()))
        }
    }

    /// Gives the lock up and removes its file. Doing so twice is fine.
    package func release() {
        descriptor.withLock { held in
            guard let number = held else { return }
            held = nil
            // Removed while still held: nobody can have locked this file under its name.
            try? Files.remove(path)
            _ = close(number)
        }
    }

    private static func holder(in file: borrowing Descriptor) -> Int? {
        guard let bytes = try? file.readPiece(upTo: 32) else { return nil }
        return Int(String(decoding: bytes.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self))
    }

    private static func isStill(_ file: borrowing Descriptor, at path: String) throws(SystemError) -> Bool {
        var own = stat()
        _ = try SystemCall.retry("fstat", path) { fstat(file.number, &own) }
        guard let named = try? Files.status(path) else { return false }
        return named.st_ino == own.st_ino && named.st_dev == own.st_dev
    }
}
