/// Why a pattern was refused.
package struct PatternError: Error, Sendable, Equatable {
    /// Offset in the pattern, in octets.
    package var offset: Int
    package var message: String
}

/// A regular expression over octets that is matched in time proportional to text times pattern, whatever they are.
///
/// Takes literals, `.`, classes (`[a-z]`, `\d`, `\w`, `\s` and their opposites), groups (`(…)`, `(?:…)`), alternation,
/// `* + ? {m,n}`, each with `?` for as few as possible, `^`, `$`, `\b`, and `(?i)` at the start. There are no
/// back-references and no look-around. Octets above 127 match themselves, so UTF-8 literals work outside of classes.
package struct OctetPattern: Sendable, Equatable {
    /// As it was written.
    package let text: String
    /// How many groups capture.
    package let groups: Int
    private let program: [Instruction]
    /// The octets with which a match can begin; nil for any.
    private let first: SanitizerOctetSet?

    /// More steps than this are refused: each costs time at each octet.
    static let programLimit = 2_000

    enum Instruction: Sendable {
        case octets(SanitizerOctetSet)
        /// Goes on at both, the first rather.
        case split(Int, Int)
        case jump(Int)
        case save(Int)
        case lineStart, lineEnd, wordBoundary
        case match
    }

    /// - Throws: `PatternError` for what is none, or is too large.
    package init(_ text: String) throws(PatternError) {
        var parser = OctetPatternParser(Array(text.utf8))
        let node = try parser.parse()
        var compiler = OctetPatternCompiler(ignoresCase: parser.ignoresCase)
        try compiler.compile(node)
        self.text = text
        groups = parser.groups
        program = compiler.program
        first = Self.first(compiler.program)
    }

    package static func == (left: OctetPattern, right: OctetPattern) -> Bool { left.text == right.text }

    /// The matches in `range`, left to right and apart, each as the whole and its groups; a group that took no part is
    /// nil. Empty matches are left out.
    func matches(in octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> [[Range<Int>?]] {
        var found: [[Range<Int>?]] = []
        var machine = Machine(program: program, slots: 2 * (groups + 1))
        var at = range.lowerBound
        while at < range.upperBound {
            if let first {
                while at < range.upperBound, !first.contains(octets[at]) { at += 1 }
                guard at < range.upperBound else { break }
            }
            guard let slots = machine.run(octets, range, from: at, first: first) else { break }
            let whole = slots[0]..<slots[1]
            if whole.isEmpty {
                at = max(at + 1, whole.upperBound + 1)
                continue
            }
            found.append(
                (0...groups).map { group in
                    let (lower, upper) = (slots[2 * group], slots[2 * group + 1])
                    return lower >= 0 && upper >= lower ? lower..<upper : nil
                })
            at = whole.upperBound
        }
        return found
    }

    /// The octets that can come first, if nothing can match without one.
    private static func first(_ program: [Instruction]) -> SanitizerOctetSet? {
        var octets: Set<UInt8> = []
        var seen: Set<Int> = []
        var open = [0]
        while let at = open.popLast() {
            guard seen.insert(at).inserted else { continue }
            switch program[at] {
            case .octets(let set): for octet in UInt8.min...UInt8.max where set.contains(octet) { octets.insert(octet) }
            case .split(let one, let other): open += [one, other]
            case .jump(let to): open.append(to)
            case .save, .lineStart, .lineEnd, .wordBoundary: open.append(at + 1)
            case .match: return nil
            }
        }
        return SanitizerOctetSet(octets)
    }
}

extension OctetPattern {
    /// Steps through the text with all threads at once (Thompson 1968, Pike's way of keeping captures).
    private struct Machine {
        struct Threads {
            var order: [Int] = []
            var slots: [[Int]] = []
            var marks: [Int]

            init(_ count: Int) { marks = [Int](repeating: -1, count: count) }
        }

        let program: [Instruction]
        let slots: Int
        private var now: Threads
        private var next: Threads
        private var step = 0

        init(program: [Instruction], slots: Int) {
            self.program = program
            self.slots = slots
            now = Threads(program.count)
            next = Threads(program.count)
        }

        /// The slots of the leftmost match that begins at `start` or behind it.
        mutating func run(
            _ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, from start: Int, first: SanitizerOctetSet?
        ) -> [Int]? {
            var best: [Int]?
            now.order.removeAll(keepingCapacity: true)
            now.slots.removeAll(keepingCapacity: true)
            step += 1
            var at = start
            while true {
                if best == nil, at == range.upperBound || first?.contains(octets[at]) ?? true {
                    add(0, [Int](repeating: -1, count: slots), at, octets, range, to: &now)
                }
                if now.order.isEmpty, best != nil || at >= range.upperBound { return best }
                next.order.removeAll(keepingCapacity: true)
                next.slots.removeAll(keepingCapacity: true)
                step += 1
                threads: for index in now.order.indices {
                    switch program[now.order[index]] {
                    case .octets(let set):
                        if at < range.upperBound, set.contains(octets[at]) {
                            add(now.order[index] + 1, now.slots[index], at + 1, octets, range, to: &next)
                        }
                    case .match:
                        best = now.slots[index]
                        break threads
                    default: break
                    }
                }
                swap(&now, &next)
                guard at < range.upperBound else { return best }
                at += 1
            }
        }

        /// Adds a thread and all that it leads to without an octet. Each place is added once a step.
        private func add(
            _ place: Int, _ slots: [Int], _ at: Int, _ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>,
            to threads: inout Threads
        ) {
            var open: [(Int, [Int])] = [(place, slots)]
            while var (place, slots) = open.popLast() {
                while true {
                    guard threads.marks[place] != step else { break }
                    threads.marks[place] = step
                    switch program[place] {
                    case .split(let one, let other):
                        open.append((other, slots))
                        place = one
                        continue
                    case .jump(let to):
                        place = to
                        continue
                    case .save(let slot):
                        slots[slot] = at
                    case .lineStart:
                        if at != range.lowerBound, octets[at - 1] != 0x0A { place = -1 }
                    case .lineEnd:
                        if at != range.upperBound, octets[at] != 0x0A { place = -1 }
                    case .wordBoundary:
                        let before = at > range.lowerBound && isWord(octets[at - 1])
                        if before == (at < range.upperBound && isWord(octets[at])) { place = -1 }
                    case .octets, .match:
                        threads.order.append(place)
                        threads.slots.append(slots)
                        place = -1
                    }
                    if place < 0 { break }
                    place += 1
                }
            }
        }

        private func isWord(_ octet: UInt8) -> Bool {
            octet &- 0x30 < 10 || (octet | 0x20) &- 0x61 < 26 || octet == UInt8(ascii: "_")
        }
    }
}
