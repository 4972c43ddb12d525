package import HTTPCore

/// The copy of a body that passes, kept in memory until the exchange ends, and given up above a limit.
///
/// The octets lie in blocks, so that a body of unknown length never makes one array grow by copying itself.
package struct BodyCopy: Sendable {
    /// How large a block grows, in octets.
    private static let blockSize = 1 << 20
    /// How many arrivals are told apart; those after them count to the last.
    private static let mostPieces = 4_096

    private let limit: Int
    private var blocks: [Bytes] = []
    private var isGivenUp = false
    /// All octets that passed, kept or not.
    package private(set) var count = 0
    /// When each piece came, from the first one that was noted: offset in microseconds and size.
    package private(set) var pieces: [(microseconds: Int, size: Int)] = []

    /// - Parameter limit: the largest body that is kept, in octets.
    package init(limit: Int) { self.limit = limit }

    /// Keeps nothing of a body that is announced to be larger than the limit.
    package mutating func expect(_ framing: BodyFraming) {
        if case .length(let length) = framing, length > limit { isGivenUp = true }
    }

    /// Whether the body was larger than the limit, so that there is no copy.
    package var isOver: Bool { isGivenUp || count > limit }

    package mutating func append(_ piece: Bytes, at microseconds: Int = 0) {
        count += piece.count
        if isOver {
            blocks = []
            pieces = []
            return
        }
        if blocks.isEmpty || blocks[blocks.count - 1].count + piece.count > Self.blockSize {
            blocks.append(piece)
        } else {
            blocks[blocks.count - 1] += piece
        }
        if pieces.count < Self.mostPieces {
            pieces.append((microseconds, piece.count))
        } else {
            pieces[pieces.count - 1].size += piece.count
        }
    }

    /// Hands the octets over as one array, and keeps none; empty once the limit was passed.
    package mutating func take() -> Bytes {
        let taken = blocks
        blocks = []
        if taken.count == 1 { return taken[0] }
        return Self.joined(taken)
    }

    /// Joins the blocks and lets go of each as soon as it is copied.
    private static func joined(_ blocks: consuming [Bytes]) -> Bytes {
        var whole = Bytes()
        whole.reserveCapacity(blocks.reduce(0) { $0 + $1.count })
        for index in blocks.indices {
            whole += blocks[index]
            blocks[index] = []
        }
        return whole
    }
}
