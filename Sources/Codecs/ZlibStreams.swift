import CZlib

/// Undoes `gzip` (RFC 1952) or `deflate` (RFC 1950) with zlib, which checks their checksums.
struct InflateStream: CodingStream, ~Copyable {
    private let stream: ZlibState
    private let coding: ContentCoding

    init(_ coding: ContentCoding) throws(CodecError) {
        try self.init(coding, bits: windowBits(coding))
    }

    /// Undoes deflate without the zlib frame (RFC 1951), for which the bits are negative.
    init(rawDeflate: Void) throws(CodecError) {
        try self.init(.deflate, bits: -15)
    }

    private init(_ coding: ContentCoding, bits: Int32) throws(CodecError) {
        self.coding = coding
        stream = ZlibState()
        let code = inflateInit2_(stream.pointer, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        if code != Z_OK { throw .unavailable(coding) }
    }

    deinit { inflateEnd(stream.pointer) }

    mutating func step(
        _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(CodecError) -> CodingStep {
        let (code, consumed, produced) = stream.advance(input, output) { inflate($0, Z_NO_FLUSH) }
        switch code {
        case Z_OK, Z_BUF_ERROR: return CodingStep(consumed: consumed, produced: produced, isEnd: false)
        case Z_STREAM_END: return CodingStep(consumed: consumed, produced: produced, isEnd: true)
        case Z_NEED_DICT: throw .malformed(coding, "it needs a dictionary")
        case Z_MEM_ERROR: throw .unavailable(coding)
        default: throw .malformed(coding, stream.message)
        }
    }
}

/// Applies `gzip` or `deflate` with zlib.
struct DeflateStream: EncodingStream, ~Copyable {
    private let stream: ZlibState
    private let header: UnsafeMutablePointer<gz_header>
    private let coding: ContentCoding

    init(_ coding: ContentCoding) throws(CodecError) {
        self.coding = coding
        stream = ZlibState()
        header = .allocate(capacity: 1)
        // No time, and 255 for the system, "unknown", which zlib would otherwise set to its own (RFC 1952 §2.3.1).
        header.initialize(to: gz_header())
        header.pointee.os = 255
        let code = deflateInit2_(
            stream.pointer, 6, Z_DEFLATED, windowBits(coding), 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        if code != Z_OK { throw .unavailable(coding) }
        if coding == .gzip { deflateSetHeader(stream.pointer, header) }
    }

    deinit {
        deflateEnd(stream.pointer)
        header.deallocate()
    }

    mutating func step(
        _ input: UnsafeBufferPointer<UInt8>, isLast: Bool, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(CodecError) -> CodingStep {
        let isLast = isLast && input.count <= ZlibState.mostAtOnce
        let (code, consumed, produced) = stream.advance(input, output) { deflate($0, isLast ? Z_FINISH : Z_NO_FLUSH) }
        switch code {
        case Z_OK, Z_BUF_ERROR: return CodingStep(consumed: consumed, produced: produced, isEnd: false)
        case Z_STREAM_END: return CodingStep(consumed: consumed, produced: produced, isEnd: true)
        default: throw .unavailable(coding)
        }
    }
}

/// The largest window, in the format that zlib names by adding 16 for gzip.
private func windowBits(_ coding: ContentCoding) -> Int32 { coding == .gzip ? 15 + 16 : 15 }

/// A `z_stream` at a fixed address, which zlib keeps and compares.
private struct ZlibState: ~Copyable {
    /// `avail_in` has 32 bits: longer input goes in pieces.
    static let mostAtOnce = 1 << 30

    let pointer: UnsafeMutablePointer<z_stream>

    init() {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: z_stream())
    }

    deinit { pointer.deallocate() }

    /// What zlib says of its last failure.
    var message: String { pointer.pointee.msg.map { String(cString: $0) } ?? "no reason given" }

    func advance(
        _ input: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>,
        _ call: (UnsafeMutablePointer<z_stream>) -> Int32
    ) -> (code: Int32, consumed: Int, produced: Int) {
        let given = min(input.count, Self.mostAtOnce)
        // zlib only reads what `next_in` points to; its type says otherwise for old compilers' sake.
        pointer.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        pointer.pointee.avail_in = UInt32(given)
        pointer.pointee.next_out = output.baseAddress
        pointer.pointee.avail_out = UInt32(output.count)
        let code = call(pointer)
        return (code, given - Int(pointer.pointee.avail_in), output.count - Int(pointer.pointee.avail_out))
    }
}
