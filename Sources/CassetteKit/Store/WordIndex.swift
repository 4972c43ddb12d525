import HTTPCore

/// Which files of a run hold which words, by hash: tells at once where a secret may stand that became known later.
///
/// A word is a run of letters and digits of five or more; escapes end one. What it says may be too much, never too little
/// for a secret that has such a word, or whose files are few.
struct WordIndex: Sendable {
    struct File: Sendable, Hashable {
        var track: Int
        var name: String
    }

    static let minimum = 5
    /// More words than this in one file are not kept; such a file is always looked into.
    private static let wordsLimit = 1 << 16

    private var files: [File] = []
    private var numbers: [File: Int] = [:]
    private var byWord: [UInt64: [UInt32]] = [:]
    /// Files with too many words.
    private var large: Set<Int> = []

    /// Takes up what a file holds, once.
    mutating func add(_ content: StableContent, file: File) {
        guard numbers[file] == nil else { return }
        var words: Set<UInt64> = []
        Self.each(content) { octets in
            guard words.count <= Self.wordsLimit else { return }
            octets.withUnsafeBufferPointer { Self.words($0) { words.insert($0) } }
        }
        let number = files.count
        files.append(file)
        numbers[file] = number
        guard words.count <= Self.wordsLimit else {
            large.insert(number)
            return
        }
        for word in words { byWord[word, default: []].append(UInt32(number)) }
    }

    /// A file has another name from now on.
    mutating func rename(_ old: File, to name: String) {
        guard let number = numbers[old] else { return }
        numbers[old] = nil
        files[number].name = name
        numbers[files[number]] = number
    }

    /// The files that may hold one of the values, in order of their writing.
    func files(holding values: [[UInt8]]) -> [File] {
        var found = large
        for value in values {
            var best: (count: Int, hash: UInt64)?
            value.withUnsafeBufferPointer { octets in
                Self.words(octets) { hash in
                    let count = byWord[hash]?.count ?? 0
                    if best.map({ count < $0.count }) ?? true { best = (count, hash) }
                }
            }
            guard let best else { return files }
            for number in byWord[best.hash] ?? [] { found.insert(Int(number)) }
        }
        return found.sorted().map { files[$0] }
    }

    private static func each(_ content: StableContent, _ take: ([UInt8]) -> Void) {
        take(content.target)
        if let body = content.body { take(body.octets) }
        take(content.fields.joined)
        take(content.trailers.joined)
        guard case .answer(let answer) = content.outcome else { return }
        take(answer.reason)
        take(answer.fields.joined)
        take(answer.trailers.joined)
        for head in answer.informational { take(head.fields.joined) }
        if let body = answer.body { take(body.octets) }
    }

    /// Hashes of the words (FNV-1a).
    private static func words(_ octets: UnsafeBufferPointer<UInt8>, _ take: (UInt64) -> Void) {
        var at = 0
        while at < octets.count {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            let start = at
            while at < octets.count, isWordOctet(octets[at]) {
                hash = (hash ^ UInt64(octets[at])) &* 0x0000_0100_0000_01B3
                at += 1
            }
            if at - start >= minimum { take(hash) }
            guard at < octets.count else { return }
            at += escape(octets, at)
        }
    }

    /// How many octets the escape or the other octet at `at` has.
    private static func escape(_ octets: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
        switch octets[at] {
        case UInt8(ascii: "%"): 3
        case UInt8(ascii: "\\"): at + 1 < octets.count && octets[at + 1] == UInt8(ascii: "u") ? 6 : 2
        default: 1
        }
    }

    @inline(__always)
    private static func isWordOctet(_ octet: UInt8) -> Bool {
        octet &- 0x30 < 10 || (octet | 0x20) &- 0x61 < 26
    }
}

extension Fields {
    /// All values, one a line.
    fileprivate var joined: [UInt8] {
        var octets: [UInt8] = []
        for index in 0..<count {
            octets += value(at: index)
            octets.append(0x0A)
        }
        return octets
    }
}
