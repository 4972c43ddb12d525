package import HTTPCore

extension ServerExchange {
    private enum Look {
        case piece(Bytes)
        case needMore
        case end
    }

    /// The trailer fields of a chunked request whose end was read; else empty.
    package var requestTrailers: Fields { bodyReading?.decoder.trailers ?? Fields() }

    /// Gives the next piece of the body as it comes, nil at its end. The first call asks the client for it with 100 Continue
    /// if it waits for that, unless a response was begun.
    ///
    /// - Throws: `.clientLeft` when the client ends before the body does, `.timedOut`, `.malformed` for broken framing; the
    ///   connection closes after the response then. `.cancelled` when the task is cancelled.
    package func readBody() async throws(ConnectionError) -> Bytes? {
        try checkOpen()
        if awaitsContinue, !isBodyRead { try await sendContinue() }
        return try await nextPiece()
    }

    /// Reads the rest of the body at once.
    ///
    /// - Throws: `.tooLarge` above `limit` octets, and what `readBody` throws.
    package func readWholeBody(limit: Int) async throws(ConnectionError) -> Bytes {
        if case .length(let length) = framing, length > limit { throw .tooLarge(limit: limit) }
        guard var body = try await readBody() else { return [] }
        if case .length(let length) = framing { body.reserveCapacity(length < 1 << 20 ? length : 1 << 20) }
        if body.count > limit { throw .tooLarge(limit: limit) }
        while let piece = try await readBody() {
            if body.count + piece.count > limit { throw .tooLarge(limit: limit) }
            body += piece
        }
        return body
    }

    /// Reads what is left of the body and drops it. Says whether the next request can be read: not when more than `limit`
    /// octets are left, or when the client may never send them.
    func drainBody(limit: Int) async -> Bool {
        if awaitsContinue, !isBodyRead { return false }
        var left = limit
        do {
            while let piece = try await nextPiece() {
                left -= piece.count
                if left < 0 { return false }
            }
            return true
        } catch {
            return false
        }
    }

    private func sendContinue() async throws(ConnectionError) {
        awaitsContinue = false
        guard progress == .unanswered else { return }
        let before = connection.octetsSent
        defer { countedFrom += connection.octetsSent - before }
        try await connection.transmit(Bytes("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }

    private func nextPiece() async throws(ConnectionError) -> Bytes? {
        let socket = connection.socket
        if socket.isTired { await socket.breathe() }
        while !isBodyRead {
            if !connection.unread.isEmpty {
                let (look, consumed) = try look(connection.ahead, connection.unread)
                connection.consume(consumed)
                switch look {
                case .piece(let piece): return noted(piece)
                case .end:
                    if bodyReadAt == nil { bodyReadAt = loop.now() }
                    return nil
                case .needMore: break
                }
            }
            switch socket.receive() {
            case .octets(let count):
                if let piece = try take(count) { return noted(piece) }
            case .wouldBlock: try await waitForBody()
            case .end:
                closesAfter = true
                throw .clientLeft("the client's input ended within the body")
            case .failed: throw .clientLeft("the connection was reset within the body")
            }
        }
        return nil
    }

    private func noted(_ piece: Bytes) -> Bytes {
        bodyOctets += piece.count
        if isBodyRead, bodyReadAt == nil { bodyReadAt = loop.now() }
        return piece
    }

    /// Takes what was just read, from the scratch buffer where nothing was read ahead of it.
    @inline(never)
    private func take(_ count: Int) throws(ConnectionError) -> Bytes? {
        guard connection.unread.isEmpty else {
            connection.keep(0..<count)
            return nil
        }
        let (look, consumed) = try look(loop.scratch, 0..<count)
        connection.keep(consumed..<count)
        if case .piece(let piece) = look { return piece }
        return nil
    }

    @inline(never)
    private func look(_ buffer: Bytes, _ range: Range<Int>) throws(ConnectionError) -> (Look, consumed: Int) {
        guard let bodyReading else { return (.end, 0) }
        defer { isBodyRead = bodyReading.decoder.isComplete }
        do throws(ParseError) {
            switch try bodyReading.decoder.next(buffer, range) {
            case .data(let piece, let consumed): return (.piece(Bytes(buffer[piece])), consumed)
            case .needMore(let consumed): return (.needMore, consumed)
            case .end(let consumed): return (.end, consumed)
            }
        } catch {
            closesAfter = true
            throw .malformed(error)
        }
    }

    private func waitForBody() async throws(ConnectionError) {
        let left = bodyDeadline > loop.tick ? bodyDeadline - loop.tick : 0
        switch await connection.socket.waitReadable(atMost: min(left, connection.times.body)) {
        case .ready: return
        case .cancelled: throw .cancelled
        case .timedOut:
            closesAfter = true
            throw .timedOut(
                left <= connection.times.body
                    ? "the request did not come whole in time" : "the client sent no octet of the body in time")
        }
    }
}
