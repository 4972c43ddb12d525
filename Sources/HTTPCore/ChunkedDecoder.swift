/// Takes the chunked coding apart in place (RFC 9112 §7.1). Pieces of data come out as ranges of the caller's buffer;
/// only trailer lines are copied.
struct ChunkedDecoder: Sendable {
    private enum Phase {
        case line, data, dataReturn, dataLineFeed, trailer, trailerLineFeed, done
    }

    private(set) var trailers = Fields()
    private let limits: HeadLimits
    private var phase = Phase.line
    private var line = ChunkLine()
    private var remaining = 0
    private var trailerLine = Bytes()
    private var trailerOctets = 0
    /// Octets of the coded body taken so far.
    private var offset = 0

    init(limits: HeadLimits) {
        self.limits = limits
    }

    var isComplete: Bool { phase == .done }

    mutating func next(
        _ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
    ) throws(ParseError) -> BodyDecoder.Event {
        let start = range.lowerBound
        let end = range.upperBound
        var index = start
        while true {
            if phase == .done { return .end(consumed: index - start) }
            guard index < end else { return .needMore(consumed: index - start) }
            if phase == .data {
                let count = min(remaining, end - index)
                remaining -= count
                offset += count
                if remaining == 0 { phase = .dataReturn }
                return .data(index..<(index + count), consumed: index + count - start)
            }
            try take(octets[index])
            index += 1
            offset += 1
        }
    }

    private mutating func take(_ octet: UInt8) throws(ParseError) {
        switch phase {
        case .line:
            let isWhole: Bool
            do throws(ParseError) { isWhole = try line.take(octet, limit: limits.chunkLine) } catch {
                throw .malformed(error.label, error.message, at: offset)
            }
            if isWhole { beginChunk() }
        case .dataReturn:
            try expect(octet, Octet.carriageReturn)
            phase = .dataLineFeed
        case .dataLineFeed:
            try expect(octet, Octet.lineFeed)
            phase = .line
        case .trailer, .trailerLineFeed:
            try takeTrailer(octet)
        case .data, .done:
            break
        }
    }

    private mutating func beginChunk() {
        remaining = line.size
        phase = remaining == 0 ? .trailer : .data
        line = ChunkLine()
    }

    private func expect(_ octet: UInt8, _ wanted: UInt8) throws(ParseError) {
        guard octet == wanted else {
            throw .malformed("chunk-end", "a chunk's data does not end with CR LF where its size says", at: offset)
        }
    }

    private mutating func takeTrailer(_ octet: UInt8) throws(ParseError) {
        if phase == .trailerLineFeed {
            guard octet == Octet.lineFeed else {
                throw .malformed("bare-cr", "a carriage return in a trailer is not followed by a line feed", at: offset)
            }
            try endTrailerLine()
            return
        }
        trailerOctets += 1
        guard trailerOctets <= limits.head else { throw .fieldsTooLarge(limits, at: offset) }
        if octet == Octet.carriageReturn {
            phase = .trailerLineFeed
        } else if octet == Octet.lineFeed {
            throw .malformed("bare-lf", "a trailer line ends with a line feed alone", at: offset)
        } else {
            trailerLine.append(octet)
        }
    }

    private mutating func endTrailerLine() throws(ParseError) {
        guard !trailerLine.isEmpty else {
            phase = .done
            return
        }
        guard trailers.count < limits.fields else { throw .tooManyFields(limits, at: offset) }
        do throws(ParseError) { try parseFieldLine(trailerLine[...], into: &trailers) } catch {
            throw .malformed(error.label, error.message, at: offset)
        }
        let index = trailers.count - 1
        // What frames or routes a message must stand before its body (RFC 9110 §6.5.1).
        let forbidden: [StaticString] = ["Content-Length", "Transfer-Encoding", "Host", "Connection"]
        for name in forbidden where trailers.isName(name, at: index) {
            throw .malformed("trailer", "\(name) stands among the trailers", at: offset)
        }
        trailerLine.removeAll(keepingCapacity: true)
        phase = .trailer
    }
}
