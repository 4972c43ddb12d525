/// Base64 and Base64url that decode to text (RFC 4648): looked into and written anew.
extension SanitizerPass {
    /// Shorter runs hold nothing worth looking at.
    private static let encodedMinimum = 16

    /// The edit for the run of Base64 characters that begins with a word, if it decodes to text that holds secrets.
    mutating func encoded(
        _ octets: Octets, _ word: Range<Int>, _ range: Range<Int>, _ location: SecretLocation
    ) -> SanitizerEdit? {
        guard word.lowerBound == range.lowerBound || !Self.isEncoded(octets[word.lowerBound - 1]) else { return nil }
        var end = word.lowerBound
        while end < range.upperBound, Self.isEncoded(octets[end]) { end += 1 }
        let count = end - word.lowerBound
        guard count >= Self.encodedMinimum, Self.beginsAsText(octets, word.lowerBound) else { return nil }
        while end < range.upperBound, end - word.lowerBound - count < 2, octets[end] == UInt8(ascii: "=") { end += 1 }
        if end < range.upperBound, octets[end] == UInt8(ascii: ".") { return nil }
        let run = word.lowerBound..<end
        guard let decoded = Base64.decode(octets, run), Self.isText(decoded) else { return nil }
        let edits = decoded.withUnsafeBufferPointer { leaf($0, 0..<$0.count, location, depth: 1) }
        guard let first = edits.first else { return nil }
        let isURL = octets[run].contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let isPadded = octets[end - 1] == UInt8(ascii: "=") || run.count % 4 == 0
        let plain = SanitizerEdit.apply(edits, to: decoded)
        return SanitizerEdit(
            range: run, replacement: Base64.encode(plain, isURL: isURL, pads: isPadded), rule: first.rule,
            isFiller: true)
    }

    @inline(__always)
    private static func isEncoded(_ octet: UInt8) -> Bool {
        SecretPlaceholder.isNameOctet(octet) && octet != UInt8(ascii: ".") || octet == UInt8(ascii: "+")
            || octet == UInt8(ascii: "/")
    }

    /// Whether the first twelve characters decode to text, which sets almost everything else aside at once.
    private static func beginsAsText(_ octets: Octets, _ start: Int) -> Bool {
        guard let head = Base64.decode(octets, start..<(start + 12)) else { return false }
        return head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }

    private static func isText(_ octets: [UInt8]) -> Bool { BodyChoice.isPlainText(octets) }
}
