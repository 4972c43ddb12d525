#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file descriptor that is owned, and closed when its owner goes.
package struct Descriptor: ~Copyable {
    /// The number, good for as long as this value lives.
    package private(set) var number: Int32
    /// The file that was opened, for messages.
    package let path: String

    package init(takingOwnership number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit {
        if number >= 0 { _ = close(number) }
    }

    /// Opens a file, always close-on-exec.
    package static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Descriptor {
        try SystemCall.checkPath(path, for: "open")
        #if canImport(Darwin)
            let permissions = mode_t(truncatingIfNeeded: mode)
        #else
            let permissions = mode
        #endif
        let number = try SystemCall.retry("open", path) {
            #if canImport(Darwin)
                Darwin.open(path, flags | O_CLOEXEC, permissions)
            #else
                Glibc.open(path, flags | O_CLOEXEC, permissions)
            #endif
        }
        return Descriptor(takingOwnership: number, path: path)
    }

    /// Opens a file to read it.
    package static func openForReading(_ path: String) throws(SystemError) -> Descriptor { try open(path, O_RDONLY) }

    /// Closes now and tells what `close(2)` says: on some file systems that is where a full disk shows.
    package consuming func closeChecked() throws(SystemError) {
        let path = path
        let number = release()
        try SystemCall.once("close", path) { close(number) }
    }

    /// Gives the number to a new owner, who closes it.
    package consuming func release() -> Int32 {
        defer { number = -1 }
        return number
    }

    /// Writes all octets, however many calls that takes.
    package func writeAll(_ bytes: [UInt8]) throws(SystemError) {
        var offset = 0
        while offset < bytes.count {
            offset += try SystemCall.retry("write", path) {
                bytes.withUnsafeBytes { write(number, $0.baseAddress?.advanced(by: offset), $0.count - offset) }
            }
        }
    }

    /// Reads to the end of the file. `expected` is a guess at the octets left, and saves copying when right.
    package func readAll(expecting expected: Int = 0) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        // One octet more than expected, so that the end is seen without another buffer.
        var room = max(expected, 4095) + 1
        while true {
            let piece = try readPiece(upTo: room)
            if piece.isEmpty { return bytes }
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
            room = max(room - piece.count, 65_536)
        }
    }

    /// Reads what one call gives, at most `limit` octets; empty at the end of the file.
    package func readPiece(upTo limit: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            do throws(SystemError) {
                count = try SystemCall.retry("read", path) { read(number, buffer.baseAddress, limit) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
