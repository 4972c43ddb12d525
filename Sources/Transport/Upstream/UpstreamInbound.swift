import HTTPCore

/// The answer's side of an exchange: takes what libcurl hands over and gives events in order. Pure.
///
/// libcurl does not take the chunked coding apart here, so the decoder and the framing rules are our own; what libcurl
/// tolerates and RFC 9112 forbids ends the exchange.
struct UpstreamInbound {
    private enum Phase { case head, body, complete }

    /// Octets came that belong to no message: the connection cannot be trusted with another.
    private(set) var hasExcess = false
    /// Whether a line of a head was seen.
    private(set) var hasBegun = false

    private let method: String
    private let upstream: String
    private let limits = HeadLimits.response
    private var phase = Phase.head
    private var lines: [Bytes] = []
    private var lineOctets = 0
    private var framing = BodyFraming.none
    private var decoder = BodyDecoder(.none, limits: .response)
    /// Octets that the decoder wants to see again with more behind them.
    private var rest = Bytes()
    private var hasBody = false

    // What waits to be taken, in this order.
    private var heads: [UpstreamExchange.Event] = []
    private var body = Bytes()
    private var isEndTaken = false

    /// More interim answers than this, none of them taken, are no answer.
    private static let mostInterimHeads = 100
    /// What libcurl hands over at most (`CURL_MAX_WRITE_SIZE`): more of the same is likely to follow.
    private static let fullPiece = 16_384

    init(method: String, upstream: String) {
        self.method = method
        self.upstream = upstream
    }

    /// The message's last octet was seen.
    var isComplete: Bool { phase == .complete }

    /// Octets of body data that wait to be taken.
    var bufferedOctets: Int { body.count }

    /// Whether octets behind the message could come with the head, where libcurl drops them; `takeBody` sees all others.
    var watchesExcess: Bool {
        switch (phase, framing) {
        case (.head, _): hasBegun
        case (.body, .chunked), (.body, .untilClose): false
        default: !hasBody
        }
    }

    /// The next event in order, if there is one. Body octets that came meanwhile are one event.
    mutating func takeEvent() -> UpstreamExchange.Event? {
        if !heads.isEmpty { return heads.removeFirst() }
        if !body.isEmpty {
            let octets = body
            body = Bytes()
            return .body(octets)
        }
        guard phase == .complete, !isEndTaken else { return nil }
        isEndTaken = true
        return .end(trailers: decoder.trailers)
    }

    // MARK: What libcurl hands over

    /// Takes one line as the header callback gives it: status lines, field lines, the empty line; after the head also
    /// trailers, which the decoder sees by itself.
    mutating func takeLine(_ line: UnsafeRawBufferPointer) throws(UpstreamError) {
        let opensHead = line.starts(with: "HTTP/".utf8)
        guard phase == .head else {
            if opensHead { throw fault("second-head", "a second head came in the same exchange") }
            return
        }
        hasBegun = true
        lineOctets += line.count
        guard lineOctets <= limits.head + limits.target, lines.count <= limits.fields + 1 else {
            throw fault("head-too-large", "the head has more than \(limits.head) octets or \(limits.fields) fields")
        }
        let octets = Bytes(line)
        lines.append(octets)
        if octets == [0x0D, 0x0A] || octets == [0x0A] { try endHead() }
    }

    private mutating func endHead() throws(UpstreamError) {
        let head: ResponseHead
        do throws(ParseError) {
            head = try parseResponseHead(lines: lines, limits: limits)
            framing = try responseFraming(head, requestMethod: method)
        } catch {
            throw .malformed(error, upstream)
        }
        lines.removeAll(keepingCapacity: true)
        lineOctets = 0
        if head.status == 101 {
            throw UpstreamError(
                label: "upstream-upgrade",
                message:
                    "\(upstream) answered 101 Switching Protocols. Upgrades such as WebSocket are not supported yet: "
                    + "let the client speak to the upstream directly for these.")
        }
        if head.status < 200 {
            guard heads.count < Self.mostInterimHeads else {
                throw fault("interim-heads", "more than \(Self.mostInterimHeads) interim answers came at once")
            }
            heads.append(.informational(head))
            return
        }
        heads.append(.head(head, framing))
        phase = .body
        decoder = BodyDecoder(framing, limits: limits)
        if decoder.isComplete { complete() }
    }

    /// Takes body octets as they came off the wire, chunk sizes included.
    mutating func takeBody(_ octets: UnsafeRawBufferPointer) throws(UpstreamError) {
        guard phase == .body else {
            hasExcess = true
            return
        }
        hasBody = true
        if body.isEmpty, octets.count >= Self.fullPiece { body.reserveCapacity(Self.fullPiece * 8) }
        // Octets are decoded where they will be taken from: data moves down over the chunk sizes.
        let start = body.count
        body += rest
        rest = Bytes()
        body += octets
        var read = start
        var written = start
        defer { body.removeSubrange(written...) }
        while read < body.count, !decoder.isComplete {
            switch try decode(from: read) {
            case .data(let range, let consumed):
                move(range, to: written)
                written += range.count
                read += consumed
            case .needMore(let consumed):
                rest = Bytes(body[(read + consumed)...])
                read = body.count
            case .end(let consumed):
                read += consumed
            }
        }
        if decoder.isComplete {
            if read < body.count { hasExcess = true }
            complete()
        }
    }

    private mutating func decode(from start: Int) throws(UpstreamError) -> BodyDecoder.Event {
        do throws(ParseError) {
            return try decoder.next(body, start..<body.count)
        } catch {
            throw .malformed(error, upstream)
        }
    }

    private mutating func move(_ range: Range<Int>, to start: Int) {
        guard start != range.lowerBound else { return }
        body.withUnsafeMutableBytes { octets in
            let source = UnsafeRawBufferPointer(rebasing: octets[range])
            UnsafeMutableRawBufferPointer(rebasing: octets[start...]).copyMemory(from: source)
        }
    }

    /// Says that libcurl dropped octets behind the message.
    mutating func noteExcess() {
        hasExcess = true
    }

    /// Says that the transfer ended well in libcurl's eyes. Throws when the message is not whole in ours.
    mutating func endTransfer() throws(UpstreamError) {
        guard phase != .complete else { return }
        guard phase == .body else {
            throw fault("no-head", "the connection ended within the head")
        }
        do throws(ParseError) { try decoder.endOfInput() } catch {
            throw .malformed(error, upstream)
        }
        complete()
    }

    private mutating func complete() {
        phase = .complete
    }

    private func fault(_ label: String, _ message: String) -> UpstreamError {
        .malformed(ParseError(status: 502, label: label, message: message, offset: 0), upstream)
    }
}
