import SystemIO

/// What of a descriptor is watched.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Octets to read, or the end of input.
    package static let read = Interest(rawValue: 1)
    /// Room to write.
    package static let write = Interest(rawValue: 2)
}

/// What a descriptor was found ready for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// The peer has closed its sending side. Not every system tells; a read of zero octets always does.
    package static let ended = Readiness(rawValue: 4)
    /// The descriptor has an error, was reset, or is closed on both sides.
    package static let failed = Readiness(rawValue: 8)
}

/// When a descriptor's readiness is told.
enum Trigger {
    /// As long as it lasts.
    case level
    /// Once when it begins, then not before `Poller.arm`: a reader goes on until it would block, then arms.
    case edge
}

/// One readiness found by a wait.
struct PollEvent {
    /// What the descriptor was added under.
    var token: UInt64
    var readiness: Readiness
}

/// Which system call finds out what is ready.
package enum PollerKind: String, Sendable, CaseIterable {
    /// `epoll(7)`; on systems without it, `poll`.
    case epoll
    /// `poll(2)`, the portable one, whose cost grows with the number of descriptors.
    case poll

    func make() throws(SystemError) -> any Poller {
        #if os(Linux)
            if self == .epoll { return try EpollPoller() }
        #endif
        return try PollPoller()
    }
}

/// Waits for descriptors on behalf of one loop. All but `wakeUp` is called on the loop's thread.
protocol Poller: AnyObject {
    /// Watches a descriptor that is not watched yet.
    func add(_ fd: Int32, _ interest: Interest, _ trigger: Trigger, token: UInt64) throws(SystemError)
    /// Changes what is watched.
    func change(_ fd: Int32, _ interest: Interest, _ trigger: Trigger, token: UInt64) throws(SystemError)
    /// Forgets a descriptor; called before it is closed.
    func remove(_ fd: Int32)
    /// Asks to be told again, after a call on an edge-triggered descriptor would have blocked.
    func arm(_ fd: Int32, _ interest: Interest)
    /// Waits at most `milliseconds` (-1: without limit), appends what is ready, and says whether `wakeUp` was called.
    func wait(_ milliseconds: Int32, into events: inout [PollEvent]) -> Bool
    /// Ends the current or the next wait. From any thread.
    func wakeUp()
}
