#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One connection of a scripted upstream; blocks its own thread.
final class ScriptedConnection {
    private let socket: Int32
    private let upstream: ScriptedUpstream
    private var unread: [UInt8] = []
    private var request = 0

    init(_ socket: Int32, upstream: ScriptedUpstream) {
        self.socket = socket
        self.upstream = upstream
    }

    /// Serves requests until the client leaves or a script ends the connection.
    func run() {
        while fill() {
            let (index, script) = upstream.beginRequest()
            request = index
            for step in script {
                guard perform(step) else {
                    upstream.change { $0.finished += 1 }
                    return
                }
            }
            upstream.change { $0.finished += 1 }
        }
    }

    /// False when the connection is over.
    private func perform(_ step: ScriptStep) -> Bool {
        switch step {
        case .readHead:
            return readHead() != nil
        case .readRequest:
            return readRequest()
        case .read(let count):
            return take(count) != nil
        case .readUntil(let end):
            return take(through: end)
        case .send(let octets):
            return sendAll(octets)
        case .wait(let gate):
            gate.pass()
            return true
        case .hold:
            while receive() {}
            return false
        case .close:
            shutdown(socket, Int32(SHUT_WR))
            // Closing with octets unread would send RST after all.
            while receive() {}
            return false
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            return false
        }
    }

    // MARK: Reading

    /// True when there is an octet to read.
    private func fill() -> Bool { !unread.isEmpty || receive() }

    private func receive() -> Bool {
        let piece = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            count = max(0, recv(socket, buffer.baseAddress, 65_536, 0))
        }
        unread += piece
        upstream.change { $0.octetsRead += piece.count }
        return !piece.isEmpty
    }

    /// Moves octets from the unread ones to the request's log; nil when the client left before.
    private func take(_ count: Int) -> [UInt8]? {
        while unread.count < count {
            guard receive() else { return nil }
        }
        let octets = Array(unread[..<count])
        unread.removeFirst(count)
        upstream.change { $0.requests[request] += octets }
        return octets
    }

    private func take(through end: [UInt8]) -> Bool {
        var tail: [UInt8] = []
        while tail != end {
            guard fill(), let piece = take(unread.count) else { return false }
            tail = Array((tail + piece.suffix(end.count)).suffix(end.count))
        }
        return true
    }

    private func takeLine() -> [UInt8]? {
        while true {
            if let end = unread.firstIndex(of: 0x0A) { return take(end + 1) }
            guard receive() else { return nil }
        }
    }

    /// The lines of the head in lower case, without their ends.
    private func readHead() -> [String]? {
        var lines: [String] = []
        while let line = takeLine() {
            let text = String(decoding: line.filter { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
            if text.isEmpty { return lines }
            lines.append(text.lowercased())
        }
        return nil
    }

    private func readRequest() -> Bool {
        guard let lines = readHead() else { return false }
        if lines.contains("transfer-encoding: chunked") { return readChunks() }
        let prefix = "content-length: "
        guard let line = lines.first(where: { $0.hasPrefix(prefix) }) else { return true }
        return take(Int(line.dropFirst(prefix.count)) ?? 0) != nil
    }

    private func readChunks() -> Bool {
        while let line = takeLine() {
            let size = Int(String(decoding: line.prefix { $0 != 0x0D && $0 != 0x3B }, as: UTF8.self), radix: 16) ?? 0
            if size == 0 { return readHead() != nil }
            guard take(size + 2) != nil else { return false }
        }
        return false
    }

    // MARK: Writing

    private func sendAll(_ octets: [UInt8]) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var offset = 0
        while offset < octets.count {
            let sent = octets.withUnsafeBytes {
                send(socket, $0.baseAddress?.advanced(by: offset), octets.count - offset, flags)
            }
            if sent <= 0 { return false }
            offset += sent
        }
        return true
    }
}
