import HTTPCore

/// One client connection: requests in order, each handed to the handler.
final class ServerConnection {
    let loop: EventLoop
    let limits: ServerLimits
    let socket: Socket
    private(set) var buffer = Bytes()
    private var start = 0
    private var filled = 0
    var isStopping = false
    private(set) var isIdle = true
    private var sawEnd = false

    init(_ socket: Socket, _ limits: ServerLimits) {
        self.socket = socket
        self.limits = limits
        loop = socket.loop
    }

    var unread: Range<Int> { start..<filled }
    func consume(_ n: Int) { start += n; if start == filled { start = 0; filled = 0 } }

    /// Reads more; false at the end of input.
    func fill(_ timeout: Duration?) async throws(ConnectionError) -> Bool {
        if start > 0 { buffer.removeSubrange(0..<start); filled -= start; start = 0 }
        if buffer.count - filled < 4096 { buffer.append(contentsOf: repeatElement(0, count: max(8192, buffer.count))) }
        while true {
            if let n = socket.readNow(into: &buffer, at: filled) {
                if n < 0 { throw .clientLeft("reset") }
                filled += n
                if n == 0 { sawEnd = true }
                return n > 0
            }
            switch await socket.waitReadable(timeout: timeout) {
            case .ready: continue
            case .timedOut: throw .timedOut("no octet in time")
            case .cancelled: throw .cancelled
            case .failed: throw .clientLeft("reset")
            }
        }
    }

    func send(_ pieces: [Bytes]) async throws(ConnectionError) {
        switch await socket.write(pieces, timeout: limits.writeIdleTimeout) {
        case .ready: return
        case .timedOut: throw .timedOut("the client does not read")
        case .cancelled: throw .cancelled
        case .failed: throw .clientLeft("reset while writing")
        }
    }

    func close(reset: Bool) { socket.close(reset: reset) }

    func holdUntilEnd() async {
        while !sawEnd, !socket.isClosed, (try? await fill(nil)) == true { start = 0; filled = 0 }
    }

    func run(_ hooks: ServerHooks, _ handler: @Sendable (ServerExchange) async -> Void) async {
        defer { socket.close() }
        while !Task.isCancelled, !isStopping {
            var parser = RequestHeadParser(limits: limits.heads)
            var parsed: (head: RequestHead, consumed: Int)?
            do {
                isIdle = start == filled
                while parsed == nil {
                    if start < filled { parsed = try parser.parse(buffer, from: start, to: filled) }
                    if parsed == nil {
                        let fresh = start == filled
                        if fresh { buffer = []; start = 0; filled = 0 }
                        guard try await fill(fresh ? limits.keepAlive : limits.headTimeout) else { return }
                        isIdle = false
                    }
                }
                guard let parsed else { return }
                consume(parsed.consumed)
                let target = try RequestTarget.parse(parsed.head.target, method: parsed.head.method)
                try validateHost(parsed.head, target: target)
                let framing = try requestFraming(parsed.head)
                let exchange = ServerExchange(self, parsed.head, target, framing)
                await handler(exchange)
                if exchange.isAborted || socket.isClosed { return }
                if !exchange.isEnded { return close(reset: exchange.hasBegun) }
                if !exchange.isBodyDone {
                    exchange.closesAfter = true
                }
                if exchange.closesAfter { return await linger() }
            } catch let error as ParseError {
                hooks.onRejected(error, "")
                return await reject(error)
            } catch { return }
        }
    }

    private func reject(_ error: ParseError) async {
        let body = Bytes("{\"title\": \"\(reasonPhrase(error.status))\", \"status\": \(error.status), \"label\": \"\(error.label)\", \"detail\": \"\(error.label)\"}\n".utf8)
        let head = ResponseHead(version: .http11, status: error.status, reason: Bytes(reasonPhrase(error.status).utf8), fields: Fields([
            ("Content-Type", "application/problem+json"), ("Tapedeck-Error", error.label), ("Content-Length", "\(body.count)"), ("Connection", "close"),
        ]))
        _ = try? await send([Serializer.responseHead(head) + body])
        await linger()
    }

    private func linger() async {
        socket.shutdownWrite()
        var read = 0
        while read < 1 << 20, (try? await fill(.seconds(1))) == true { read += filled; start = 0; filled = 0 }
    }
}
