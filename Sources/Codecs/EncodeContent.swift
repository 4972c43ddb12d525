/// Applies a content coding. The same octets give the same stream each time: no time, name or system stands in it.
package func encodeContent(_ bytes: [UInt8], _ coding: ContentCoding) throws(CodecError) -> [UInt8] {
    let limits = OutputLimits()
    switch coding {
    case .gzip, .deflate:
        var stream = try DeflateStream(coding)
        return try runStream(&stream, over: bytes, limits: limits)
    case .br:
        var stream = try BrotliEncodeStream(size: bytes.count)
        return try runStream(&stream, over: bytes, limits: limits)
    case .zstd:
        var stream = try ZstdEncodeStream()
        return try runStream(&stream, over: bytes, limits: limits)
    }
}
