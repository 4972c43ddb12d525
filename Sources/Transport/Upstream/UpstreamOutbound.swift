import HTTPCore

/// The request body on its way: pieces that libcurl takes when it has room. Pure.
struct UpstreamOutbound {
    /// What libcurl's read callback is told.
    enum Supply: Equatable {
        /// So many octets were put into the buffer.
        case octets(Int)
        /// Nothing now, more later.
        case nothingYet
        /// The body is over.
        case end
    }

    /// Octets that wait to be taken.
    private(set) var bufferedOctets = 0
    /// No further piece will come.
    private(set) var isFinished: Bool
    /// Octets that must still be given, where the length is known.
    private(set) var missing: Int?

    private var pieces: [Bytes] = []
    private var firstPiece = 0
    private var taken = 0

    init(_ framing: BodyFraming) {
        switch framing {
        case .length(let length):
            missing = length
            isFinished = length == 0
        case .none, .untilClose:
            missing = 0
            isFinished = true
        case .chunked:
            missing = nil
            isFinished = false
        }
    }

    /// Whether libcurl waits for the giver rather than the other way round.
    var isWaitingForPieces: Bool { !isFinished && bufferedOctets == 0 }

    /// Takes a piece; false when it is more than the length that was announced.
    mutating func give(_ piece: Bytes) -> Bool {
        guard !piece.isEmpty else { return true }
        if let missing {
            guard piece.count <= missing else { return false }
            self.missing = missing - piece.count
            if piece.count == missing { isFinished = true }
        } else if isFinished {
            return false
        }
        pieces.append(piece)
        bufferedOctets += piece.count
        return true
    }

    /// Says that no more comes; false when octets of the announced length are missing.
    mutating func finish() -> Bool {
        isFinished = true
        return (missing ?? 0) == 0
    }

    /// Drops what waits; nobody will take it.
    mutating func drop() {
        pieces.removeAll()
        firstPiece = 0
        taken = 0
        bufferedOctets = 0
    }

    /// Fills libcurl's buffer as far as pieces go.
    mutating func supply(_ buffer: UnsafeMutableRawBufferPointer) -> Supply {
        var filled = 0
        while firstPiece < pieces.count, filled < buffer.count {
            let piece = pieces[firstPiece]
            let count = min(piece.count - taken, buffer.count - filled)
            piece.withUnsafeBytes { octets in
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<(filled + count)])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: octets[taken..<(taken + count)]))
            }
            filled += count
            taken += count
            if taken == piece.count {
                pieces[firstPiece] = []
                firstPiece += 1
                taken = 0
            }
        }
        if firstPiece == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            firstPiece = 0
        }
        bufferedOctets -= filled
        if filled > 0 { return .octets(filled) }
        return isFinished ? .end : .nothingYet
    }
}
