/// A pattern as a tree.
indirect enum OctetPatternNode: Sendable {
    case empty
    case set(Set<UInt8>)
    case lineStart, lineEnd, wordBoundary
    case sequence([OctetPatternNode])
    case either([OctetPatternNode])
    case group(OctetPatternNode, Int)
    case repeated(OctetPatternNode, min: Int, max: Int?, isLazy: Bool)
}

/// Reads a pattern's text.
struct OctetPatternParser {
    private let text: [UInt8]
    private var at = 0
    private var depth = 0
    private(set) var groups = 0
    private(set) var ignoresCase = false

    private static let depthLimit = 64
    private static let countLimit = 1_000

    init(_ text: [UInt8]) {
        self.text = text
    }

    mutating func parse() throws(PatternError) -> OctetPatternNode {
        if text.starts(with: "(?i)".utf8) {
            ignoresCase = true
            at = 4
        }
        let node = try alternatives()
        if at < text.count { throw problem("a bracket is closed that was not opened") }
        return node
    }

    private func problem(_ message: String) -> PatternError { PatternError(offset: at, message: message) }

    private var next: UInt8? { at < text.count ? text[at] : nil }

    private mutating func alternatives() throws(PatternError) -> OctetPatternNode {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.depthLimit { throw problem("groups are nested too deep") }
        var choices = [try sequence()]
        while next == UInt8(ascii: "|") {
            at += 1
            choices.append(try sequence())
        }
        return choices.count == 1 ? choices[0] : .either(choices)
    }

    private mutating func sequence() throws(PatternError) -> OctetPatternNode {
        var nodes: [OctetPatternNode] = []
        while let octet = next, octet != UInt8(ascii: "|"), octet != UInt8(ascii: ")") {
            nodes.append(try repetition(of: try atom(octet)))
        }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func atom(_ octet: UInt8) throws(PatternError) -> OctetPatternNode {
        at += 1
        switch octet {
        case UInt8(ascii: "."): return .set(Set(UInt8.min...UInt8.max).subtracting([0x0A]))
        case UInt8(ascii: "^"): return .lineStart
        case UInt8(ascii: "$"): return .lineEnd
        case UInt8(ascii: "["): return .set(try bracket())
        case UInt8(ascii: "("): return try group()
        case UInt8(ascii: "\\"):
            guard let escaped = next else { throw problem("nothing follows the backslash") }
            at += 1
            if escaped == UInt8(ascii: "b") { return .wordBoundary }
            return .set(try escape(escaped))
        case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"):
            at -= 1
            throw problem("nothing stands before the sign of repetition")
        default: return .set([octet])
        }
    }

    private mutating func group() throws(PatternError) -> OctetPatternNode {
        var number: Int?
        if next == UInt8(ascii: "?") {
            guard at + 1 < text.count, text[at + 1] == UInt8(ascii: ":") else {
                throw problem("of groups with a question mark only (?:…) is taken: there is no look-around")
            }
            at += 2
        } else {
            groups += 1
            number = groups
        }
        let inner = try alternatives()
        guard next == UInt8(ascii: ")") else { throw problem("a bracket is not closed") }
        at += 1
        return number.map { .group(inner, $0) } ?? inner
    }

    private mutating func repetition(of node: OctetPatternNode) throws(PatternError) -> OctetPatternNode {
        let bounds: (min: Int, max: Int?)
        switch next {
        case UInt8(ascii: "*"): bounds = (0, nil)
        case UInt8(ascii: "+"): bounds = (1, nil)
        case UInt8(ascii: "?"): bounds = (0, 1)
        case UInt8(ascii: "{"):
            bounds = try counts()
        default: return node
        }
        at += 1
        var isLazy = false
        if next == UInt8(ascii: "?") {
            isLazy = true
            at += 1
        }
        if next == UInt8(ascii: "*") || next == UInt8(ascii: "+") || next == UInt8(ascii: "?") {
            throw problem("a sign of repetition follows another")
        }
        return .repeated(node, min: bounds.min, max: bounds.max, isLazy: isLazy)
    }

    /// Reads `{m}`, `{m,}` or `{m,n}` up to its closing brace; which `at` is left at.
    private mutating func counts() throws(PatternError) -> (min: Int, max: Int?) {
        var end = at + 1
        while end < text.count, text[end] != UInt8(ascii: "}") { end += 1 }
        let parts = String(decoding: text[min(at + 1, end)..<end], as: UTF8.self)
            .split(separator: ",", omittingEmptySubsequences: false)
        guard end < text.count, (1...2).contains(parts.count), let low = Int(parts[0]),
            parts.count == 1 || parts[1].isEmpty || Int(parts[1]) != nil
        else { throw problem("a brace begins no count: write \\{ for the character") }
        let high = parts.count == 1 ? low : Int(parts[1])
        if low > Self.countLimit || high ?? 0 > Self.countLimit || low < 0 {
            throw problem("a count is above \(Self.countLimit)")
        }
        if let high, high < low { throw problem("a count ends before it begins") }
        at = end
        return (low, high)
    }

    // MARK: Classes

    private static let digits = Set(UInt8(ascii: "0")...UInt8(ascii: "9"))
    private static let words = digits.union(UInt8(ascii: "a")...UInt8(ascii: "z"))
        .union(UInt8(ascii: "A")...UInt8(ascii: "Z")).union([UInt8(ascii: "_")])
    private static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D]
    private static let all = Set(UInt8.min...UInt8.max)

    private mutating func escape(_ octet: UInt8) throws(PatternError) -> Set<UInt8> {
        switch octet {
        case UInt8(ascii: "d"): return Self.digits
        case UInt8(ascii: "D"): return Self.all.subtracting(Self.digits)
        case UInt8(ascii: "w"): return Self.words
        case UInt8(ascii: "W"): return Self.all.subtracting(Self.words)
        case UInt8(ascii: "s"): return Self.spaces
        case UInt8(ascii: "S"): return Self.all.subtracting(Self.spaces)
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "x"):
            guard at + 2 <= text.count, let high = hexDigit(text[at]), let low = hexDigit(text[at + 1])
            else { throw problem("\\x needs two hexadecimal digits") }
            at += 2
            return [high << 4 | low]
        case 0x30...0x39: throw problem("there are no back-references")
        case 0x41...0x5A, 0x61...0x7A: throw problem("the escape is not known")
        default: return [octet]
        }
    }

    /// Reads a class up to its closing bracket.
    private mutating func bracket() throws(PatternError) -> Set<UInt8> {
        var set: Set<UInt8> = []
        let isNegated = next == UInt8(ascii: "^")
        if isNegated { at += 1 }
        var isFirst = true
        while let octet = next, octet != UInt8(ascii: "]") || isFirst {
            isFirst = false
            at += 1
            var lower: Set<UInt8> = [octet]
            if octet == UInt8(ascii: "\\") {
                guard let escaped = next else { break }
                at += 1
                lower = try escape(escaped)
            }
            guard next == UInt8(ascii: "-"), at + 1 < text.count, text[at + 1] != UInt8(ascii: "]"), lower.count == 1,
                let low = lower.first
            else {
                set.formUnion(lower)
                continue
            }
            at += 1
            var high = text[at]
            at += 1
            if high == UInt8(ascii: "\\"), let escaped = next {
                at += 1
                high = try escape(escaped).first ?? high
            }
            guard low <= high else { throw problem("a range in a class ends before it begins") }
            set.formUnion(low...high)
        }
        guard next == UInt8(ascii: "]") else { throw problem("a class is not closed") }
        at += 1
        return isNegated ? Self.all.subtracting(set) : set
    }
}

/// Turns a tree into steps.
struct OctetPatternCompiler {
    private(set) var program: [OctetPattern.Instruction] = [.save(0)]
    let ignoresCase: Bool

    init(ignoresCase: Bool) {
        self.ignoresCase = ignoresCase
    }

    mutating func compile(_ node: OctetPatternNode) throws(PatternError) {
        try append(node)
        program += [.save(1), .match]
    }

    private mutating func append(_ node: OctetPatternNode) throws(PatternError) {
        if program.count > OctetPattern.programLimit {
            throw PatternError(
                offset: 0, message: "the pattern is too large: it has more than \(OctetPattern.programLimit) steps")
        }
        switch node {
        case .empty: break
        case .set(let set): program.append(.octets(SanitizerOctetSet(cased(set))))
        case .lineStart: program.append(.lineStart)
        case .lineEnd: program.append(.lineEnd)
        case .wordBoundary: program.append(.wordBoundary)
        case .sequence(let nodes): for node in nodes { try append(node) }
        case .group(let inner, let number):
            program.append(.save(2 * number))
            try append(inner)
            program.append(.save(2 * number + 1))
        case .either(let choices): try append(choices: choices)
        case .repeated(let inner, let min, let max, let isLazy):
            for _ in 0..<min { try append(inner) }
            guard let max else { return try appendLoop(inner, isLazy) }
            var splits: [Int] = []
            for _ in min..<max {
                splits.append(program.count)
                program.append(.match)
                try append(inner)
            }
            for split in splits { setSplit(split, split + 1, program.count, isLazy) }
        }
    }

    private mutating func append(choices: [OctetPatternNode]) throws(PatternError) {
        var ends: [Int] = []
        for (index, choice) in choices.enumerated() {
            guard index < choices.count - 1 else {
                try append(choice)
                break
            }
            let split = program.count
            program.append(.match)
            try append(choice)
            ends.append(program.count)
            program.append(.match)
            program[split] = .split(split + 1, program.count)
        }
        for end in ends { program[end] = .jump(program.count) }
    }

    private mutating func appendLoop(_ inner: OctetPatternNode, _ isLazy: Bool) throws(PatternError) {
        let split = program.count
        program.append(.match)
        try append(inner)
        program.append(.jump(split))
        setSplit(split, split + 1, program.count, isLazy)
    }

    private mutating func setSplit(_ at: Int, _ into: Int, _ past: Int, _ isLazy: Bool) {
        program[at] = isLazy ? .split(past, into) : .split(into, past)
    }

    private func cased(_ set: Set<UInt8>) -> Set<UInt8> {
        guard ignoresCase else { return set }
        return set.union(set.filter { ($0 | 0x20) &- 0x61 < 26 }.map { $0 ^ 0x20 })
    }
}
