/// The offset of the first octet that begins no well-formed UTF-8 sequence (RFC 3629); nil if all is well.
func firstInvalidUTF8(_ buffer: UnsafeBufferPointer<UInt8>) -> Int? {
    let raw = UnsafeRawBufferPointer(buffer)
    var at = 0
    while at < buffer.count {
        if buffer[at] < 0x80 {
            if at + 8 <= buffer.count,
                raw.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                at += 8
            } else {
                at += 1
            }
            continue
        }
        let length = sequenceLength(buffer, at)
        guard length > 0 else { return at }
        at += length
    }
    return nil
}

/// Whether octets are well-formed UTF-8.
func isUTF8(_ octets: [UInt8]) -> Bool {
    octets.withUnsafeBufferPointer { firstInvalidUTF8($0) == nil }
}

/// The length of the sequence of more than one octet that begins here; 0 if there is no well-formed one.
private func sequenceLength(_ buffer: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
    let lead = buffer[at]
    let second: ClosedRange<UInt8>
    let length: Int
    switch lead {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard at + length <= buffer.count, second.contains(buffer[at + 1]) else { return 0 }
    for index in at + 2..<at + length where buffer[index] & 0xC0 != 0x80 { return 0 }
    return length
}
