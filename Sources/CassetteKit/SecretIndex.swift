/// Known secrets, found in octets wherever they stand.
///
/// A window of up to eight octets slides over the text; a bit filter lets almost every position pass at once, and the
/// few others are compared. Adding a secret costs the same however many there are. Comparing is paid from a budget that
/// grows with the text, so that no text can make the search slow; when it runs out the text counts as secret whole.
struct SecretIndex: Sendable {
    struct Pattern: Sendable {
        var octets: [UInt8]
        var replacement: [UInt8]
        /// Whether the replacement is Base64 that stands for Base64.
        var isFiller: Bool
    }

    struct Match {
        var range: Range<Int>
        var replacement: [UInt8]
        var isFiller: Bool
    }

    /// What stands for a short value, and the folded name under which it was met.
    struct Whole: Sendable {
        var replacement: [UInt8]
        var name: [UInt8]
    }

    private(set) var patterns: [Pattern] = []
    /// Values too short to be searched for, which are followed where they are a whole value or segment.
    private(set) var wholes: [[UInt8]: Whole] = [:]
    private var anchors: [UInt64: [Int]] = [:]
    private var filter = [UInt64](repeating: 0, count: 1024)
    private let window: Int

    /// `window` is the number of octets, 1 to 8, that every pattern has at least.
    init(window: Int) {
        self.window = min(max(window, 1), 8)
    }

    /// No secrets at all; one value, so that a pass that searches for none costs nothing.
    static let none = SecretIndex(window: 8)

    var isEmpty: Bool { patterns.isEmpty }

    /// Grows with everything that is added.
    var version: Int { patterns.count + wholes.count }

    /// Adds a value that is followed as a whole. The first one keeps its replacement.
    mutating func add(whole octets: [UInt8], replacement: [UInt8], name: [UInt8]) {
        guard wholes[octets] == nil else { return }
        wholes[octets] = Whole(replacement: replacement, name: name)
    }

    /// Changes what stands for one value.
    mutating func replace(of value: [UInt8], with replacement: [UInt8]) {
        wholes[value]?.replacement = replacement
        guard value.count >= window else { return }
        let anchor = value.withUnsafeBufferPointer { load($0, 0) }
        for index in anchors[anchor] ?? [] where patterns[index].octets == value {
            patterns[index].replacement = replacement
        }
    }

    /// Changes what stands for the patterns.
    mutating func replace(_ change: ([UInt8]) -> [UInt8]?) {
        for index in patterns.indices where !patterns[index].isFiller {
            if let new = change(patterns[index].replacement) { patterns[index].replacement = new }
        }
        for (value, whole) in wholes {
            if let new = change(whole.replacement) { wholes[value]?.replacement = new }
        }
    }

    /// Adds a pattern. Shorter ones than the window are not taken.
    mutating func add(_ octets: [UInt8], replacement: [UInt8], isFiller: Bool = false) {
        guard octets.count >= window else { return }
        let anchor = octets.withUnsafeBufferPointer { load($0, 0) }
        let known = anchors[anchor] ?? []
        guard !known.contains(where: { patterns[$0].octets == octets }) else { return }
        patterns.append(Pattern(octets: octets, replacement: replacement, isFiller: isFiller))
        // The longest first, so that of two that begin alike the longer is found.
        let index = patterns.count - 1
        let place = known.firstIndex { patterns[$0].octets.count < octets.count } ?? known.count
        anchors[anchor, default: []].insert(index, at: place)
        let bit = Self.bit(anchor)
        filter[bit >> 6] |= 1 << UInt64(bit & 63)
    }

    /// The matches in `range`, left to right and apart; nil when the budget ran out.
    func matches(in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> [Match]? {
        guard !patterns.isEmpty, range.count >= window else { return [] }
        var found: [Match] = []
        var budget = range.count &* 16 &+ 1 << 20
        var at = range.lowerBound
        let last = range.upperBound - window
        while at <= last {
            let anchor = load(text, at)
            let bit = Self.bit(anchor)
            guard filter[bit >> 6] & (1 << UInt64(bit & 63)) != 0, let candidates = anchors[anchor] else {
                at += 1
                continue
            }
            guard let hit = compare(candidates, text, at, range.upperBound, &budget) else {
                if budget < 0 { return nil }
                at += 1
                continue
            }
            let upper = at + patterns[hit].octets.count
            let pattern = patterns[hit]
            found.append(Match(range: at..<upper, replacement: pattern.replacement, isFiller: pattern.isFiller))
            at = upper
        }
        return found
    }

    private func compare(
        _ candidates: [Int], _ text: UnsafeBufferPointer<UInt8>, _ at: Int, _ end: Int, _ budget: inout Int
    ) -> Int? {
        for index in candidates {
            let count = patterns[index].octets.count
            budget -= 16
            guard at + count <= end else { continue }
            let same = patterns[index].octets.withUnsafeBufferPointer { pattern in
                var offset = window
                while offset < count, pattern[offset] == text[at + offset] { offset += 1 }
                budget -= offset
                return offset == count
            }
            if budget < 0 { return nil }
            if same { return index }
        }
        return nil
    }

    @inline(__always)
    private func load(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) -> UInt64 {
        if window == 8 {
            return UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: at, as: UInt64.self)
        }
        var value: UInt64 = 0
        for offset in 0..<window { value = value << 8 | UInt64(text[at + offset]) }
        return value
    }

    @inline(__always)
    private static func bit(_ anchor: UInt64) -> Int { Int((anchor &* 0x9E37_79B9_7F4A_7C15) >> 48) }
}
