/// What could be read from octets that are not one well-formed stream of their coding.
package struct SalvagedContent: Sendable, Equatable {
    package var octets: [UInt8]
    /// Whether every octet of the input was read: several members, or raw deflate. Else the stream is cut, or something
    /// follows it.
    package var isWhole: Bool

    package init(octets: [UInt8], isWhole: Bool) {
        self.octets = octets
        self.isWhole = isWhole
    }
}

/// Reads what can be read: members one by one (RFC 1952 §2.2), `deflate` without its zlib frame (RFC 1951), the beginning of a
/// stream that is cut or broken. Octets that follow a stream and are none stand at the end as they are.
///
/// - Returns: nil where nothing can be read; no octets where more would come out than `limits` allow.
package func salvageContent(
    _ bytes: [UInt8], _ coding: ContentCoding, limits: DecodeLimits = DecodeLimits()
) -> SalvagedContent? {
    let limits = limits.output(for: bytes.count)
    var result = SalvagedContent(octets: [], isWhole: true)
    var offset = 0
    while offset < bytes.count {
        guard let part = salvagedPart(bytes, from: offset, coding, limits),
            (try? limits.check(result.octets.count + part.octets.count)) != nil
        else { return SalvagedContent(octets: [], isWhole: false) }
        result.octets += part.octets
        guard part.isEnd, part.consumed > 0 else {
            result.isWhole = false
            if part.octets.isEmpty {
                if offset == 0 { return nil }
                result.octets += bytes[offset...]
            }
            break
        }
        offset += part.consumed
    }
    return result
}

/// One stream, or the beginning of one.
private struct Part {
    var octets: [UInt8] = []
    var consumed = 0
    var isEnd = false
    /// Whether the library refused an octet, with what it had written before unknown.
    var isBroken = false
}

/// How many octets are given to a stream at once the second time: what it wrote before the octet that broke it is kept.
private let smallStep = 1

private func salvagedPart(
    _ bytes: [UInt8], from offset: Int, _ coding: ContentCoding, _ limits: OutputLimits
) -> Part? {
    guard let part = salvagedPart(bytes, from: offset, coding, limits, window: .max) else { return nil }
    if !part.isBroken { return part }
    guard let careful = salvagedPart(bytes, from: offset, coding, limits, window: smallStep) else { return nil }
    return careful.octets.count >= part.octets.count ? careful : part
}

private func salvagedPart(
    _ bytes: [UInt8], from offset: Int, _ coding: ContentCoding, _ limits: OutputLimits, window: Int
) -> Part? {
    switch coding {
    case .gzip:
        guard var stream = try? InflateStream(.gzip) else { return nil }
        return salvaged(&stream, bytes, from: offset, limits, window)
    case .deflate:
        guard var stream = try? InflateStream(.deflate) else { return nil }
        guard let part = salvaged(&stream, bytes, from: offset, limits, window) else { return nil }
        guard part.octets.isEmpty, !part.isEnd, var raw = try? InflateStream(rawDeflate: ()) else { return part }
        return salvaged(&raw, bytes, from: offset, limits, window)
    case .br:
        guard var stream = try? BrotliDecodeStream() else { return nil }
        return salvaged(&stream, bytes, from: offset, limits, window)
    case .zstd:
        guard var stream = try? ZstdDecodeStream() else { return nil }
        return salvaged(&stream, bytes, from: offset, limits, window)
    }
}

/// Runs a stream to its end or as far as it goes; nil where more comes out than is allowed.
private func salvaged(
    _ stream: inout some CodingStream & ~Copyable, _ bytes: [UInt8], from offset: Int, _ limits: OutputLimits,
    _ window: Int
) -> Part? {
    let scratch = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)
    defer { scratch.deallocate() }
    var part = Part()
    while true {
        let start = offset + part.consumed
        // The first four octets go together: by them a stream is told.
        let size = part.consumed == 0 ? max(4, window) : window
        let end = bytes.count - start > size ? start + size : bytes.count
        let step = bytes.withUnsafeBufferPointer {
            try? stream.step(UnsafeBufferPointer(rebasing: $0[start..<end]), into: scratch)
        }
        guard let step else {
            part.isBroken = true
            return part
        }
        part.consumed += step.consumed
        guard (try? limits.check(part.octets.count + step.produced)) != nil else { return nil }
        part.octets += scratch[..<step.produced]
        part.isEnd = step.isEnd
        if step.isEnd || step.consumed == 0 && step.produced == 0 { return part }
    }
}
