package import HTTPCore

extension ServerExchange {
    /// Sends an interim response, such as 103; to an HTTP/1.0 client, or after the response was begun, nothing.
    package func inform(_ head: ResponseHead) async throws(ConnectionError) {
        try checkOpen()
        guard self.head.version == .http11, progress == .unanswered else { return }
        // A client that is told to go on is not told twice.
        if head.status == 100 { awaitsContinue = false }
        try await connection.transmit(Serializer.responseHead(head))
    }

    /// Begins the response. The head gets the fields of its framing and of the connection, and goes out with the first octets
    /// of the body, at the latest when the loop has nothing else to do.
    ///
    /// A body until the end of the connection closes it; a chunked one becomes that for an HTTP/1.0 client. `.none` stands for
    /// an empty body where the status has one.
    package func begin(_ head: ResponseHead, _ framing: BodyFraming) async throws(ConnectionError) {
        try checkOpen()
        plan(head, framing)
        loop.afterTurn { [weak self] in self?.flushNow() }
    }

    /// Sends octets of the body, framed, and returns when the kernel has taken them. Dropped where the response has no body;
    /// what goes beyond the announced length is dropped too, and the connection closes.
    package func write(_ bytes: Bytes) async throws(ConnectionError) {
        try checkOpen()
        if connection.socket.isTired { await connection.socket.breathe() }
        let head = takeOutgoing()
        switch body {
        case .dropped: try await connection.transmit(head)
        case .untilClose: try await connection.transmit(head, bytes)
        case .chunked:
            if bytes.isEmpty { return try await connection.transmit(head) }
            let size = head + Bytes(String(bytes.count, radix: 16).utf8) + Self.lineEnd
            try await connection.transmit(size, bytes, Self.lineEnd)
        case .length(let left):
            let isTooMuch = bytes.count > left
            if isTooMuch { closesAfter = true }
            body = .length(left: max(left - bytes.count, 0))
            try await connection.transmit(head, isTooMuch ? Bytes(bytes[..<left]) : bytes)
        }
    }

    /// Ends the response. If octets of the announced length are missing the connection closes.
    package func end(trailers: Fields = Fields()) async throws(ConnectionError) {
        try checkOpen()
        let head = takeOutgoing()
        if body == .chunked {
            try await connection.transmit(head, Serializer.lastChunk(trailers: trailers))
        } else {
            if case .length(let left) = body, left > 0 { closesAfter = true }
            try await connection.transmit(head)
        }
        progress = .whole
    }

    /// Sends a whole response in one call to the kernel.
    package func respond(_ head: ResponseHead, body octets: Bytes) async throws(ConnectionError) {
        try checkOpen()
        plan(head, .length(octets.count))
        let head = takeOutgoing()
        let body = body == .dropped ? [] : octets
        let sent = connection.transmitNow(head, body)
        if sent < head.count + body.count { try await connection.transmit(head, body, sent: sent) }
        progress = .whole
    }

    /// Sends a response that is serialized already, head and body; nothing is added. `closes` ends the connection after it.
    package func respondPrepared(_ octets: Bytes, closes: Bool) async throws(ConnectionError) {
        try checkOpen()
        progress = .begun
        noteAnswer()
        if closes || awaitsContinue { closesAfter = true }
        let sent = connection.transmitNow(octets)
        if sent < octets.count { try await connection.transmit(octets, sent: sent) }
        progress = .whole
    }

    /// Sends any octets, after a head that was begun; the connection closes after the exchange.
    package func writeRaw(_ octets: Bytes) async throws(ConnectionError) {
        try checkOpen()
        progress = .begun
        noteAnswer()
        closesAfter = true
        let head = takeOutgoing()
        try await connection.transmit(head, octets)
        progress = .whole
    }

    /// Sends a head that still waits.
    @inline(never)
    func flush() async throws(ConnectionError) {
        let head = takeOutgoing()
        try await connection.transmit(head)
    }

    /// Sends of a head that still waits what the kernel takes now.
    func flushNow() {
        guard !outgoing.isEmpty, !isOver else { return }
        outgoing.removeFirst(connection.transmitNow(outgoing))
    }

    private func plan(_ head: ResponseHead, _ framing: BodyFraming) {
        // The client may or may not send the body that it was not asked for, so nothing can follow on this connection.
        if awaitsContinue, !isBodyRead { closesAfter = true }
        let plan = AnswerPlan(
            head, framing, method: self.head.method, version: self.head.version,
            closes: closesAfter || connection.mustClose)
        progress = .begun
        noteAnswer()
        closesAfter = plan.closes
        body = plan.body
        outgoing = Serializer.responseHead(plan.head)
    }

    private func takeOutgoing() -> Bytes {
        defer { outgoing = [] }
        return outgoing
    }

    private static let lineEnd: Bytes = [13, 10]
}
