#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A connected TCP socket whose every wait ends at a deadline. It blocks its thread.
struct WireSocket: ~Copyable {
    private let descriptor: Int32
    private let deadline: Deadline

    /// Connects to the first address of the host that takes the connection.
    ///
    /// - Throws: `WireError.refused` if none does, `.unknownHost`, `.timedOut`.
    init(host: String, port: Int, deadline: Deadline) throws(WireError) {
        let addresses = try WireSocket.resolve(host, port)
        defer { freeaddrinfo(addresses) }
        var failure = WireError.unknownHost(host)
        var next: UnsafeMutablePointer<addrinfo>? = addresses
        while let address = next {
            do throws(WireError) {
                descriptor = try WireSocket.connect(address, "\(host):\(port)", deadline)
                self.deadline = deadline
                return
            } catch {
                failure = error
            }
            next = address.pointee.ai_next
        }
        throw failure
    }

    deinit {
        _ = close(descriptor)
    }

    /// Writes all octets.
    borrowing func send(_ octets: [UInt8]) throws(WireError) {
        var offset = 0
        while offset < octets.count {
            let written = octets.withUnsafeBytes { buffer in
                SocketCall.send(descriptor, UnsafeRawBufferPointer(rebasing: buffer[offset...]))
            }
            switch written {
            case .done(let count): offset += count
            case .wouldBlock: try wait(for: POLLOUT, received: 0)
            case .failed(let code): throw SocketCall.ended(code, call: "send", received: 0)
            }
        }
    }

    /// Reads what is there, waiting for the first of it; empty at the end of input.
    ///
    /// - Parameter received: octets read before, for the error.
    borrowing func receive(after received: Int) throws(WireError) -> [UInt8] {
        while true {
            var result = SocketCall.Result.wouldBlock
            let piece = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                result = SocketCall.receive(descriptor, UnsafeMutableRawBufferPointer(buffer))
                if case .done(let read) = result { count = read }
            }
            switch result {
            case .done: return piece
            case .wouldBlock: try wait(for: POLLIN, received: received)
            case .failed(let code): throw SocketCall.ended(code, call: "recv", received: received)
            }
        }
    }

    private borrowing func wait(for events: Int32, received: Int) throws(WireError) {
        guard SocketCall.wait(descriptor, events, deadline.remainingMilliseconds) else {
            throw .timedOut(received: received)
        }
    }

    private static func resolve(_ host: String, _ port: Int) throws(WireError) -> UnsafeMutablePointer<addrinfo> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = SocketCall.streamType
        var result: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &result) == 0, let result else {
            throw .unknownHost(host)
        }
        return result
    }

    private static func connect(
        _ address: UnsafeMutablePointer<addrinfo>, _ place: String, _ deadline: Deadline
    ) throws(WireError) -> Int32 {
        let descriptor = try SocketCall.open(family: address.pointee.ai_family)
        switch SocketCall.connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) {
        case .done:
            return descriptor
        case .wouldBlock:
            guard SocketCall.wait(descriptor, POLLOUT, deadline.remainingMilliseconds) else {
                _ = close(descriptor)
                throw .timedOut(received: 0)
            }
            let code = SocketCall.pendingError(descriptor)
            if code == 0 { return descriptor }
            _ = close(descriptor)
            throw code == ECONNREFUSED ? .refused(place) : .system(call: "connect", code: code)
        case .failed(let code):
            _ = close(descriptor)
            throw code == ECONNREFUSED ? .refused(place) : .system(call: "connect", code: code)
        }
    }
}
