import HTTPCore
import SystemIO

/// Recorded answers made ready for the wire, kept for the next request: those that are in memory anyway for good, those of
/// files and codings up to a total size.
///
/// Any thread, under the lock.
final class AnswerCache: Sendable {
    /// Octets that are kept of answers that are not light.
    static let capacity = 64 << 20

    private struct Entry {
        var acceptEncoding: Bytes?
        var prepared: PreparedAnswer
    }

    private struct State {
        var entries: [Entry?]
        var size = 0
    }

    private let state: Locked<State>

    /// - Parameter count: how many interactions there are.
    init(count: Int) {
        state = Locked(State(entries: Array(repeating: nil, count: count)))
    }

    /// The answer of an interaction for a client with this Accept-Encoding.
    func answer(_ index: Int, _ acceptEncoding: Bytes?) -> PreparedAnswer? {
        state.withLock { state in
            guard let entry = state.entries[index], entry.acceptEncoding == acceptEncoding else { return nil }
            return entry.prepared
        }
    }

    /// - Parameter isLight: whether the interaction in memory has the same octets, so that keeping them doubles no more than that.
    func keep(_ prepared: PreparedAnswer, _ index: Int, _ acceptEncoding: Bytes?, isLight: Bool) {
        state.withLock { state in
            if !isLight {
                let size = state.size - (state.entries[index]?.prepared.size ?? 0) + prepared.size
                guard size <= Self.capacity else { return }
                state.size = size
            }
            state.entries[index] = Entry(acceptEncoding: acceptEncoding, prepared: prepared)
        }
    }
}
