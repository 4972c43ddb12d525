import HTTPCore

/// The octets of a text.
func octets(_ text: String) -> Bytes { Bytes(text.utf8) }

/// The text of octets, for messages and comparisons.
func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

/// Parses one whole request head.
func parseHead(_ input: String, limits: HeadLimits = HeadLimits()) throws -> RequestHead? {
    try parseHead(octets(input), limits: limits)
}

func parseHead(_ input: Bytes, limits: HeadLimits = HeadLimits()) throws -> RequestHead? {
    var parser = RequestHeadParser(limits: limits)
    return try parser.parse(input, from: 0, to: input.count)?.head
}

/// The error that parsing a request head gives, or nil.
func headError(_ input: Bytes, limits: HeadLimits = HeadLimits()) -> ParseError? {
    var parser = RequestHeadParser(limits: limits)
    do throws(ParseError) {
        _ = try parser.parse(input, from: 0, to: input.count)
        return nil
    } catch { return error }
}

func headError(_ input: String, limits: HeadLimits = HeadLimits()) -> ParseError? {
    headError(octets(input), limits: limits)
}

/// The error that `work` throws, or nil.
func parseError(_ work: () throws(ParseError) -> Void) -> ParseError? {
    do throws(ParseError) {
        try work()
        return nil
    } catch { return error }
}

/// What a body decoder made of an input that came in pieces.
struct DecodedBody: Equatable {
    var data: Bytes = []
    var trailers = Fields()
    var isComplete = false
    var rest: Bytes = []
    var error: String?
}

/// Feeds pieces to a decoder as a connection would: what was not consumed stays in front of the next piece.
func decode(_ pieces: [Bytes], _ framing: BodyFraming, limits: HeadLimits = HeadLimits()) -> DecodedBody {
    var decoder = BodyDecoder(framing, limits: limits)
    var result = DecodedBody()
    var buffer: Bytes = []
    do throws(ParseError) {
        for piece in pieces {
            buffer += piece
            try drain(&decoder, &buffer, &result)
        }
        if !decoder.isComplete { try decoder.endOfInput() }
    } catch { result.error = error.label }
    result.isComplete = decoder.isComplete
    result.trailers = decoder.trailers
    result.rest = buffer
    return result
}

private func drain(
    _ decoder: inout BodyDecoder, _ buffer: inout Bytes, _ result: inout DecodedBody
) throws(ParseError) {
    while true {
        switch try decoder.next(buffer, 0..<buffer.count) {
        case .data(let range, let consumed):
            result.data += buffer[range]
            buffer.removeFirst(consumed)
        case .needMore(let consumed):
            buffer.removeFirst(consumed)
            return
        case .end(let consumed):
            buffer.removeFirst(consumed)
            return
        }
    }
}
