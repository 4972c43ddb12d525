import CCurl
import CShims

/// A libcurl multi handle driven by an event loop (`libcurl-multi(3)`, "MULTI_SOCKET").
///
/// Lives on its loop. libcurl's callbacks only note what it wants; transfers are moved on by `act`, never from within one.
final class CurlMulti {
    /// Told of each transfer that ended: its easy handle and libcurl's code. Outside of any callback of libcurl.
    var onDone: (UnsafeMutableRawPointer, Int32) -> Void = { _, _ in }

    private let handle: UnsafeMutableRawPointer
    private let loop: EventLoop
    private var sockets: [Int32: Socket] = [:]
    /// Sockets that a transfer no longer waits for, and which transfer, until `settle()`.
    private var released: [(fd: Int32, easy: UnsafeMutableRawPointer?)] = []
    /// When libcurl wants to be called without a descriptor being ready.
    private var deadline: EventLoop.Instant?
    private var timer: EventLoop.Timer?
    private var timerDeadline: EventLoop.Instant?
    private var isTurnPlanned = false
    private var isClosed = false

    /// A socket that the loop watches.
    private struct Socket {
        var interest: Interest
        /// It belongs to a kept connection: nothing may come on it.
        var isKept = false
    }

    /// Idle connections kept for each loop: more than a test run's upstreams need, few enough to be polite.
    private static let keptConnections = 64

    /// Nil when memory is out.
    init?(loop: EventLoop) {
        guard CurlGlobal.isReady, let handle = curl_multi_init() else { return nil }
        self.handle = handle
        self.loop = loop
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = tapedeck_curl_multi_set_socket_callback(handle, socketWanted)
        _ = tapedeck_curl_multi_set_pointer(handle, Int32(CURLMOPT_SOCKETDATA.rawValue), context)
        _ = tapedeck_curl_multi_set_timer_callback(handle, timerWanted)
        _ = tapedeck_curl_multi_set_pointer(handle, Int32(CURLMOPT_TIMERDATA.rawValue), context)
        _ = tapedeck_curl_multi_set_long(handle, Int32(CURLMOPT_MAXCONNECTS.rawValue), Self.keptConnections)
        // One exchange has one connection, so that a fault of one never shows in another.
        _ = tapedeck_curl_multi_set_long(
            handle, Int32(CURLMOPT_PIPELINING.rawValue), Int(CURLPIPE_NOTHING))
    }

    deinit {
        close()
    }

    /// Begins a transfer and moves it on as far as it goes. Gives a CURLMcode, 0 for fine.
    func add(_ easy: CurlEasy) -> Int32 {
        easy.setClose(socketCloses, context: Unmanaged.passUnretained(self).toOpaque())
        let code = curl_multi_add_handle(handle, easy.handle)
        if code == CURLM_OK { act() }
        return code.rawValue
    }

    /// Ends a transfer; a connection in the middle of one is closed.
    func remove(_ easy: CurlEasy) {
        curl_multi_remove_handle(handle, easy.handle)
        // A socket that was still connecting is closed by now, without a word to the close callback; its number may be anybody's.
        for (fd, owner) in released where owner == easy.handle { unwatch(fd) }
        released.removeAll { $0.easy == easy.handle }
    }

    /// libcurl has opened a socket. Where it closed an earlier one of that number unseen, it believes it watched still.
    func opened(_ fd: Int32) {
        guard let stale = sockets[fd] else { return }
        unwatch(fd)
        released.removeAll { $0.fd == fd }
        watch(fd, Socket(interest: stale.interest))
    }

    /// Closes all connections. Transfers must have been removed. Nothing happens the second time.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        for fd in sockets.keys { loop.unwatch(fd: fd) }
        sockets.removeAll()
        if let timer { loop.cancel(timer) }
        _ = tapedeck_curl_multi_set_socket_callback(handle, nil)
        _ = tapedeck_curl_multi_set_timer_callback(handle, nil)
        curl_multi_cleanup(handle)
    }

    /// Moves on the transfers of one descriptor, or those whose time has come, and tells which ended.
    private func act(_ fd: Int32 = CURL_SOCKET_BAD, _ ready: Int32 = 0) {
        guard !isClosed else { return }
        var running: Int32 = 0
        curl_multi_socket_action(handle, fd, ready, &running)
        var ended: [(easy: UnsafeMutableRawPointer, code: Int32)] = []
        var easy: UnsafeMutableRawPointer?
        var code: Int32 = 0
        while tapedeck_curl_multi_next_done(handle, &easy, &code) == 1 {
            if let easy { ended.append((easy, code)) }
        }
        settle(ended.map(\.easy))
        for transfer in ended where !isClosed { onDone(transfer.easy, transfer.code) }
    }

    // MARK: Descriptors

    fileprivate func wants(_ easy: UnsafeMutableRawPointer?, _ fd: Int32, _ what: Int32) {
        if what == CURL_POLL_REMOVE || what == CURL_POLL_NONE {
            // Decided when it is known whether the transfer has ended or merely pauses.
            released.append((fd, easy))
            return
        }
        released.removeAll { $0.fd == fd }
        var interest: Interest = []
        if what & CURL_POLL_IN != 0 { interest.insert(.read) }
        if what & CURL_POLL_OUT != 0 { interest.insert(.write) }
        watch(fd, Socket(interest: interest))
    }

    /// Watches the sockets of kept connections for what must not come, and no longer those of paused transfers.
    private func settle(_ ended: [UnsafeMutableRawPointer]) {
        for (fd, easy) in released where sockets[fd] != nil {
            if let easy, ended.contains(easy) {
                watch(fd, Socket(interest: .read, isKept: true))
            } else {
                unwatch(fd)
            }
        }
        released.removeAll(keepingCapacity: true)
    }

    private func watch(_ fd: Int32, _ wanted: Socket) {
        // Where the system has no room for one more, the exchange's time-out tells.
        if let now = sockets[fd] {
            if now.interest != wanted.interest { try? loop.rewatch(fd: fd, for: wanted.interest) }
        } else {
            let isWatched: Void? = try? loop.watch(fd: fd, for: wanted.interest) { [unowned self] in isReady(fd, $0) }
            guard isWatched != nil else { return }
        }
        sockets[fd] = wanted
    }

    private func unwatch(_ fd: Int32) {
        if sockets.removeValue(forKey: fd) != nil { loop.unwatch(fd: fd) }
    }

    private func isReady(_ fd: Int32, _ readiness: Readiness) {
        if sockets[fd]?.isKept == true {
            // libcurl would take what came for the answer to the next request, and looks for an end of input alone.
            unwatch(fd)
            tapedeck_curl_spoil_socket(fd)
            return
        }
        var bits: Int32 = 0
        if !readiness.isDisjoint(with: [.readable, .ended, .failed]) { bits |= CURL_CSELECT_IN }
        if !readiness.isDisjoint(with: [.writable, .failed]) { bits |= CURL_CSELECT_OUT }
        act(fd, bits)
    }

    fileprivate func closes(_ fd: Int32) {
        released.removeAll { $0.fd == fd }
        unwatch(fd)
        tapedeck_curl_close_socket(fd)
    }

    // MARK: Time

    fileprivate func wants(after milliseconds: Int) {
        if milliseconds < 0 {
            deadline = nil
            return
        }
        let now = loop.now()
        let wanted = EventLoop.Instant(nanoseconds: now.nanoseconds + UInt64(milliseconds) * 1_000_000)
        deadline = wanted
        if milliseconds == 0 {
            planTurn()
        } else if timerDeadline.map({ $0 > wanted }) ?? true {
            // A timer that is set for earlier looks again by itself: libcurl changes its mind often.
            startTimer(at: wanted, now: now)
        }
    }

    private func planTurn() {
        guard !isTurnPlanned else { return }
        isTurnPlanned = true
        loop.afterTurn { [weak self] in
            guard let self else { return }
            isTurnPlanned = false
            if let deadline, deadline <= loop.now() { fire() }
        }
    }

    private func startTimer(at wanted: EventLoop.Instant, now: EventLoop.Instant) {
        if let timer { loop.cancel(timer) }
        timerDeadline = wanted
        timer = loop.schedule(after: wanted.since(now)) { [unowned self] in
            timer = nil
            timerDeadline = nil
            guard let deadline else { return }
            let now = loop.now()
            if deadline > now { startTimer(at: deadline, now: now) } else { fire() }
        }
    }

    private func fire() {
        deadline = nil
        act()
    }
}

private func socketWanted(
    easy: UnsafeMutableRawPointer?, fd: Int32, what: Int32, context: UnsafeMutableRawPointer?,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return 0 }
    Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().wants(easy, fd, what)
    return 0
}

private func timerWanted(
    _: UnsafeMutableRawPointer?, milliseconds: Int, context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return 0 }
    Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().wants(after: milliseconds)
    return 0
}

private func socketCloses(_ context: UnsafeMutableRawPointer?, fd: Int32) -> Int32 {
    if let context { Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().closes(fd) }
    return 0
}
