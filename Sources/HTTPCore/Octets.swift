/// Octets as they stand on the wire or on disk.
package typealias Bytes = [UInt8]

/// The octets with a meaning of their own in HTTP/1.1 messages.
enum Octet {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let hash = UInt8(ascii: "#")
    static let percent = UInt8(ascii: "%")
    static let ampersand = UInt8(ascii: "&")
    static let asterisk = UInt8(ascii: "*")
    static let plus = UInt8(ascii: "+")
    static let comma = UInt8(ascii: ",")
    static let dot = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")
    static let question = UInt8(ascii: "?")
    static let at = UInt8(ascii: "@")
    static let openBracket = UInt8(ascii: "[")
    static let backslash = UInt8(ascii: "\\")
    static let closeBracket = UInt8(ascii: "]")
    static let delete: UInt8 = 0x7F
}

/// A set of ASCII octets as two words, so that a test is a shift and a mask and needs no memory.
struct OctetSet: Equatable {
    let low: UInt64
    let high: UInt64

    /// `tchar` (RFC 9110 §5.6.2).
    @inline(__always) static var token: OctetSet { OctetSet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }
    /// `unreserved` (RFC 3986 §2.3).
    @inline(__always) static var unreserved: OctetSet {
        OctetSet(low: 0x03FF_6000_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }
    /// The octets of a scheme after its first letter (RFC 3986 §3.1).
    @inline(__always) static var scheme: OctetSet { OctetSet(low: 0x03FF_6800_0000_0000, high: 0x07FF_FFFE_07FF_FFFE) }

    @inline(__always) func contains(_ octet: UInt8) -> Bool {
        guard octet < 0x80 else { return false }
        let half = octet < 0x40 ? low : high
        return (half &>> UInt64(octet & 0x3F)) & 1 != 0
    }
}

extension UInt8 {
    /// The octet with an ASCII capital made small.
    @inline(__always) var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    @inline(__always) var isDigit: Bool { self &- 0x30 < 10 }

    @inline(__always) var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// Optional white space (RFC 9110 §5.6.3).
    @inline(__always) var isBlank: Bool { self == Octet.space || self == Octet.tab }

    /// An octet that a field value may hold: HTAB, SP, VCHAR, obs-text (RFC 9110 §5.5).
    @inline(__always) var isFieldContent: Bool { self == Octet.tab || (self >= 0x20 && self != Octet.delete) }

    /// The value of a hexadecimal digit, or nil.
    @inline(__always) var hexValue: UInt8? {
        if isDigit { return self &- 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }
}

/// Whether two runs of octets are equal but for the case of ASCII letters.
@inline(__always)
func equalIgnoringCase(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    for index in 0..<left.count where left[index] != right[index] {
        guard left[index].lowercased == right[index].lowercased else { return false }
    }
    return true
}

/// The part of `range` without blanks at both ends.
@inline(__always)
func trimmed(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, octets[start].isBlank { start += 1 }
    while end > start, octets[end - 1].isBlank { end -= 1 }
    return start..<end
}

/// Scans that look at eight octets at a time.
enum Scan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    private static func word(_ octets: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt64 {
        let base = UnsafeRawPointer(octets.baseAddress.unsafelyUnwrapped)
        return UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// The index of the first line feed in `start..<octets.count`, or nil.
    @inline(__always)
    static func lineFeed(_ octets: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var index = start
        while index + 8 <= octets.count {
            let different = word(octets, index) ^ (ones &* UInt64(Octet.lineFeed))
            let hit = (different &- ones) & ~different & tops
            if hit != 0 { return index + hit.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < octets.count {
            if octets[index] == Octet.lineFeed { return index }
            index += 1
        }
        return nil
    }

    /// The index of the first octet in `start..<end` that is a control character or DEL, or `end`.
    @inline(__always)
    static func control(_ octets: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        while index + 8 <= end {
            let octet = word(octets, index)
            let low = (octet &- (ones &* 0x20)) & ~octet
            let different = octet ^ (ones &* UInt64(Octet.delete))
            let hit = (low | ((different &- ones) & ~different)) & tops
            if hit != 0 { return index + hit.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < end {
            if octets[index] < 0x20 || octets[index] == Octet.delete { return index }
            index += 1
        }
        return end
    }
}

/// Calls `body` with the octets of a collection in one piece; copies them only where they do not lie so.
@inline(__always)
func withOctets<Result>(
    _ collection: some Collection<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
    if let result = collection.withContiguousStorageIfAvailable(body) { return result }
    return Bytes(collection).withUnsafeBufferPointer(body)
}
