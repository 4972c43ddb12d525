/// Numbers that stand for numbers: 15 digits, which a `Double` holds exactly, the first two of them 99, with which no card
/// begins. Eight are made from the name, and five from those, so that hardly any other number is taken for one.
extension SecretPlaceholder {
    static let numberLength = 15

    /// The number of this name.
    static func number(_ name: String) -> [UInt8] {
        numbered(digits(SHA256.digest(Array(name.utf8)), 8))
    }

    /// Whether the octets are such a number and nothing else.
    static func isNumber(_ octets: [UInt8]) -> Bool {
        octets.withUnsafeBufferPointer { $0.count == numberLength && beginsWithNumber($0, 0..<$0.count) }
    }

    static func isNumber(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        range.count == numberLength && beginsWithNumber(octets, range)
    }

    /// Whether such a number begins the range, and no other digit follows it.
    static func beginsWithNumber(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= numberLength, octets[range.lowerBound] == UInt8(ascii: "9"),
            octets[range.lowerBound + 1] == UInt8(ascii: "9")
        else { return false }
        let end = range.lowerBound + numberLength
        for at in range.lowerBound..<end where octets[at] &- 0x30 >= 10 { return false }
        if end < range.upperBound, octets[end] &- 0x30 < 10 { return false }
        let own = Array(octets[(range.lowerBound + 2)..<(range.lowerBound + 10)])
        return octets[range.lowerBound..<end].elementsEqual(numbered(own))
    }

    private static func numbered(_ own: [UInt8]) -> [UInt8] {
        let check = digits(SHA256.digest(Array("number ".utf8) + own), 5)
        let number = [UInt8(ascii: "9"), UInt8(ascii: "9")] + own + check
        guard SecretPattern.isChecked(number.map { $0 - 0x30 }), let last = number.last else { return number }
        // One that passed the check of card numbers would be taken for one.
        return number.dropLast() + [last == UInt8(ascii: "9") ? UInt8(ascii: "0") : last + 1]
    }

    private static func digits(_ digest: some Sequence<UInt8>, _ count: Int) -> [UInt8] {
        var value = digest.prefix(7).reduce(0) { $0 << 8 | UInt64($1) }
        return (0..<count).map { _ in
            defer { value /= 10 }
            return UInt8(ascii: "0") + UInt8(value % 10)
        }
    }
}

extension SecretPlaceholder {
    /// The placeholder with the stems in its name changed; nil if it has none of the old ones.
    static func renamed(_ placeholder: some Collection<UInt8>, _ renames: [StemRename]) -> [UInt8]? {
        let octets = Array(placeholder)
        if octets.starts(with: prefix) {
            return renamed(text: String(decoding: octets, as: UTF8.self), renames).map { Array($0.utf8) }
        }
        guard octets.starts(with: jwtPrefix) else { return nil }
        let parts = octets.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }
        let claims = parts[1].withUnsafeBufferPointer { Base64.decode($0, 0..<$0.count) }
        guard let claims, let new = renamed(text: String(decoding: claims, as: UTF8.self), renames) else { return nil }
        let dot = [UInt8(ascii: ".")]
        return parts[0] + dot + Base64.encode(Array(new.utf8), isURL: true, pads: false) + dot
    }

    private static func renamed(text: String, _ renames: [StemRename]) -> String? {
        var text = text
        var isChanged = false
        for rename in renames {
            guard let new = rename.applied(toName: text) else { continue }
            text = new
            isChanged = true
        }
        return isChanged ? text : nil
    }
}
