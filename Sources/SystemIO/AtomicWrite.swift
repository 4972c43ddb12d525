import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Files {
    /// What the name of every unfinished file begins with.
    package static let temporaryPrefix = ".tmp-"

    /// Writes a file so that its name holds the old octets or all of the new ones, at any moment.
    ///
    /// The octets go to a temporary file in the same folder, which is then renamed. A failure (disk full, folder read-only)
    /// leaves nothing behind and the old file as it was. `mode` is cut by the umask. To outlive a power failure
    /// the file must also go to `FsyncGroup`.
    package static func writeAtomically(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o644
    ) throws(SystemError) {
        let file = try openTemporary(beside: path, mode: mode)
        let temporary = file.path
        do throws(SystemError) {
            try file.writeAll(bytes)
            try file.closeChecked()
            try rename(temporary, to: path)
        } catch {
            try? remove(temporary)
            throw SystemError(call: error.call, path: path, errno: error.errno)
        }
    }

    /// Writes a file whole unless there is one of the name already, whoever makes it; at no moment is a part of it seen.
    ///
    /// - Returns: whether it was written.
    package static func writeIfAbsent(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o644
    ) throws(SystemError) -> Bool {
        let file = try openTemporary(beside: path, mode: mode)
        let temporary = file.path
        defer { try? remove(temporary) }
        do throws(SystemError) {
            try file.writeAll(bytes)
            try file.closeChecked()
            _ = try SystemCall.retry("link", path) { link(temporary, path) }
            return true
        } catch {
            if error.errno == EEXIST { return false }
            throw SystemError(call: error.call, path: path, errno: error.errno)
        }
    }

    /// Opens a new file whose name nobody else has. The process id keeps processes apart and the counter threads; a name
    /// that is taken all the same (a killed process's, or another container's with equal ids) is stepped over.
    private static func openTemporary(
        beside path: String, mode: UInt32
    ) throws(SystemError) -> Descriptor {
        guard let folder = parent(of: path) else { throw SystemError(call: "open", path: path, errno: EISDIR) }
        var attempts = 0
        while true {
            let number = temporaryCounter.add(1, ordering: .relaxed).newValue
            let temporary = "\(folder)/\(temporaryPrefix)\(getpid())-\(number)"
            do throws(SystemError) {
                return try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
            } catch {
                attempts += 1
                let isTaken = error.errno == EEXIST && attempts < 10_000
                if !isTaken { throw SystemError(call: error.call, path: path, errno: error.errno) }
            }
        }
    }
}

/// Numbers the temporary files of this process.
private let temporaryCounter = Atomic<UInt64>(0)
