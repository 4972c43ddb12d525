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
    private var watched: Set<Int32> = []
    /// When libcurl wants to be called without a descriptor being ready.
    private var deadline: EventLoop.Instant?
    private var timer: EventLoop.Timer?
    private var timerDeadline: EventLoop.Instant?
    private var isTurnPlanned = false
    private var isClosed = false

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
        let code = curl_multi_add_handle(handle, easy.handle)
        if code == CURLM_OK { act() }
        return code.rawValue
    }

    /// Ends a transfer; a connection in the middle of one is closed.
    func remove(_ easy: CurlEasy) {
        curl_multi_remove_handle(handle, easy.handle)
    }

    /// Closes all connections. Transfers must have been removed. Nothing happens the second time.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        for fd in watched { loop.unwatch(fd: fd) }
        watched.removeAll()
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
        var easy: UnsafeMutableRawPointer?
        var code: Int32 = 0
        while !isClosed, tapedeck_curl_multi_next_done(handle, &easy, &code) == 1 {
            if let easy { onDone(easy, code) }
        }
    }

    // MARK: Descriptors

    fileprivate func wants(_ fd: Int32, _ what: Int32) {
        if what == CURL_POLL_REMOVE || what == CURL_POLL_NONE {
            if watched.remove(fd) != nil { loop.unwatch(fd: fd) }
            return
        }
        var interest: Interest = []
        if what & CURL_POLL_IN != 0 { interest.insert(.read) }
        if what & CURL_POLL_OUT != 0 { interest.insert(.write) }
        // Where the system has no room for one more, the exchange's time-out tells.
        if watched.contains(fd) {
            try? loop.rewatch(fd: fd, for: interest)
        } else if (try? loop.watch(fd: fd, for: interest) { [unowned self] in isReady(fd, $0) }) != nil {
            watched.insert(fd)
        }
    }

    private func isReady(_ fd: Int32, _ readiness: Readiness) {
        var bits: Int32 = 0
        if !readiness.isDisjoint(with: [.readable, .ended, .failed]) { bits |= CURL_CSELECT_IN }
        if !readiness.isDisjoint(with: [.writable, .failed]) { bits |= CURL_CSELECT_OUT }
        act(fd, bits)
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
    _: UnsafeMutableRawPointer?, fd: Int32, what: Int32, context: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return 0 }
    Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().wants(fd, what)
    return 0
}

private func timerWanted(
    _: UnsafeMutableRawPointer?, milliseconds: Int, context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return 0 }
    Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().wants(after: milliseconds)
    return 0
}
