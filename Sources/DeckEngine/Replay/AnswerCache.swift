import HTTPCore
import Synchronization

/// Recorded answers made ready for the wire, kept for the next request, up to a total size.
///
/// Any thread, under the lock.
final class AnswerCache: Sendable {
    /// Octets of bodies that are kept in all.
    static let capacity = 64 << 20

    private struct Prepared {
        var acceptEncoding: Bytes?
        var answer: Answer
    }

    private struct State {
        var answers: [Prepared?]
        var size = 0
    }

    private let state: Mutex<State>

    /// - Parameter count: how many interactions there are.
    init(count: Int) {
        state = Mutex(State(answers: Array(repeating: nil, count: count)))
    }

    /// The answer of an interaction for a client with this Accept-Encoding.
    func answer(_ index: Int, _ acceptEncoding: Bytes?) -> Answer? {
        state.withLock { state in
            guard let prepared = state.answers[index], prepared.acceptEncoding == acceptEncoding else { return nil }
            return prepared.answer
        }
    }

    func keep(_ answer: Answer, _ index: Int, _ acceptEncoding: Bytes?) {
        state.withLock { state in
            let size = answer.body.count + (state.answers[index].map { -$0.answer.body.count } ?? 0)
            guard state.size + size <= Self.capacity else { return }
            state.size += size
            state.answers[index] = Prepared(acceptEncoding: acceptEncoding, answer: answer)
        }
    }
}
