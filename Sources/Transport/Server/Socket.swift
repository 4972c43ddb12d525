import CShims
import HTTPCore
import SystemIO

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A connected socket on its loop: reads and writes that wait without blocking the loop.
///
/// It is registered once, edge-triggered; whether it may be readable or writable is remembered here, so that a request costs
/// one `recv` and one `send`. Lives on one loop. One task may read while another writes.
final class Socket: ReadinessHandler {
    /// How a wait ended.
    enum Wake { case ready, timedOut, cancelled }

    /// What a read gave. The octets are at the start of the loop's scratch buffer, until the next suspension.
    enum Received { case octets(Int), end, wouldBlock, failed }

    let loop: EventLoop
    /// Negative once closed.
    private var fd: Int32
    /// Called once, on the loop, when the socket reports an error or a reset.
    var onFailure: (() -> Void)?
    /// Called, on the loop, whenever a read may give something and no task waits for it.
    var onReadable: (() -> Void)?

    private var mayRead = false
    private var mayWrite = true
    private var hasEnded = false
    private var hasFailed = false
    /// No further wait waits: the connection is being ended.
    private(set) var isInterrupted = false
    private var reader = Waiter()
    private var writer = Waiter()
    private var timer: EventLoop.Timer?
    /// Calls that went through since the last suspension.
    private var unbroken = 0
    /// What stands between the octets and the kernel; nil for plain ones.
    private var tls: TLSSession?

    enum Side { case read, write }

    private struct Waiter {
        var continuation: UnsafeContinuation<Wake, Never>?
        /// Nanoseconds of the loop's clock.
        var deadline = UInt64.max
        /// Counts the waits, so that a cancellation that comes late from another thread ends none but its own.
        var number = 0
    }

    private subscript(side: Side) -> Waiter {
        get { side == .read ? reader : writer }
        set { if side == .read { reader = newValue } else { writer = newValue } }
    }

    /// How much a read takes at most, in octets.
    static let readSize = 65_536
    /// After so many calls without a suspension the others on the loop get their turn.
    private static let fairness = 32

    /// Takes the descriptor over; on the loop. Throws when the system cannot watch it, and has closed it then.
    init(takingOwnership fd: Int32, on loop: EventLoop) throws(SystemError) {
        self.fd = fd
        self.loop = loop
        do throws(SystemError) {
            try loop.register(fd, [.read, .write], .edge, self)
        } catch {
            tapedeck_close(fd)
            throw error
        }
    }

    var isClosed: Bool { fd < 0 }

    // MARK: Calls that do not wait

    /// Reads what is there into the loop's scratch buffer.
    func receive() -> Received {
        if tls == nil, !mayRead { return isClosed ? .failed : .wouldBlock }
        if loop.scratch.isEmpty { loop.scratch = Bytes(repeating: 0, count: Self.readSize) }
        guard let tls else { return loop.scratch.withUnsafeMutableBytes { take(into: $0) } }
        guard fd >= 0 else { return .failed }
        return loop.scratch.withUnsafeMutableBytes { tls.read(into: $0) }
    }

    /// Reads what the kernel has.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Received {
        guard mayRead else { return isClosed ? .failed : .wouldBlock }
        guard fd >= 0 else { return .failed }
        let count = tapedeck_receive(fd, buffer.baseAddress, buffer.count)
        if count == 0 { return .end }
        if count < 0 { return Int32(-count) == EAGAIN ? stopReading() : .failed }
        // Less than was asked for: the buffer is empty, and what comes next is a new edge. An end that was told with the
        // octets is not.
        if count < buffer.count, !hasEnded, !hasFailed { _ = stopReading() }
        unbroken += 1
        return .octets(count)
    }

    private func stopReading() -> Received {
        mayRead = false
        loop.arm(fd, .read)
        return .wouldBlock
    }

    /// Hands octets to the kernel, leaving out the first `skip`. Gives how many it took, nil for a failure.
    func sendNow(_ first: Bytes, _ second: Bytes = [], _ third: Bytes = [], skip: Int = 0) -> Int? {
        guard fd >= 0 else { return nil }
        guard mayWrite else { return 0 }
        if let tls { return tls.write(first, second, third, skip: skip) }
        let count = first.withUnsafeBytes { first in
            second.withUnsafeBytes { second in
                third.withUnsafeBytes { third in
                    tapedeck_send(
                        fd, first.baseAddress, first.count, second.baseAddress, second.count, third.baseAddress,
                        third.count, skip)
                }
            }
        }
        return taken(count)
    }

    /// Hands the kernel octets as they are; see `sendNow`.
    func hand(_ octets: UnsafeRawBufferPointer) -> Int? {
        guard fd >= 0 else { return nil }
        guard mayWrite else { return 0 }
        return taken(tapedeck_send(fd, octets.baseAddress, octets.count, nil, 0, nil, 0, 0))
    }

    private func taken(_ count: Int) -> Int? {
        unbroken += 1
        if count >= 0 { return count }
        guard Int32(-count) == EAGAIN else { return nil }
        mayWrite = false
        loop.arm(fd, .write)
        return 0
    }

    /// Puts TLS between all further octets and the kernel.
    func begin(_ tls: TLSSession) { self.tls = tls }

    /// Ends our sending side.
    func finish() {
        tls?.finish()
        if fd >= 0 { tapedeck_finish(fd) }
    }

    /// Closes now; with RST if `resets`. Waits end.
    func close(resets: Bool = false) {
        guard fd >= 0 else { return }
        if resets { tapedeck_reset_on_close(fd) } else { tls?.finish() }
        loop.unwatch(fd: fd)
        tapedeck_close(fd)
        fd = -1
        interrupt()
        if let timer { loop.cancel(timer) }
        timer = nil
        onFailure = nil
        onReadable = nil
    }

    /// Ends all waits, now and later, as cancelled.
    func interrupt() {
        isInterrupted = true
        wake(.read, .cancelled)
        wake(.write, .cancelled)
    }

    // MARK: Waits

    /// Waits until a read may give something, at most for `nanoseconds`.
    func waitReadable(atMost nanoseconds: UInt64?) async -> Wake {
        if hasSomethingToRead { return isInterrupted ? .cancelled : .ready }
        return await wait(.read, atMost: nanoseconds)
    }

    /// Resumes a continuation when a read may give something, at most after `nanoseconds`. For the connection's own waits:
    /// cheaper, for a cancelled task does not end it; `interrupt` and `close` do.
    func awaitReadable(_ continuation: UnsafeContinuation<Wake, Never>, atMost nanoseconds: UInt64?) {
        unbroken = 0
        if hasSomethingToRead || isInterrupted {
            return continuation.resume(returning: isInterrupted ? .cancelled : .ready)
        }
        precondition(reader.continuation == nil, "two tasks wait for one side of a socket")
        if let nanoseconds { limit(.read, loop.tick &+ nanoseconds) }
        reader.continuation = continuation
    }

    /// Waits until the kernel may take octets, at most for `nanoseconds`.
    func waitWritable(atMost nanoseconds: UInt64?) async -> Wake {
        if mayWrite { return isInterrupted ? .cancelled : .ready }
        return await wait(.write, atMost: nanoseconds)
    }

    private var hasSomethingToRead: Bool {
        guard let tls else { return mayRead }
        return !tls.readWaitsForRoom && (mayRead || tls.mayHoldMore)
    }

    /// Whether the others on the loop should get their turn.
    var isTired: Bool { unbroken >= Self.fairness }

    /// The others on the loop have had their turn.
    func rest() { unbroken = 0 }

    /// Lets the others on the loop have a turn if this socket has had many.
    @inline(never)
    func breathe() async {
        if !isTired { return }
        unbroken = 0
        await Task.yield()
    }

    private func wait(_ side: Side, atMost nanoseconds: UInt64?) async -> Wake {
        unbroken = 0
        if isInterrupted || Task.isCancelled { return .cancelled }
        precondition(self[side].continuation == nil, "two tasks wait for one side of a socket")
        if let nanoseconds { limit(side, loop.tick.addingReportingOverflow(nanoseconds).partialValue) }
        self[side].number += 1
        let number = self[side].number
        let bound = LoopBound(self, on: loop)
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { self[side].continuation = $0 }
        } onCancel: { [loop] in
            loop.perform {
                if bound.value[side].number == number { bound.value.wake(side, .cancelled) }
            }
        }
    }

    private func wake(_ side: Side, _ wake: Wake) {
        self[side].deadline = .max
        guard let continuation = self[side].continuation else { return }
        self[side].continuation = nil
        continuation.resume(returning: wake)
    }

    // MARK: Told by the loop

    func ready(_ readiness: Readiness) {
        if readiness.contains(.ended) { hasEnded = true }
        let failsNow = readiness.contains(.failed) && !hasFailed
        if failsNow { hasFailed = true }
        let isReadable = !readiness.isDisjoint(with: [.readable, .ended, .failed])
        let isWritable = !readiness.isDisjoint(with: [.writable, .failed])
        if isReadable { mayRead = true }
        if isWritable { mayWrite = true }
        let readGoesOn = isReadable || tls?.readWaitsForRoom == true
        tls?.socketIsReady()
        if readGoesOn {
            if reader.continuation != nil { wake(.read, .ready) } else { onReadable?() }
        }
        if isWritable, writer.continuation != nil { wake(.write, .ready) }
        if failsNow {
            onFailure?()
            onFailure = nil
        }
    }

    /// Sets a side's deadline. One timer serves both sides and is not moved back when a deadline is: it looks when it fires.
    private func limit(_ side: Side, _ deadline: UInt64) {
        self[side].deadline = deadline
        if timer == nil { timer = EventLoop.Timer { [unowned self] in checkDeadlines() } }
        guard let timer, !timer.isSet || timer.deadline > deadline else { return }
        loop.start(timer, at: deadline)
    }

    private func checkDeadlines() {
        let now = loop.tick
        if reader.deadline <= now { wake(.read, .timedOut) }
        if writer.deadline <= now { wake(.write, .timedOut) }
        let next = min(reader.deadline, writer.deadline)
        if next == .max {
            timer = nil
        } else if let timer {
            loop.start(timer, at: next)
        }
    }
}
