import CBrotli

/// Undoes `br` (RFC 7932). The format has no checksum: a flipped bit can go unseen.
struct BrotliDecodeStream: CodingStream, ~Copyable {
    private let state: OpaquePointer

    init() throws(CodecError) {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { throw .unavailable(.br) }
        self.state = state
    }

    deinit { BrotliDecoderDestroyInstance(state) }

    mutating func step(
        _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(CodecError) -> CodingStep {
        var (inputLeft, next) = (input.count, input.baseAddress)
        var (outputLeft, target) = (output.count, output.baseAddress)
        let result = BrotliDecoderDecompressStream(state, &inputLeft, &next, &outputLeft, &target, nil)
        if result == BROTLI_DECODER_RESULT_ERROR {
            let code = BrotliDecoderGetErrorCode(state)
            throw .malformed(.br, BrotliDecoderErrorString(code).map { String(cString: $0) } ?? "no reason given")
        }
        return CodingStep(
            consumed: input.count - inputLeft, produced: output.count - outputLeft,
            isEnd: result == BROTLI_DECODER_RESULT_SUCCESS)
    }
}

/// Applies `br`.
struct BrotliEncodeStream: EncodingStream, ~Copyable {
    private let state: OpaquePointer

    /// `size` is how many octets there will be, a hint that only makes the result smaller.
    init(size: Int) throws(CodecError) {
        guard let state = BrotliEncoderCreateInstance(nil, nil, nil) else { throw .unavailable(.br) }
        self.state = state
        // 5 of 11: as fast as gzip's 6 and smaller.
        BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, 5)
        BrotliEncoderSetParameter(state, BROTLI_PARAM_SIZE_HINT, UInt32(clamping: size))
    }

    deinit { BrotliEncoderDestroyInstance(state) }

    mutating func step(
        _ input: UnsafeBufferPointer<UInt8>, isLast: Bool, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(CodecError) -> CodingStep {
        var (inputLeft, next) = (input.count, input.baseAddress)
        var (outputLeft, target) = (output.count, output.baseAddress)
        let isFine = BrotliEncoderCompressStream(
            state, isLast ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS, &inputLeft, &next, &outputLeft, &target,
            nil)
        if isFine == 0 { throw .unavailable(.br) }
        return CodingStep(
            consumed: input.count - inputLeft, produced: output.count - outputLeft,
            isEnd: BrotliEncoderIsFinished(state) != 0)
    }
}
