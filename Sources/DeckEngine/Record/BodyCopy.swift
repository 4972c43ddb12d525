package import HTTPCore

/// The copy of a body that passes, kept in memory until the exchange ends, and given up above a limit.
package struct BodyCopy: Sendable {
    private let limit: Int
    /// The octets so far; empty once the limit was passed.
    package private(set) var octets: Bytes = []
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

    private var isGivenUp = false

    /// Whether the body was larger than the limit, so that there is no copy.
    package var isOver: Bool { isGivenUp || count > limit }

    package mutating func append(_ piece: Bytes, at microseconds: Int = 0) {
        count += piece.count
        if isOver {
            octets = []
            pieces = []
        } else {
            octets += piece
            pieces.append((microseconds, piece.count))
        }
    }
}
