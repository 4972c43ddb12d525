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
    /// Of a file that holds more octets than this the words are kept as bits in a filter of its own, which says yes too often.
    private static let octetsLimit = 1 << 14
    /// What all filters may take, in octets; files beyond that are always looked into.
    private static let filtersLimit = 64 << 20
    /// Base64 in Base64 is looked into this deep; what is deeper makes the file one that is always looked into.
    private static let depthLimit = 2

    private var files: [File] = []
    private var numbers: [File: Int] = [:]
    private var byWord: [UInt64: [UInt32]] = [:]
    /// Files that are always looked into.
    private var opaque: Set<Int> = []
    /// The words of large files.
    private var filters: [(number: Int, filter: WordFilter)] = []
    private var filtersSize = 0

    /// Takes up what a file holds, once.
    mutating func add(_ content: StableContent, file: File) {
        guard numbers[file] == nil else { return }
        var size = 0
        Self.each(content) { size += $0.count }
        let isLarge = size > Self.octetsLimit
        var collector = Collector(filter: isLarge ? WordFilter(octets: size) : nil)
        collector.isOpaque = isLarge && filtersSize + size / 4 > Self.filtersLimit
        Self.each(content) { collector.take($0, depth: 0) }
        let number = files.count
        files.append(file)
        numbers[file] = number
        if collector.isOpaque {
            opaque.insert(number)
        } else if let filter = collector.filter {
            filters.append((number, filter))
            filtersSize += size / 4
        } else {
            for word in collector.words { byWord[word, default: []].append(UInt32(number)) }
        }
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
            for key in isEncoded ? [key] + (word.map { [$0] } ?? []) : [key] {
                for number in byWord[key] ?? [] { found.insert(Int(number)) }
            }
            look(for: value, isEncoded, key, &found)
        }
        return found.sorted().map { files[$0] }
    }

    /// Looks into the filters. All pieces of a value stand where it stands, so that hardly any other file is taken for one.
    private func look(for value: [UInt8], _ isEncoded: Bool, _ key: UInt64, _ found: inout Set<Int>) {
        guard !filters.isEmpty else { return }
        var keys: [UInt64] = []
        if isEncoded { value.withUnsafeBufferPointer { Self.pieces($0, 0..<$0.count) { keys.append($0) } } }
        if keys.isEmpty { keys = [key] }
        for (number, filter) in filters where keys.allSatisfy(filter.contains) { found.insert(number) }
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
        var filter: WordFilter?
        var isOpaque = false

        init(filter: WordFilter?) { self.filter = filter }

        private mutating func insert(_ word: UInt64) {
            if filter == nil { words.insert(word) } else { filter?.insert(word) }
        }

        mutating func take(_ octets: [UInt8], depth: Int) {
            guard !isOpaque, !octets.isEmpty else { return }
            // What is coded once more is not read here.
            if octets.starts(with: [0x1F, 0x8B]) || depth > WordIndex.depthLimit || UTF16Text(octets, nil) != nil {
                isOpaque = true
                return
            }
            octets.withUnsafeBufferPointer { source in
                WordIndex.words(source) { insert($0) }
                for escapes in [SanitizerView.Escapes.json, .percent] {
                    let mark = escapes == .json ? UInt8(ascii: "\\") : UInt8(ascii: "%")
                    guard source.contains(mark) else { continue }
                    let view = SanitizerView(source, 0..<source.count, undoing: escapes).octets
                    view.withUnsafeBufferPointer {
                        WordIndex.words($0) { insert($0) }
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
                // A run that is longer than a piece may hold a secret that begins within it.
                if end - at > WordIndex.pieceLength { WordIndex.pieces(source, at..<end) { insert($0) } }
                if end - at >= WordIndex.encodedMinimum {
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
