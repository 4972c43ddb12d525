package import HTTPCore

/// One request being read and its response being written. Lives on one loop.
package final class ServerExchange {
    package enum Ending { case close, reset }

    package let loop: EventLoop
    package let head: RequestHead
    package let target: RequestTarget
    package let framing: BodyFraming
    package var closesAfter: Bool
    package private(set) var hasBegun = false
    package private(set) var octetsSent = 0
    package var requestTrailers: Fields { decoder.trailers }

    let connection: ServerConnection
    private var decoder: BodyDecoder
    private var bodyDone: Bool
    private var mustContinue: Bool
    private var responseFraming = BodyFraming.none
    private var dropsBody = false
    private var pendingHead: Bytes?
    private(set) var isAborted = false
    private(set) var isEnded = false

    init(_ connection: ServerConnection, _ head: RequestHead, _ target: RequestTarget, _ framing: BodyFraming) {
        self.connection = connection
        loop = connection.loop
        self.head = head
        self.target = target
        self.framing = framing
        decoder = BodyDecoder(framing, limits: connection.limits.heads)
        bodyDone = framing == .none || framing == .length(0)
        mustContinue = head.version == .http11 && head.fields.hasToken("Expect", "100-continue") && !bodyDone
        closesAfter = head.version == .http10 ? !head.fields.hasToken("Connection", "keep-alive") : head.fields.hasToken("Connection", "close")
    }

    var isBodyDone: Bool { bodyDone }

    package func readBody() async throws(ConnectionError) -> Bytes? {
        if bodyDone { return nil }
        if mustContinue {
            mustContinue = false
            if !hasBegun { try await connection.send([Bytes("HTTP/1.1 100 Continue\r\n\r\n".utf8)]) }
        }
        while true {
            let event: BodyDecoder.Event
            do throws(ParseError) { event = try decoder.next(connection.buffer, connection.unread) } catch { throw .malformed(error) }
            switch event {
            case .data(let range, let consumed):
                let piece = Bytes(connection.buffer[range])
                connection.consume(consumed)
                if case .length = framing, decoder.isComplete { bodyDone = true }
                return piece
            case .end(let consumed):
                connection.consume(consumed)
                bodyDone = true
                return nil
            case .needMore(let consumed):
                connection.consume(consumed)
                guard try await connection.fill(connection.limits.bodyIdleTimeout) else { throw .clientLeft("within the body") }
            }
        }
    }

    package func readWholeBody(limit: Int) async throws(ConnectionError) -> Bytes {
        var body = Bytes()
        while let piece = try await readBody() {
            guard body.count + piece.count <= limit else { throw .tooLarge(limit: limit) }
            body += piece
        }
        return body
    }

    package func inform(_ head: ResponseHead) async throws(ConnectionError) {
        if self.head.version == .http10 { return }
        try await connection.send([Serializer.responseHead(head)])
    }

    package func begin(_ head: ResponseHead, _ framing: BodyFraming) async throws(ConnectionError) {
        hasBegun = true
        if mustContinue { closesAfter = true; mustContinue = false }
        pendingHead = serialize(head, framing)
    }

    private func serialize(_ head: ResponseHead, _ framing: BodyFraming) -> Bytes {
        var head = head
        head.version = .http11
        dropsBody = self.head.method == "HEAD" || head.status == 204 || head.status == 304 || framing == .none
        responseFraming = framing
        if dropsBody {
            if head.status == 204 { head.fields.remove("Content-Length") }
            if self.head.method == "HEAD" || head.status == 304 {
                if case .length(let n) = framing, !head.fields.contains("Content-Length"), head.status != 304 { head.fields.set("Content-Length", String(n)) }
                if framing == .chunked { head.fields.set("Transfer-Encoding", "chunked") }
            }
        } else {
            head.fields.remove("Transfer-Encoding")
            switch framing {
            case .length(let n): head.fields.set("Content-Length", String(n))
            case .chunked:
                head.fields.remove("Content-Length")
                if self.head.version == .http10 { responseFraming = .untilClose; closesAfter = true } else { head.fields.append("Transfer-Encoding", "chunked") }
            case .untilClose: head.fields.remove("Content-Length"); closesAfter = true
            case .none: break
            }
        }
        if closesAfter || connection.isStopping {
            closesAfter = true
            head.fields.set("Connection", "close")
        } else if self.head.version == .http10 { head.fields.set("Connection", "keep-alive") }
        return Serializer.responseHead(head)
    }

    package func write(_ bytes: Bytes) async throws(ConnectionError) {
        if dropsBody || bytes.isEmpty { return try await flushHead() }
        let framed = responseFraming == .chunked ? Serializer.chunk(bytes) : bytes
        let head = pendingHead
        pendingHead = nil
        try await out(head.map { [$0, framed] } ?? [framed])
    }

    private func flushHead() async throws(ConnectionError) {
        guard let head = pendingHead else { return }
        pendingHead = nil
        try await out([head])
    }

    private func out(_ pieces: [Bytes]) async throws(ConnectionError) {
        try await connection.send(pieces)
        octetsSent += pieces.reduce(0) { $0 + $1.count }
    }

    package func end(trailers: Fields = Fields()) async throws(ConnectionError) {
        if responseFraming == .chunked, !dropsBody {
            let last = Serializer.lastChunk(trailers: trailers)
            let head = pendingHead
            pendingHead = nil
            try await out(head.map { [$0, last] } ?? [last])
        } else { try await flushHead() }
        isEnded = true
    }

    package func respond(_ head: ResponseHead, body: Bytes) async throws(ConnectionError) {
        try await begin(head, .length(body.count))
        if !body.isEmpty { try await write(body) }
        try await end()
    }

    package func respondPrepared(_ octets: Bytes, closes: Bool) async throws(ConnectionError) {
        hasBegun = true
        if closes { closesAfter = true }
        try await out([octets])
        isEnded = true
    }

    package func writeRaw(_ octets: Bytes) async throws(ConnectionError) {
        hasBegun = true
        closesAfter = true
        try await out([octets])
        isEnded = true
    }

    package func abort(_ how: Ending) {
        isAborted = true
        connection.close(reset: how == .reset)
    }

    package func holdUntilClientLeaves() async { await connection.holdUntilEnd() }
}
