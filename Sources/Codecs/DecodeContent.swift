/// How much a decoded body may be.
package struct DecodeLimits: Sendable {
    /// Most octets that may come out: 256 MiB.
    package var size: Int
    /// Most octets that may come out for each that goes in. Deflate can't do more than 1,032, and only bombs come near.
    /// Looked at above 1 MiB of output, for a short text of one letter is no bomb.
    package var ratio: Int

    package init(size: Int = 256 << 20, ratio: Int = 1_000) {
        self.size = size
        self.ratio = ratio
    }

    func output(for octets: Int) -> OutputLimits {
        let (product, overflows) = octets.multipliedReportingOverflow(by: ratio)
        return OutputLimits(size: size, ratio: (max(1 << 20, overflows ? .max : product), ratio))
    }
}

/// Undoes a content coding.
///
/// The octets must be exactly one well-formed stream, checksums included: two members, trailing octets, raw deflate, a
/// cut stream and no octets at all throw, as does what goes over a limit, as soon as it does.
package func decodeContent(
    _ bytes: [UInt8], _ coding: ContentCoding, limits: DecodeLimits = DecodeLimits()
) throws(CodecError) -> [UInt8] {
    let limits = limits.output(for: bytes.count)
    switch coding {
    case .gzip, .deflate:
        var stream = try InflateStream(coding)
        return try runStream(&stream, over: bytes, limits: limits)
    case .br:
        var stream = try BrotliDecodeStream()
        return try runStream(&stream, over: bytes, limits: limits)
    case .zstd:
        var stream = try ZstdDecodeStream()
        return try runStream(&stream, over: bytes, limits: limits)
    }
}
