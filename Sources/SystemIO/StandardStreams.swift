#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The program's output (1) and error (2) streams, written without a buffer.
package enum StandardStreams {
    package enum Stream: Int32, Sendable { case output = 1, error = 2 }

    /// What became of the octets.
    package enum Outcome: Sendable, Equatable {
        case written
        /// Whoever read has gone, as `head` does; nothing is wrong here. `Signals.ignoreBrokenPipes` must have been called.
        case readerLeft
    }

    /// Writes all octets, waiting for a reader that is slow even if the stream was set not to block.
    @discardableResult
    package static func write(_ bytes: [UInt8], to stream: Stream) throws(SystemError) -> Outcome {
        try write(bytes, descriptor: stream.rawValue)
    }

    /// Writes a text as UTF-8.
    @discardableResult
    package static func write(_ text: String, to stream: Stream) throws(SystemError) -> Outcome {
        try write(Array(text.utf8), to: stream)
    }

    static func write(_ bytes: [UInt8], descriptor: Int32) throws(SystemError) -> Outcome {
        var offset = 0
        while offset < bytes.count {
            do throws(SystemError) {
                offset += try SystemCall.retry("write") {
                    bytes.withUnsafeBytes {
                        systemWrite(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset)
                    }
                }
            } catch {
                switch error.errno {
                case EPIPE: return .readerLeft
                case EAGAIN: waitForRoom(descriptor)
                default: throw error
                }
            }
        }
        return .written
    }

    private static func waitForRoom(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = try? SystemCall.retry("poll") { poll(&entry, 1, -1) }
    }
}

/// Whether a descriptor leads to a terminal (`isatty(3)`).
package func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

// Inside `StandardStreams` this name means its own functions.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
