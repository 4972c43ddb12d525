/// Values in HTML that belong to a name in another attribute: `<input name="csrf" value="…">`, `<meta name= content=>`.
extension SanitizerPass {
    private static let naming = ["name=", "id=", "property="].map { Array($0.utf8) }
    private static let valuing = ["value=", "content="].map { Array($0.utf8) }
    /// How far a tag is looked at in each direction.
    private static let tagLimit = 2048

    /// Where the value stands of the tag whose name attribute is the word; nil if the word is none.
    static func attribute(_ octets: Octets, _ word: Range<Int>, _ range: Range<Int>) -> Range<Int>? {
        guard word.lowerBound > range.lowerBound, word.upperBound < range.upperBound else { return nil }
        let mark = octets[word.lowerBound - 1]
        guard mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'"), octets[word.upperBound] == mark,
            naming.contains(where: { ends($0, octets, range.lowerBound..<(word.lowerBound - 1)) }),
            let lower = tagStart(octets, word.lowerBound, range.lowerBound)
        else { return nil }
        var at = lower
        let limit = min(range.upperBound, word.upperBound + tagLimit)
        while at < limit {
            let octet = octets[at]
            if octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "'") {
                let isValue = valuing.contains { ends($0, octets, lower..<at) }
                let start = at + 1
                at = start
                while at < limit, octets[at] != octet { at += 1 }
                guard at < limit else { return nil }
                if isValue { return start..<at }
            } else if octet == UInt8(ascii: ">") {
                return nil
            }
            at += 1
        }
        return nil
    }

    private static func tagStart(_ octets: Octets, _ at: Int, _ limit: Int) -> Int? {
        var at = at
        let last = max(limit, at - tagLimit)
        while at > last {
            at -= 1
            if octets[at] == UInt8(ascii: "<") { return at }
        }
        return nil
    }

    /// Whether the range ends with the text, in any case of letters, behind a space.
    private static func ends(_ text: [UInt8], _ octets: Octets, _ range: Range<Int>) -> Bool {
        guard range.count > text.count else { return false }
        let start = range.upperBound - text.count
        for offset in text.indices where octets[start + offset] | 0x20 != text[offset] | 0x20 { return false }
        return octets[start - 1] <= 0x20
    }
}
