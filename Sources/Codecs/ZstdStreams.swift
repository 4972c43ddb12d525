import CZstd

/// Undoes `zstd` (RFC 8878): one frame, and no skippable one.
struct ZstdDecodeStream: CodingStream, ~Copyable {
    /// How a frame begins, RFC 8878 §3.1.1. Skippable frames and those of old versions begin otherwise.
    private static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

    private let context: OpaquePointer
    private var isStarted = false

    init() throws(CodecError) {
        guard let context = ZSTD_createDCtx() else { throw .unavailable(.zstd) }
        self.context = context
        // 2^23: a sender must not need more (RFC 9659 §3), and the memory of one stream is bounded by it.
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 23)
    }

    deinit { ZSTD_freeDCtx(context) }

    mutating func step(
        _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(CodecError) -> CodingStep {
        if !isStarted {
            guard input.count >= 4 || !Self.magic.starts(with: input) else { throw .truncated }
            guard input.starts(with: Self.magic) else { throw .malformed(.zstd, "no frame begins here") }
            isStarted = true
        }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let code = ZSTD_decompressStream(context, &target, &source)
        if ZSTD_isError(code) != 0 { throw .malformed(.zstd, String(cString: ZSTD_getErrorName(code))) }
        return CodingStep(consumed: source.pos, produced: target.pos, isEnd: code == 0)
    }
}

/// Applies `zstd`, with a checksum in the frame.
struct ZstdEncodeStream: EncodingStream, ~Copyable {
    private let context: OpaquePointer

    init() throws(CodecError) {
        guard let context = ZSTD_createCCtx() else { throw .unavailable(.zstd) }
        self.context = context
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 3)
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    }

    deinit { ZSTD_freeCCtx(context) }

    mutating func step(
        _ input: UnsafeBufferPointer<UInt8>, isLast: Bool, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(CodecError) -> CodingStep {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let code = ZSTD_compressStream2(context, &target, &source, isLast ? ZSTD_e_end : ZSTD_e_continue)
        if ZSTD_isError(code) != 0 { throw .unavailable(.zstd) }
        return CodingStep(consumed: source.pos, produced: target.pos, isEnd: isLast && code == 0)
    }
}
