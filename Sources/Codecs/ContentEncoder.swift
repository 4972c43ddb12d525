import Synchronization

/// Applies a content coding to octets that come in pieces, so that no more than one of them is held.
package enum ContentEncoder {
    /// Takes the next piece, and whether it is the last; gives what is coded so far.
    package typealias Step = @Sendable (_ piece: [UInt8], _ isLast: Bool) throws(CodecError) -> [UInt8]

    /// Begins a stream. The same octets give the same stream each time, though not the one of ``encodeContent(_:_:)``.
    package static func make(_ coding: ContentCoding) throws(CodecError) -> Step {
        switch coding {
        case .gzip, .deflate: step(EncoderState(try DeflateStream(coding)))
        case .br: step(EncoderState(try BrotliEncodeStream(size: 0)))
        case .zstd: step(EncoderState(try ZstdEncodeStream()))
        }
    }

    private static func step(_ state: EncoderState<some EncodingStream & ~Copyable>) -> Step {
        { (piece: [UInt8], isLast: Bool) throws(CodecError) in try state.encode(piece, isLast) }
    }
}

/// A library's stream between two pieces; one thread at a time, under the lock.
private final class EncoderState<Stream: EncodingStream & ~Copyable>: Sendable {
    private let stream: Mutex<Stream>

    init(_ stream: consuming sending Stream) { self.stream = Mutex(stream) }

    func encode(_ piece: [UInt8], _ isLast: Bool) throws(CodecError) -> [UInt8] {
        let result: Result<[UInt8], CodecError> = stream.withLock { stream in
            do throws(CodecError) {
                return .success(try Self.run(&stream, piece, isLast))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func run(_ stream: inout Stream, _ piece: [UInt8], _ isLast: Bool) throws(CodecError) -> [UInt8] {
        let scratch = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)
        defer { scratch.deallocate() }
        var output: [UInt8] = []
        var offset = 0
        while true {
            var failure: CodecError?
            let step = piece.withUnsafeBufferPointer { buffer -> CodingStep? in
                do throws(CodecError) {
                    return try stream.step(
                        UnsafeBufferPointer(rebasing: buffer[offset...]), isLast: isLast, into: scratch)
                } catch {
                    failure = error
                    return nil
                }
            }
            guard let step else { throw failure ?? .truncated }
            offset += step.consumed
            output += scratch[..<step.produced]
            let isDone = isLast ? step.isEnd : offset == piece.count && step.produced < scratch.count
            if isDone { return output }
            if step.consumed == 0, step.produced == 0 { throw .truncated }
        }
    }
}
