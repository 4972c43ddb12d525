package import HTTPCore

/// A path segment or a query value with places for parameters: `items`, `{id}`, `v{major}.{minor}`.
///
/// Texts are compared as octets in the normal form of ``normalizePercent(_:)``.
package struct TextPattern: Sendable, Hashable {
    /// A run of the text: literal octets, or any octets (at least one where it is a part of a text) under a name.
    package enum Piece: Sendable, Hashable {
        case literal(Bytes)
        case parameter(String)
    }

    /// Literal and named pieces, never two of one kind side by side. Empty for the empty text.
    package private(set) var pieces: [Piece]
    /// How many octets are literal: the measure of two patterns of mixed pieces.
    package private(set) var literalOctets: Int

    package init(pieces: [Piece]) {
        self.pieces = pieces
        literalOctets = pieces.reduce(0) { sum, piece in
            if case .literal(let octets) = piece { sum + octets.count } else { sum }
        }
    }

    /// How much a pattern fixes, the most literal first.
    package enum Kind: Int, Sendable, Comparable {
        case literal, mixed, parameter

        package static func < (a: Kind, b: Kind) -> Bool { a.rawValue < b.rawValue }
    }

    package var kind: Kind {
        switch pieces.count {
        case 0: return .literal
        case 1: if case .literal = pieces[0] { return .literal } else { return .parameter }
        default: return .mixed
        }
    }

    /// The octets of a pattern that is all literal; nil for others.
    package var literal: Bytes? {
        guard kind == .literal else { return nil }
        if case .literal(let octets) = pieces.first { return octets }
        return []
    }

    /// The names of the parameters, in order.
    package var parameterNames: [String] {
        pieces.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    /// Tells whether the pattern takes a text.
    ///
    /// - Parameter allowsEmpty: whether a parameter that is the whole pattern takes the empty text (query values do, path
    ///   segments do not).
    package func matches(_ text: ArraySlice<UInt8>, allowsEmpty: Bool) -> Bool {
        switch kind {
        case .literal: return text.count == literalOctets && (literal ?? []).elementsEqual(text)
        case .parameter: return allowsEmpty || !text.isEmpty
        case .mixed: return ranges(in: text) != nil
        }
    }

    /// The text that each parameter takes, in order; nil where the pattern does not take the text.
    package func values(in text: ArraySlice<UInt8>) -> [(name: String, value: ArraySlice<UInt8>)]? {
        if kind == .literal { return matches(text, allowsEmpty: true) ? [] : nil }
        if kind == .parameter { return [(parameterNames[0], text)] }
        guard let ranges = ranges(in: text) else { return nil }
        return zip(parameterNames, ranges).map { ($0, text[$1]) }
    }

    /// A text that the pattern takes with the names of some parameters, in braces, in place of their values.
    func text(_ text: ArraySlice<UInt8>, sharing names: Set<String>) -> Bytes {
        var out = Bytes()
        var position = text.startIndex
        for (name, value) in values(in: text) ?? [] where names.contains(name) {
            out += text[position..<value.startIndex] + Bytes("{\(name)}".utf8)
            position = value.endIndex
        }
        return out + text[position...]
    }

    /// Places the literal pieces as far left as they go, the last one at the end: where that fails, nothing else fits.
    private func ranges(in text: ArraySlice<UInt8>) -> [Range<Int>]? {
        var position = text.startIndex
        var open: Int?
        var found: [Range<Int>] = []
        for (index, piece) in pieces.enumerated() {
            guard case .literal(let octets) = piece else {
                open = position
                continue
            }
            guard let start = open else {
                guard text[position...].starts(with: octets) else { return nil }
                position += octets.count
                continue
            }
            let isLast = index == pieces.count - 1
            let earliest = isLast ? max(start + 1, text.endIndex - octets.count) : start + 1
            guard let place = firstIndex(of: octets, in: text, from: earliest) else { return nil }
            found.append(start..<place)
            position = place + octets.count
            open = nil
        }
        if let start = open {
            guard start < text.endIndex else { return nil }
            found.append(start..<text.endIndex)
            position = text.endIndex
        }
        return position == text.endIndex ? found : nil
    }

    private func firstIndex(of octets: Bytes, in text: ArraySlice<UInt8>, from: Int) -> Int? {
        guard text.endIndex - octets.count >= from else { return nil }
        return (from...(text.endIndex - octets.count)).first { text[$0...].starts(with: octets) }
    }
}

extension TextPattern {
    /// Compares how literal two patterns are; the more literal is the lesser, and equals may still take different texts.
    package static func comesBefore(_ a: TextPattern, _ b: TextPattern) -> Bool? {
        if a.kind != b.kind { return a.kind < b.kind }
        if a.kind == .mixed, a.literalOctets != b.literalOctets { return a.literalOctets > b.literalOctets }
        return nil
    }

    /// Tells whether two patterns take the same texts, whatever their parameters are called.
    func hasShape(of other: TextPattern) -> Bool {
        guard pieces.count == other.pieces.count else { return false }
        return zip(pieces, other.pieces).allSatisfy { x, y in
            switch (x, y) {
            case (.literal(let left), .literal(let right)): left == right
            case (.parameter, .parameter): true
            default: false
            }
        }
    }

    /// Tells whether some text is taken by both patterns.
    package func overlaps(_ other: TextPattern) -> Bool {
        // One letter for each literal octet, nil for "one octet or more".
        let a = letters
        let b = other.letters
        // reach[j]: the first i letters of a and the first j of b take a common text.
        var reach = [Bool](repeating: false, count: b.count + 1)
        for i in 0...a.count {
            var row = [Bool](repeating: false, count: b.count + 1)
            for j in 0...b.count {
                if i == 0 || j == 0 {
                    row[j] = i == j
                } else if let x = a[i - 1], let y = b[j - 1] {
                    row[j] = x == y && reach[j - 1]
                } else {
                    // An open piece takes one more letter of the other side, and may go on to the next.
                    row[j] = reach[j - 1] || (a[i - 1] == nil && row[j - 1]) || (b[j - 1] == nil && reach[j])
                }
            }
            reach = row
        }
        return reach[b.count]
    }

    private var letters: [UInt8?] {
        pieces.flatMap { piece -> [UInt8?] in
            switch piece {
            case .literal(let octets): octets.map { $0 }
            case .parameter: [nil]
            }
        }
    }
}
