import HTTPCore

/// Which files of a run hold which words, by hash: tells at once where a secret may stand that became known later.
///
/// A word is a run of letters and digits of five or more, as the octets are and with escapes undone. Of text in Base64 the
/// words within count, and pieces of eight characters, half of all, for a secret can begin anywhere in it. What the index says
/// may be too much, never too little.
struct WordIndex: Sendable {
    struct File: Sendable, Hashable {
        var track: Int
        var name: String
    }

    static let minimum = 5
    private static let pieceLength = 8
    private static let encodedMinimum = 12
    /// More words than this in one file are not kept; such a file is always looked into.
    private static let wordsLimit = 1 << 16
    /// A file that holds more octets than this is not read for words: it costs less to look into it when a secret turns up.
    private static let octetsLimit = 1 << 16
    /// Base64 in Base64 is looked into this deep; what is deeper makes the file one that is always looked into.
    private static let depthLimit = 2

    private var files: [File] = []
    private var numbers: [File: Int] = [:]
    private var byWord: [UInt64: [UInt32]] = [:]
    /// Files that are always looked into.
    private var opaque: Set<Int> = []

    /// Takes up what a file holds, once.
    mutating func add(_ content: StableContent, file: File) {
        guard numbers[file] == nil else { return }
        var collector = Collector()
        var size = 0
        Self.each(content) { size += $0.count }
        collector.isOpaque = size > Self.octetsLimit
        Self.each(content) { collector.take($0, depth: 0) }
        let number = files.count
        files.append(file)
        numbers[file] = number
        guard !collector.isOpaque, collector.words.count <= Self.wordsLimit else {
            opaque.insert(number)
            return
        }
        for word in collector.words { byWord[word, default: []].append(UInt32(number)) }
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
        var found = opaque
        for value in values {
            let (word, piece) = value.withUnsafeBufferPointer { octets in
                (
                    rarest { take in Self.words(octets, take) },
                    rarest { take in Self.pieces(octets, 0..<octets.count, take) }
                )
            }
            let isEncoded = value.allSatisfy(Self.isEncoded)
            // A secret in Base64 is no word of its own: there only its pieces tell.
            guard let key = isEncoded ? piece ?? word : word else { return files }
            if isEncoded, piece == nil { return files }
            for number in byWord[key] ?? [] { found.insert(Int(number)) }
            if isEncoded, let word { for number in byWord[word] ?? [] { found.insert(Int(number)) } }
        }
        return found.sorted().map { files[$0] }
    }

    private func rarest(_ each: ((UInt64) -> Void) -> Void) -> UInt64? {
        var best: (count: Int, hash: UInt64)?
        each { hash in
            let count = byWord[hash]?.count ?? 0
            if best.map({ count < $0.count }) ?? true { best = (count, hash) }
        }
        return best?.hash
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

    /// Gathers the words of texts.
    private struct Collector {
        var words: Set<UInt64> = []
        var isOpaque = false

        mutating func take(_ octets: [UInt8], depth: Int) {
            guard words.count <= WordIndex.wordsLimit, !isOpaque, !octets.isEmpty else { return }
            // What is coded once more is not read here.
            if octets.starts(with: [0x1F, 0x8B]) || depth > WordIndex.depthLimit || UTF16Text(octets, nil) != nil {
                isOpaque = true
                return
            }
            octets.withUnsafeBufferPointer { source in
                WordIndex.words(source) { words.insert($0) }
                for escapes in [SanitizerView.Escapes.json, .percent] {
                    let mark = escapes == .json ? UInt8(ascii: "\\") : UInt8(ascii: "%")
                    guard source.contains(mark) else { continue }
                    let view = SanitizerView(source, 0..<source.count, undoing: escapes).octets
                    view.withUnsafeBufferPointer {
                        WordIndex.words($0) { words.insert($0) }
                        encoded($0, depth)
                    }
                }
                encoded(source, depth)
            }
        }

        /// Takes up runs of Base64 characters.
        private mutating func encoded(_ source: UnsafeBufferPointer<UInt8>, _ depth: Int) {
            var at = 0
            while at < source.count {
                var end = at
                while end < source.count, WordIndex.isEncoded(source[end]) { end += 1 }
                if end - at >= WordIndex.encodedMinimum {
                    WordIndex.pieces(source, at..<end) { words.insert($0) }
                    if let decoded = Base64.decode(source, at..<end), BodyChoice.isPlainText(decoded) {
                        take(decoded, depth: depth + 1)
                    }
                }
                at = max(end, at + 1)
            }
        }
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

    /// Hashes of half of all pieces in a run: whether one counts depends on itself alone.
    private static func pieces(
        _ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ take: (UInt64) -> Void
    ) {
        guard range.count >= pieceLength else { return }
        for at in range.lowerBound...(range.upperBound - pieceLength) {
            let piece = UnsafeRawBufferPointer(octets).loadUnaligned(fromByteOffset: at, as: UInt64.self)
            let hash = (piece ^ piece >> 29) &* 0x9E37_79B9_7F4A_7C15
            if hash >> 63 == 0 { take(hash) }
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

    @inline(__always)
    fileprivate static func isEncoded(_ octet: UInt8) -> Bool {
        isWordOctet(octet) || octet == UInt8(ascii: "+") || octet == UInt8(ascii: "/") || octet == UInt8(ascii: "-")
            || octet == UInt8(ascii: "_")
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
