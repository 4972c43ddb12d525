import CassetteKit
import Synchronization
import SystemIO
import Transport

/// Remembers requests that were broken without an octet of an answer, for many clients repeat such a request by themselves:
/// an equal one within a second, which can only come on another connection, is probably that and no wish of the app.
///
/// Any thread, under the lock. It holds what the last second brought, and is empty in sessions without such faults.
final class RetryWatch: Sendable {
    /// How long a repeated request counts as the client's own doing.
    static let patience = Duration.seconds(1)

    private struct Broken {
        var session: String
        var key: MatchKey
        var end: EventLoop.Instant
    }

    private let broken = Locked<[Broken]>([])
    /// Whether there may be something to find, so that other exchanges need no key.
    private let isWatching = Atomic(false)

    var mayFind: Bool { isWatching.load(ordering: .relaxed) }

    /// Remembers a request whose connection ended at `now` without an octet.
    func note(_ key: MatchKey, session: String, now: EventLoop.Instant) {
        broken.withLock { list in
            list.removeAll { now.since($0.end) > Self.patience }
            list.append(Broken(session: session, key: key, end: now))
        }
        isWatching.store(true, ordering: .relaxed)
    }

    /// Whether a request that came at `now` is probably the repeat of a broken one; each is found once.
    func isRetry(_ key: MatchKey, session: String, now: EventLoop.Instant) -> Bool {
        broken.withLock { list in
            list.removeAll { now.since($0.end) > Self.patience }
            let place = list.firstIndex { $0.key == key && $0.session == session }
            if let place { list.remove(at: place) }
            isWatching.store(!list.isEmpty, ordering: .relaxed)
            return place != nil
        }
    }
}
