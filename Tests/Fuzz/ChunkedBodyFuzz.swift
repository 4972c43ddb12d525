package import HTTPCore

/// Decodes the input as a chunked body, whole, octet by octet, and in steps that the first octet chooses. All must
/// give the same data, trailers, end and error; what was decoded must come out again after it was coded.
package func fuzzChunkedBody(_ input: Bytes) {
    guard let first = input.first else { return }
    let coded = Bytes(input.dropFirst())
    let whole = decodeChunks(coded, step: max(1, coded.count))
    precondition(whole == decodeChunks(coded, step: 1), "the outcome depends on how the input was cut")
    precondition(
        whole == decodeChunks(coded, step: Int(first % 16) + 1), "the outcome depends on how the input was cut")
    precondition(whole.consumed <= coded.count && whole.data.count <= coded.count)
    guard whole.isComplete else {
        precondition(whole.trailers.isEmpty, "trailers came out of a body that has not ended")
        return
    }
    let again = Serializer.chunk(whole.data) + Serializer.lastChunk(trailers: whole.trailers)
    // Written again a trailer may be an octet longer, so the limits are wider here.
    let result = decodeChunks(again, step: max(1, again.count), limits: HeadLimits())
    precondition(result.isComplete && result.consumed == again.count, "a written body is read otherwise")
    precondition(result.data == whole.data && result.trailers == whole.trailers, "a written body is read otherwise")
}

private struct ChunkOutcome: Equatable {
    var data: Bytes = []
    var trailers = Fields()
    var consumed = 0
    var isComplete = false
    var error: ParseError?
}

/// Tight enough for small inputs to meet them.
private var tightLimits: HeadLimits {
    var limits = HeadLimits(target: 1, head: 128, fields: 4)
    limits.chunkLine = 32
    return limits
}

private func decodeChunks(_ coded: Bytes, step: Int, limits: HeadLimits = tightLimits) -> ChunkOutcome {
    var decoder = BodyDecoder(.chunked, limits: limits)
    var outcome = ChunkOutcome()
    var end = 0
    do throws(ParseError) {
        while end < coded.count, !decoder.isComplete {
            end = min(end + step, coded.count)
            try takePieces(&decoder, coded, end, &outcome)
        }
    } catch {
        outcome.error = error
        outcome.consumed = 0
    }
    outcome.isComplete = decoder.isComplete
    outcome.trailers = decoder.trailers
    return outcome
}

private func takePieces(
    _ decoder: inout BodyDecoder, _ coded: Bytes, _ end: Int, _ outcome: inout ChunkOutcome
) throws(ParseError) {
    while true {
        let range = outcome.consumed..<end
        switch try decoder.next(coded, range) {
        case .data(let piece, let consumed):
            precondition(!piece.isEmpty && piece.lowerBound >= range.lowerBound, "a piece lies before its range")
            precondition(piece.upperBound == range.lowerBound + consumed, "a piece does not end where it says")
            outcome.data += coded[piece]
            outcome.consumed += consumed
        case .needMore(let consumed):
            precondition(consumed == range.count, "octets were left though more are needed")
            outcome.consumed += consumed
            return
        case .end(let consumed):
            outcome.consumed += consumed
            return
        }
    }
}
