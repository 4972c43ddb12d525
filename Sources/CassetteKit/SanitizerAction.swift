/// What becomes of a value by a rule that asks for something else than a placeholder.
enum SanitizerAction {
    /// The octets in the value's place.
    static func apply(_ action: SanitizerRule.Action, to value: some Sequence<UInt8>) -> [UInt8] {
        switch action {
        case .placeholder, .link: Array(value)
        case .remove: []
        case .fixed(let text): Array(text.utf8)
        case .keepShape:
            value.map { octet in
                if octet &- 0x30 < 10 { return 0x30 }
                if octet &- 0x41 < 26 { return UInt8(ascii: "X") }
                return octet &- 0x61 < 26 || octet >= 0x80 ? UInt8(ascii: "x") : octet
            }
        }
    }

    /// A number in the place of a number (RFC 8259 §6): the fixed text if it is one, a one and zeros for the shape; nil where
    /// neither is to be had.
    static func apply(_ action: SanitizerRule.Action, toNumber value: some Sequence<UInt8>) -> [UInt8]? {
        switch action {
        case .placeholder, .link, .remove: return nil
        case .fixed(let text):
            let octets = Array(text.utf8)
            let isNumber = octets.withUnsafeBufferPointer { source in
                var cursor = JSONCursor(source, 0..<source.count)
                return cursor.next() == .number && cursor.next() == .end
            }
            return isNumber ? octets : nil
        case .keepShape:
            var isFirst = true
            return value.map { octet in
                guard octet &- 0x30 < 10 else { return octet }
                defer { isFirst = false }
                return isFirst && octet != 0x30 ? 0x31 : 0x30
            }
        }
    }
}

extension SanitizerPass {
    /// The edits for what regular expressions find.
    mutating func expressions(
        _ octets: Octets, _ range: Range<Int>, _ location: SecretLocation, _ edits: inout [SanitizerEdit]
    ) {
        for (pattern, rule) in tables.expressions {
            for match in pattern.matches(in: octets, range) {
                let groups = match.dropFirst().compactMap { $0 }
                for found in pattern.groups == 0 ? match.compactMap({ $0 }) : groups
                where !found.isEmpty && !SecretPlaceholder.isIn(octets, found) {
                    let replacement = hideFree(octets, found, rule: rule, known: nil, at: location)
                    guard isKey || !replacement.elementsEqual(octets[found]) else { continue }
                    edits.append(SanitizerEdit(range: found, replacement: replacement, rule: rule))
                }
            }
        }
    }
}
