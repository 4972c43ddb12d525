#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A TCP client that sends exact octets and tells how a connection ended. Blocks; a read gives up after 20 seconds,
/// or the time given.
package final class RawClient {
    /// How the server's side of the connection ended.
    package enum Ending: Sendable, Equatable {
        case fin
        case reset
        /// Not at all within the time.
        case none
    }

    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// A response as it came.
    package struct Response: Sendable {
        package var status: Int
        /// With the final empty line.
        package var head: String
        /// Without its framing.
        package var body: [UInt8]
        /// The lines of the head as they came, without their ends.
        package var lines: [[UInt8]] = []
        /// The lines behind a chunked body.
        package var trailers: [String] = []
        package var text: String { String(decoding: body, as: UTF8.self) }

        /// The value of a field by its name's usual spelling.
        package func field(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }.map {
                String($0.dropFirst(name.count + 2))
            }
        }
    }

    /// Lives as long as the client, such as the server it speaks to.
    package var companion: AnyObject?
    private var socket: Int32
    private var unread: [UInt8] = []
    private var ending = Ending.none

    /// - Parameter patience: milliseconds of silence after which a read or a write gives up.
    package init(port: Int, host: String = "127.0.0.1", patience: Int = 20_000) throws {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
            signal(SIGPIPE, SIG_IGN)
        #endif
        hints.ai_socktype = stream
        var info: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &info) == 0, let info else {
            throw Failure(description: "no address")
        }
        defer { freeaddrinfo(info) }
        #if canImport(Darwin)
            socket = Darwin.socket(info.pointee.ai_family, stream, 0)
        #else
            socket = Glibc.socket(info.pointee.ai_family, stream, 0)
        #endif
        guard connect(socket, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0 else {
            let reason = String(cString: strerror(errno))
            close()
            throw Failure(description: "connect: \(reason)")
        }
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var limit = timeval()
        limit.tv_sec = patience / 1_000
        limit.tv_usec = .init(patience % 1_000 * 1_000)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close() }

    // MARK: Sending

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    package func send(_ octets: [UInt8]) throws {
        var sent = 0
        while sent < octets.count {
            let count = octets.withUnsafeBytes { write(socket, $0.baseAddress?.advanced(by: sent), $0.count - sent) }
            guard count > 0 else { throw Failure(description: "send: \(String(cString: strerror(errno)))") }
            sent += count
        }
    }

    /// Ends our sending side.
    package func finish() { shutdown(socket, Int32(SHUT_WR)) }

    package func close() {
        guard socket >= 0 else { return }
        #if canImport(Darwin)
            _ = Darwin.close(socket)
        #else
            _ = Glibc.close(socket)
        #endif
        socket = -1
    }

    /// Ends the connection with RST.
    package func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    // MARK: Reading

    /// Reads one response; interim ones count as responses. `isHead`: its request was HEAD, so there is no body.
    package func readResponse(isHead: Bool = false) throws -> Response {
        let octets = try readThrough([13, 10, 13, 10])
        let head = String(decoding: octets, as: UTF8.self)
        let words = head.split(separator: " ", maxSplits: 2)
        guard words.count > 1, let status = Int(words[1].prefix(3)) else { throw Failure(description: "head: \(head)") }
        var response = Response(status: status, head: head, body: [])
        response.lines = octets.split(separator: 10).map { $0.last == 13 ? Array($0.dropLast()) : Array($0) }
        if isHead || status < 200 || status == 204 || status == 304 { return response }
        if response.field("Transfer-Encoding") == "chunked" {
            (response.body, response.trailers) = try readChunks()
        } else if let length = response.field("Content-Length").flatMap({ Int($0) }) {
            response.body = try take(length)
        } else {
            response.body = readToEnd().octets
        }
        return response
    }

    /// Reads until the connection ends.
    package func readToEnd() -> (octets: [UInt8], ending: Ending) {
        while fill() {}
        defer { unread = [] }
        return (unread, ending)
    }

    /// Reads exactly so many octets.
    package func take(_ count: Int) throws -> [UInt8] {
        while unread.count < count {
            guard fill() else { throw Failure(description: "\(unread.count) of \(count) octets, then \(ending)") }
        }
        defer { unread.removeFirst(count) }
        return Array(unread[..<count])
    }

    /// Reads until a text has come, that included.
    package func readThrough(_ mark: String) throws -> String {
        String(decoding: try readThrough(Array(mark.utf8)), as: UTF8.self)
    }

    private func readChunks() throws -> (body: [UInt8], trailers: [String]) {
        var body: [UInt8] = []
        while true {
            let line = String(decoding: try readThrough([13, 10]).dropLast(2), as: UTF8.self)
            guard let size = Int(line, radix: 16) else { throw Failure(description: "chunk size \(line)") }
            if size == 0 { break }
            body += try take(size)
            _ = try readThrough([13, 10])
        }
        var trailers: [String] = []
        while true {
            let line = try readThrough([13, 10]).dropLast(2)
            if line.isEmpty { return (body, trailers) }
            trailers.append(String(decoding: line, as: UTF8.self))
        }
    }

    private func readThrough(_ mark: [UInt8]) throws -> [UInt8] {
        var start = 0
        while true {
            while start + mark.count <= unread.count {
                if unread[start..<(start + mark.count)].elementsEqual(mark) { return try take(start + mark.count) }
                start += 1
            }
            guard fill() else {
                throw Failure(description: "'\(String(decoding: unread, as: UTF8.self))', then \(ending)")
            }
        }
    }

    /// False at the end.
    private func fill() -> Bool {
        guard socket >= 0 else { return false }
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &piece, piece.count, 0)
        if count > 0 {
            unread += piece[..<count]
            return true
        }
        if count == 0 {
            ending = .fin
        } else if errno == ECONNRESET || errno == EPIPE {
            ending = .reset
        }
        return false
    }
}
