import CShims
package import SystemIO

/// A thread that waits for descriptors and timers and runs the tasks that prefer it.
///
/// Work on it is nonisolated async code in a task made by `spawn`: such a task, its async calls and its children stay on the
/// loop's thread. `Task { }` and `Task.detached { }` do not; nothing that runs here may block.
///
/// `@unchecked Sendable`: the inbox is behind its lock; every field under "Loop's thread only" is touched by that thread alone.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    private enum Work: Sendable {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    /// The place of the loop in its group, from 0.
    package let index: Int
    let clock: LoopClock

    private let poller: any Poller
    /// What other threads hand over. Taken whole by the loop after a wake-up.
    private let inbox = Locked<[Work]>([])
    private let ended = Monitor(false)

    // Loop's thread only.
    private var ready: [Work] = []
    private var running: [Work] = []
    private var deferred: [() -> Void] = []
    private var timers = TimerHeap()
    private var watches = WatchTable()
    private var events: [PollEvent] = []
    private var isStopping = false
    /// When the last wait ended, in nanoseconds: good enough for time-outs, and free.
    private(set) var tick: UInt64
    /// Where sockets read to, before anything is kept; grown on first use. Whoever uses it is done before it suspends.
    var scratch: [UInt8] = []

    /// Starts the thread.
    init(index: Int, poller: PollerKind, clock: LoopClock) throws(SystemError) {
        self.index = index
        self.clock = clock
        self.poller = try poller.make()
        tick = clock.now()
        clock.attach { [weak self] in self?.poller.wakeUp() }
        try SystemThread.start("loop-\(index)") { [self] in run() }
    }

    // MARK: Tasks

    /// The loop whose thread this is, if any.
    package static var current: EventLoop? {
        tapedeck_current_loop().map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the caller is on the loop's thread.
    package var isCurrent: Bool { tapedeck_current_loop() == Unmanaged.passUnretained(self).toOpaque() }

    package func enqueue(_ job: consuming ExecutorJob) {
        submit(.job(UnownedJob(job)))
    }

    /// Runs a function on the loop, later, from any thread.
    package func execute(_ body: @escaping @Sendable () -> Void) {
        submit(.call(body))
    }

    /// Runs a function now on the loop's own thread, from another one later on the loop.
    func perform(_ body: @escaping @Sendable () -> Void) {
        if isCurrent { body() } else { execute(body) }
    }

    /// Starts a task on the loop, from any thread.
    @discardableResult
    package func spawn(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: self, operation: body)
    }

    /// Runs a function when the work that is ready now is done, before the loop waits again. On the loop.
    func afterTurn(_ body: @escaping () -> Void) {
        deferred.append(body)
    }

    private func submit(_ work: Work) {
        if isCurrent {
            ready.append(work)
            return
        }
        let wasEmpty = inbox.withLock { inbox in
            inbox.append(work)
            return inbox.count == 1
        }
        if wasEmpty { poller.wakeUp() }
    }

    // MARK: Time

    /// The time now, from the injected clock.
    package func now() -> Instant { Instant(nanoseconds: clock.now()) }

    /// Calls a function once, `delay` from now; zero or less means in the next turn. On the loop.
    @discardableResult
    package func schedule(after delay: Duration, _ callback: @escaping () -> Void) -> Timer {
        let deadline = clock.now().addingReportingOverflow(delay.wholeNanoseconds)
        let timer = Timer(callback)
        start(timer, at: deadline.overflow ? .max : deadline.partialValue)
        return timer
    }

    /// Keeps a timer from calling; nothing happens to one that has. On the loop.
    package func cancel(_ timer: Timer) {
        timers.remove(timer)
    }

    /// Sets a timer, anew if it was set already. `deadline` in nanoseconds of the loop's clock. On the loop.
    func start(_ timer: Timer, at deadline: UInt64) {
        timers.remove(timer)
        timer.deadline = deadline
        timers.add(timer)
    }

    // MARK: Descriptors

    /// Calls `handler` on the loop as long as `fd` is ready for what is asked (level-triggered); failures are always told.
    ///
    /// On the loop. The caller keeps the descriptor open until `unwatch`. Throws what the system says, as for a regular file.
    package func watch(
        fd: Int32, for interest: Interest, _ handler: @escaping (Readiness) -> Void
    ) throws(SystemError) {
        try register(fd, interest, .level, ReadinessCallback(handler))
    }

    /// Changes what a watched descriptor is watched for. On the loop.
    package func rewatch(fd: Int32, for interest: Interest) throws(SystemError) {
        guard let watched = watches.watched(fd) else { preconditionFailure("descriptor \(fd) is not watched") }
        try poller.change(fd, interest, watched.trigger, token: watched.token)
    }

    /// Stops watching; called before the descriptor is closed. On the loop. Nothing happens to one that is not watched.
    package func unwatch(fd: Int32) {
        guard watches.watched(fd) != nil else { return }
        watches.remove(fd)
        poller.remove(fd)
    }

    func register(
        _ fd: Int32, _ interest: Interest, _ trigger: Trigger, _ handler: any ReadinessHandler
    ) throws(SystemError) {
        precondition(isCurrent, "descriptors are watched on the loop's thread")
        let token = watches.insert(fd, handler, trigger)
        do throws(SystemError) {
            try poller.add(fd, interest, trigger, token: token)
        } catch {
            watches.remove(fd)
            throw error
        }
    }

    /// Asks to be told again after a call on an edge-triggered descriptor would have blocked. On the loop.
    func arm(_ fd: Int32, _ interest: Interest) {
        poller.arm(fd, interest)
    }

    // MARK: The thread

    /// Ends the thread after the turn it is in; what is still queued never runs. From another thread, and waits for the end.
    func stop() {
        precondition(!isCurrent, "a loop cannot wait for its own end")
        execute { [self] in isStopping = true }
        _ = ended.wait { $0 ? true : nil }
    }

    private func run() {
        tapedeck_set_current_loop(Unmanaged.passUnretained(self).toOpaque())
        let executor = asUnownedTaskExecutor()
        while !isStopping {
            runReady(executor)
            let woken = poller.wait(timeout(), into: &events)
            tick = clock.now()
            if woken { takeInbox() }
            tellEvents()
            while let timer = timers.takeDue(tick) { timer.callback() }
        }
        tapedeck_set_current_loop(nil)
        ended.change { $0 = true }
    }

    /// Runs what is ready now; what becomes ready meanwhile waits until descriptors were looked at again, so that no task
    /// keeps the others from their input.
    private func runReady(_ executor: UnownedTaskExecutor) {
        swap(&ready, &running)
        for work in running {
            switch work {
            case .job(let job): job.runSynchronously(on: executor)
            case .call(let body): body()
            }
        }
        running.removeAll(keepingCapacity: running.count <= 4_096)
        if deferred.isEmpty { return }
        let calls = deferred
        deferred.removeAll(keepingCapacity: true)
        for call in calls { call() }
    }

    /// Milliseconds to wait at most, rounded up, so that a timer is never early.
    private func timeout() -> Int32 {
        clock.willWait?(index, timers.soonest)
        if isStopping || !ready.isEmpty || !deferred.isEmpty { return 0 }
        guard let soonest = timers.soonest else { return -1 }
        let now = clock.now()
        if soonest <= now { return 0 }
        return Int32(min((soonest - now + 999_999) / 1_000_000, 3_600_000))
    }

    private func takeInbox() {
        inbox.withLock { inbox in
            ready.append(contentsOf: inbox)
            inbox.removeAll(keepingCapacity: inbox.count <= 4_096)
        }
    }

    private func tellEvents() {
        for event in events { watches.handler(event.token)?.ready(event.readiness) }
        events.removeAll(keepingCapacity: true)
    }
}

/// A readiness handler that is a function.
private final class ReadinessCallback: ReadinessHandler {
    private let callback: (Readiness) -> Void

    init(_ callback: @escaping (Readiness) -> Void) { self.callback = callback }

    func ready(_ readiness: Readiness) { callback(readiness) }
}
