/// What one step of a stream did.
struct CodingStep {
    /// Octets of the input that are done with.
    var consumed: Int
    /// Octets written to the start of the output.
    var produced: Int
    /// Whether the stream is whole and all of it was written.
    var isEnd: Bool
}

/// A coding library's stream, to or from coded octets, that works through its input a step at a time.
protocol CodingStream: ~Copyable {
    /// Takes some of `input`, which holds all that is left, and fills some of `output`, which is not empty.
    ///
    /// A step that neither takes nor gives anything can't go on.
    mutating func step(
        _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(CodecError) -> CodingStep
}

/// A coding library's stream to coded octets, whose input may come in pieces.
protocol EncodingStream: CodingStream, SendableMetatype, ~Copyable {
    /// Takes some of `input`, and fills some of `output`, which is not empty.
    ///
    /// - Parameter isLast: whether nothing follows `input`; the stream then ends with it.
    mutating func step(
        _ input: UnsafeBufferPointer<UInt8>, isLast: Bool, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(CodecError) -> CodingStep
}

extension EncodingStream where Self: ~Copyable {
    mutating func step(
        _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(CodecError) -> CodingStep {
        try step(input, isLast: true, into: output)
    }
}

/// Runs a stream over the whole of `bytes`. What comes out goes by way of one scratch buffer, so that no more than `limits` allow
/// and that buffer is ever held.
func runStream(
    _ stream: inout some CodingStream & ~Copyable, over bytes: [UInt8], limits: OutputLimits
) throws(CodecError) -> [UInt8] {
    let scratch = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)
    defer { scratch.deallocate() }
    var output: [UInt8] = []
    var offset = 0
    while true {
        let step = try takeStep(&stream, bytes, from: offset, into: scratch)
        offset += step.consumed
        try limits.check(output.count + step.produced)
        output += scratch[..<step.produced]
        if step.isEnd {
            if offset < bytes.count { throw .trailing }
            return output
        }
        if step.consumed == 0, step.produced == 0 { throw .truncated }
    }
}

private func takeStep(
    _ stream: inout some CodingStream & ~Copyable, _ bytes: [UInt8], from offset: Int,
    into scratch: UnsafeMutableBufferPointer<UInt8>
) throws(CodecError) -> CodingStep {
    var failure: CodecError?
    let step = bytes.withUnsafeBufferPointer { buffer -> CodingStep? in
        do throws(CodecError) {
            return try stream.step(UnsafeBufferPointer(rebasing: buffer[offset...]), into: scratch)
        } catch {
            failure = error
            return nil
        }
    }
    guard let step else { throw failure ?? .truncated }
    return step
}

/// How many octets may come out of a stream.
struct OutputLimits {
    /// Most octets in all.
    var size = Int.max
    /// Most octets by the ratio to what goes in, and that ratio.
    var ratio: (octets: Int, limit: Int)?

    func check(_ octets: Int) throws(CodecError) {
        if octets > size { throw .tooLarge(limit: size) }
        if let ratio, octets > ratio.octets { throw .ratio(limit: ratio.limit) }
    }
}
