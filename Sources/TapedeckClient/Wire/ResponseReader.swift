import HTTPCore

/// Puts a response together from the pieces in which it comes; informational heads are passed over.
struct ResponseReader {
    private let method: String
    private let limits = HeadLimits.response
    private var buffer: Bytes = []
    private var head: ResponseHead?
    private var decoder: BodyDecoder?
    private var body: Bytes = []

    /// - Parameter method: the request's, since it decides whether there is a body (RFC 9112 §6.3).
    init(method: String) {
        self.method = method
    }

    /// The status, once the head is there.
    var status: Int? { head?.status }

    /// Hands over what has come of the body, which is then no part of the response any more.
    mutating func takeBodySoFar() -> Bytes {
        defer { body = [] }
        return body
    }

    /// Takes a piece; returns the response once it is whole.
    mutating func take(_ piece: Bytes) throws(ParseError) -> WireResponse? {
        buffer += piece
        while decoder == nil {
            guard try takeHead() else { return nil }
        }
        return try takeBody()
    }

    /// Says that no more comes; returns a response that ends so.
    ///
    /// - Throws: `ParseError` labelled `cut` where the end came too early.
    mutating func finish() throws(ParseError) -> WireResponse? {
        guard let head, decoder != nil else { return nil }
        try decoder?.endOfInput()
        return WireResponse(head: head, body: body)
    }

    private mutating func takeHead() throws(ParseError) -> Bool {
        guard let end = headEnd() else { return false }
        let lines = buffer[..<(end - 4)].split(separator: 10, omittingEmptySubsequences: false).map { line in
            Bytes(line.last == 13 ? line.dropLast() : line)
        }
        let parsed = try parseResponseHead(lines: lines, limits: limits)
        buffer.removeFirst(end)
        if (100...199).contains(parsed.status), parsed.status != 101 {
            return true
        }
        head = parsed
        decoder = BodyDecoder(try responseFraming(parsed, requestMethod: method), limits: limits)
        return true
    }

    /// The index behind the empty line that ends a head.
    private func headEnd() -> Int? {
        let mark: Bytes = [13, 10, 13, 10]
        guard buffer.count >= mark.count else { return nil }
        let start = (0...buffer.count - mark.count).first { index in
            buffer[index] == 13 && buffer[index..<index + 4].elementsEqual(mark)
        }
        return start.map { $0 + 4 }
    }

    private mutating func takeBody() throws(ParseError) -> WireResponse? {
        guard var decoder, let head else { return nil }
        var start = 0
        var isWhole = false
        reading: while true {
            switch try decoder.next(buffer, start..<buffer.count) {
            case .data(let range, let consumed):
                body += buffer[range]
                start += consumed
            case .needMore(let consumed):
                start += consumed
                break reading
            case .end(let consumed):
                start += consumed
                isWhole = true
                break reading
            }
        }
        buffer.removeFirst(start)
        self.decoder = decoder
        return isWhole ? WireResponse(head: head, body: body) : nil
    }
}
