#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The socket calls of this module; `errno` is read here and nowhere else.
enum SocketCall {
    enum Result {
        case done(Int)
        case wouldBlock
        case failed(Int32)
    }

    #if canImport(Darwin)
        static let streamType = SOCK_STREAM
        private static let noSignal: Int32 = 0
    #else
        static let streamType = Int32(SOCK_STREAM.rawValue)
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif

    /// A close-on-exec, non-blocking TCP socket that raises no SIGPIPE.
    static func open(family: Int32) throws(WireError) -> Int32 {
        let descriptor = socket(family, streamType, 0)
        guard descriptor >= 0 else {
            throw .system(call: "socket", code: errno)
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        #if canImport(Darwin)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, size)
        #endif
        return descriptor
    }

    static func connect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ size: socklen_t) -> Result {
        guard let address else { return .failed(EINVAL) }
        #if canImport(Darwin)
            let result = Darwin.connect(descriptor, address, size)
        #else
            let result = Glibc.connect(descriptor, address, size)
        #endif
        return outcome(result, errno)
    }

    /// The error of a connection attempt that has ended; 0 if it succeeded.
    static func pendingError(_ descriptor: Int32) -> Int32 {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        return code
    }

    static func send(_ descriptor: Int32, _ octets: UnsafeRawBufferPointer) -> Result {
        #if canImport(Darwin)
            let result = Darwin.send(descriptor, octets.baseAddress, octets.count, noSignal)
        #else
            let result = Glibc.send(descriptor, octets.baseAddress, octets.count, noSignal)
        #endif
        return outcome(Int32(truncatingIfNeeded: result), errno)
    }

    static func receive(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Result {
        let result = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        return outcome(Int32(truncatingIfNeeded: result), errno)
    }

    /// Waits until the socket is ready; false if it is not in time.
    static func wait(_ descriptor: Int32, _ events: Int32, _ milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&entry, 1, milliseconds) != 0
    }

    /// Whether the call just made was interrupted by a signal.
    static var wasInterrupted: Bool { errno == EINTR }

    /// The error of a connection that has ended.
    static func ended(_ code: Int32, call: String, received: Int) -> WireError {
        code == ECONNRESET || code == EPIPE ? .reset(received: received) : .system(call: call, code: code)
    }

    private static func outcome(_ result: Int32, _ code: Int32) -> Result {
        if result >= 0 { return .done(Int(result)) }
        return code == EAGAIN || code == EINPROGRESS || code == EINTR ? .wouldBlock : .failed(code)
    }
}
