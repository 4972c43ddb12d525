import HTTPCore
import Synchronization

/// Recorded answers made ready for the wire, kept for the next request, up to a total size.
///
/// Any thread, under the lock.
final class AnswerCache: Sendable {
    /// Octets that are kept in all.
    static let capacity = 64 << 20

    private struct Entry {
        var acceptEncoding: Bytes?
        var prepared: PreparedAnswer
    }

    private struct State {
        var entries: [Entry?]
        var size = 0
    }

    private let state: Mutex<State>

    /// - Parameter count: how many interactions there are.
    init(count: Int) {
        state = Mutex(State(entries: Array(repeating: nil, count: count)))
    }

    /// The answer of an interaction for a client with this Accept-Encoding.
    func answer(_ index: Int, _ acceptEncoding: Bytes?) -> PreparedAnswer? {
        state.withLock { state in
            guard let entry = state.entries[index], entry.acceptEncoding == acceptEncoding else { return nil }
            return entry.prepared
        }
    }

    func keep(_ prepared: PreparedAnswer, _ index: Int, _ acceptEncoding: Bytes?) {
        state.withLock { state in
            let old = state.entries[index].map { Self.size(of: $0.prepared) } ?? 0
            let size = state.size - old + Self.size(of: prepared)
            guard size <= Self.capacity else { return }
            state.size = size
            state.entries[index] = Entry(acceptEncoding: acceptEncoding, prepared: prepared)
        }
    }

    private static func size(of prepared: PreparedAnswer) -> Int {
        prepared.answer.body.count + (prepared.wire?.count ?? 0)
    }
}
