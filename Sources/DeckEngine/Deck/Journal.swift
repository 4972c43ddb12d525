package import CassetteKit
import SystemIO

/// What became of an exchange.
package enum Outcome: Sendable, Equatable {
    /// Answered from the cassette.
    case hit(file: String)
    /// The cassette has no answer.
    case miss
    /// Answered by a variant that brings its own answer.
    case own
    /// Broken on purpose.
    case fault
    /// Answered by the upstream and stored.
    case recorded
    /// Answered by the upstream and not stored, with the reason.
    case passed(String)
    /// A tunnel that was passed unseen.
    case tunneled
    /// A request to the control API that came through the proxy.
    case control
    /// Refused or failed; the label of the problem.
    case failed(String)
    /// The client left before the answer was complete.
    case clientLeft

    /// All words, in the order of the cases.
    package static let words = [
        "hit", "miss", "own", "fault", "recorded", "passed", "tunnel", "control", "failed", "clientLeft",
    ]

    /// A fixed word for logs and filters.
    package var word: String {
        switch self {
        case .hit: "hit"
        case .miss: "miss"
        case .own: "own"
        case .fault: "fault"
        case .recorded: "recorded"
        case .passed: "passed"
        case .tunneled: "tunnel"
        case .control: "control"
        case .failed: "failed"
        case .clientLeft: "clientLeft"
        }
    }
}

/// One exchange as the journal keeps it; sanitized.
package struct JournalEntry: Sendable {
    /// Number of the exchange in this session, from 1.
    package var number = 0
    package var method: String
    /// Path and query, secret values replaced.
    package var target: String
    package var route: String?
    /// A route that has its method and path, where none took it.
    package var near: String?
    package var variant: String?
    package var status: Int
    package var outcome: Outcome
    /// Octets of the answer on the wire.
    package var octets: Int
    /// From the request's first octet to the end of the answer.
    package var duration: Duration
    /// When it ended, in milliseconds since 1970.
    package var time: Int64 = 0
    /// The request where its body was read; may hold secrets, and is sanitized before it is shown.
    package var request: RawRequest?
    /// The client's address and port.
    package var client = ""
    /// Octets of the request's body on the wire, without its chunks' frames.
    package var requestOctets = 0
    /// From the request's head to the end of its body; nil where that was not read whole.
    package var received: Duration?
    /// From the request's head to the first octet of the answer; nil where there was none.
    package var waited: Duration?
}

extension JournalEntry {
    fileprivate var bodySize: Int { request?.body?.count ?? 0 }
}

/// A bounded list of exchanges; its counts never drop.
///
/// Any thread may add and read, under the lock.
package final class Journal: Sendable {
    private struct State {
        var entries: [JournalEntry] = []
        var next = 0
        var counts: [String: Int] = [:]
        var total = 0
        /// Octets of the requests' bodies among the entries.
        var bodies = 0
        /// Where the oldest entry stands that may hold a body, counted from the oldest.
        var oldestBody = 0
    }

    /// Octets of requests' bodies that are kept in all; of older exchanges only the rest is.
    private static let mostBodies = 4 << 20

    /// Entries that a session's journal keeps.
    package static let capacity = 1_000

    private let state = Locked(State())
    private let capacity: Int

    /// - Parameter capacity: entries kept, 1 or more; older ones go.
    package init(capacity: Int = Journal.capacity) { self.capacity = capacity }

    package func add(_ entry: JournalEntry) {
        state.withLock { state in
            state.total += 1
            state.counts[entry.outcome.word, default: 0] += 1
            var entry = entry
            entry.number = state.total
            state.bodies += entry.bodySize
            if state.entries.count < capacity {
                state.entries.append(entry)
            } else {
                state.bodies -= state.entries[state.next].bodySize
                state.entries[state.next] = entry
                state.next = (state.next + 1) % capacity
                state.oldestBody = max(0, state.oldestBody - 1)
            }
            while state.bodies > Self.mostBodies, state.oldestBody < state.entries.count - 1 {
                let index = (state.next + state.oldestBody) % state.entries.count
                state.bodies -= state.entries[index].bodySize
                state.entries[index].request = nil
                state.oldestBody += 1
            }
        }
    }

    /// Forgets the entries; the counts stay.
    package func clear() {
        state.withLock { state in
            state.entries = []
            state.next = 0
            state.bodies = 0
            state.oldestBody = 0
        }
    }

    /// The entries kept, oldest first.
    package var entries: [JournalEntry] {
        state.withLock { Array($0.entries[$0.next...] + $0.entries[..<$0.next]) }
    }

    /// How many exchanges ended with that word, since the start.
    package func count(_ word: String) -> Int { state.withLock { $0.counts[word] ?? 0 } }

    /// How many exchanges ended with each word.
    package var counts: [String: Int] { state.withLock { $0.counts } }

    package var total: Int { state.withLock { $0.total } }
}
