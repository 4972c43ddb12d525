/// Finds a body's octets in the buffer they arrived in, whatever the framing (RFC 9112 §6, §7).
package struct BodyDecoder: Sendable {
    /// What a look at the buffer gave. `consumed` counts from the range's start: so many octets may be dropped.
    package enum Event: Equatable, Sendable {
        /// A piece of the body; the range is one of the buffer.
        case data(Range<Int>, consumed: Int)
        /// Nothing more can be said before more octets come.
        case needMore(consumed: Int)
        /// The body is whole; octets after `consumed` belong to the next message.
        case end(consumed: Int)
    }

    private let framing: BodyFraming
    private var remaining: Int
    private var chunks: ChunkedDecoder
    private var isEnded: Bool

    package init(_ framing: BodyFraming, limits: HeadLimits) {
        self.framing = framing
        chunks = ChunkedDecoder(limits: limits)
        switch framing {
        case .none:
            remaining = 0
            isEnded = true
        case .length(let length):
            remaining = length
            isEnded = length == 0
        case .chunked, .untilClose:
            remaining = 0
            isEnded = false
        }
    }

    /// Looks at `buffer[range]`. Call again, without the consumed octets, until it needs more or has reached the end;
    /// after the end it says so again. Throws 400 for a malformed chunk, 431 for trailers over the limits; the offset
    /// counts from the body's start.
    package mutating func next(_ buffer: Bytes, _ range: Range<Int>) throws(ParseError) -> Event {
        if isEnded { return .end(consumed: 0) }
        guard framing == .chunked else { return nextPlain(range) }
        let event = try buffer.withUnsafeBufferPointer { (octets) throws(ParseError) -> Event in
            precondition(range.lowerBound >= 0 && range.upperBound <= octets.count, "\(range) of \(octets.count)")
            return try chunks.next(octets, range)
        }
        isEnded = chunks.isComplete
        return event
    }

    private mutating func nextPlain(_ range: Range<Int>) -> Event {
        guard !range.isEmpty else { return .needMore(consumed: 0) }
        guard case .length = framing else { return .data(range, consumed: range.count) }
        let count = min(remaining, range.count)
        remaining -= count
        isEnded = remaining == 0
        return .data(range.lowerBound..<(range.lowerBound + count), consumed: count)
    }

    /// The trailer fields of a chunked body that has ended; else empty. Never to be merged with the head's fields
    /// (RFC 9112 §7.1.2).
    package var trailers: Fields { isEnded ? chunks.trailers : Fields() }

    /// Says that no more octets will come. Throws `cut` unless the body is whole (RFC 9112 §8).
    package mutating func endOfInput() throws(ParseError) {
        if framing == .untilClose { isEnded = true }
        guard isEnded else {
            let missing = framing == .chunked ? "its last chunk" : "\(remaining) octets"
            throw .malformed("cut", "the connection ended before the body did: \(missing) did not come", at: 0)
        }
    }

    package var isComplete: Bool { isEnded }
}
