import HTTPCore

/// One client connection: reads requests in order and hands each to the handler. Lives on one loop.
final class ServerConnection {
    /// What the connection is doing.
    enum Phase {
        /// Waits for the first octet of a request.
        case idle
        /// Reads a head.
        case reading
        /// The handler has an exchange.
        case busy
        /// The handler waits for the client, with nothing on the way that a stop would have to wait for.
        case waiting
        /// Waits for the client to leave, without a task.
        case held
        /// Is being closed.
        case ending
    }

    /// The time-outs of its server, in nanoseconds.
    struct Times {
        var head: UInt64
        var request: UInt64
        var body: UInt64
        var keepAlive: UInt64
        var write: UInt64
        var linger: UInt64

        init(_ limits: ServerLimits) {
            head = limits.headTimeout.wholeNanoseconds
            request = limits.requestTimeout.wholeNanoseconds
            body = limits.bodyIdleTimeout.wholeNanoseconds
            keepAlive = limits.keepAlive.wholeNanoseconds
            write = limits.writeIdleTimeout.wholeNanoseconds
            linger = limits.lingerTime.wholeNanoseconds
        }
    }

    let id: UInt64
    let peer: String
    let socket: Socket
    /// Its loop's share of the server, which forgets it at its end.
    let home: ServerLoop
    /// Cancelled when the socket reports an error or a reset, so that what the handler waits for ends at once.
    var task: Task<Void, Never>?

    var phase = Phase.idle
    /// No request follows the one at hand.
    var isMarked = false
    /// Octets that were read but not used yet. Empty, and without memory, between requests of most clients.
    private(set) var ahead = Bytes()
    private(set) var unread = 0..<0
    /// Octets that the kernel has taken.
    private(set) var octetsSent = 0
    /// The client has ended its sending side.
    var sawEnd = false
    private var heads: HeadReading
    /// The CONNECT that the client's requests come through; nil outside of tunnels.
    private(set) var tunnel: Tunnel?
    private var requestIndex = 0
    /// What is done when a hold ends.
    var parting: (() -> Void)?
    /// The server's own last answer on this connection.
    private var farewell: Bytes?

    init(_ socket: Socket, id: UInt64, peer: String, home: ServerLoop) {
        self.socket = socket
        self.id = id
        self.peer = peer
        self.home = home
        heads = HeadReading(home.server.limits.heads)
        socket.onFailure = { [unowned self] in task?.cancel() }
    }

    var loop: EventLoop { socket.loop }
    var limits: ServerLimits { home.server.limits }
    var times: Times { home.times }
    var listenerPort: Int { home.server.port }
    var mustClose: Bool { isMarked || home.isStopping }

    /// Whether a request may begin: on a marked connection only its first.
    private var mayBegin: Bool { !home.isStopping && (!isMarked || requestIndex == 0) }

    // MARK: Life

    /// Serves requests until the connection ends or is held. What need not wait makes no async call: each costs.
    func serve() async {
        heads.begin(after: loop.tick &+ times.head)
        serving: while true {
            if socket.isTired { await socket.breathe() }
            switch nextStep() {
            case .serve(let exchange):
                await home.server.handler(exchange)
                if exchange.isHeld { return hold(exchange) }
                if !goesOnAtOnce(exchange), await !conclude(exchange) { break serving }
                expectHead()
            case .wait(let limit):
                switch await withUnsafeContinuation({ socket.awaitReadable($0, atMost: limit) }) {
                case .ready: continue
                case .cancelled: break serving
                case .timedOut:
                    if phase == .reading { farewell = Rejection.headTimeout.octets }
                    break serving
                }
            case .end: break serving
            }
        }
        if farewell != nil { await sayFarewell() }
        socket.close()
    }

    /// Tells a client that there are too many connections, once it has asked for something.
    func refuse() async {
        phase = .reading
        farewell = Rejection.tooManyConnections.octets
        if await socket.waitReadable(atMost: times.linger) != .cancelled { await sayFarewell() }
        socket.close()
    }

    /// Ends the connection if nothing is under way on it; else no request follows the one at hand.
    ///
    /// - Parameter keepsNew: whether a connection is left to send its first request.
    func closeIfIdle(keepsNew: Bool) {
        isMarked = true
        if phase == .idle, requestIndex > 0 || !keepsNew { socket.close() }
    }

    /// Ends the connection and what the handler waits for.
    func cancel() {
        task?.cancel()
        socket.close(resets: phase == .busy)
        endHold()
    }

    /// Ends the connection with RST, and what the handler waits for.
    func reset() {
        task?.cancel()
        socket.close(resets: true)
        endHold()
    }

    // MARK: Tunnels

    /// What the client sends from now on are requests through a tunnel, counted from 0.
    func enter(_ tunnel: Tunnel) {
        self.tunnel = tunnel
        requestIndex = -1
    }

    /// Waits for the client, with nothing on the way that a stop would have to wait for.
    ///
    /// - Parameter deadline: in nanoseconds of the loop's clock.
    func waitIdle(_ side: Socket.Side, until deadline: UInt64) async -> Socket.Wake {
        if home.isStopping { return .cancelled }
        phase = .waiting
        defer { phase = .busy }
        let left = deadline > loop.tick ? deadline - loop.tick : 0
        return side == .read ? await socket.waitReadable(atMost: left) : await socket.waitWritable(atMost: left)
    }

    /// Takes what was read but not used.
    func takeAhead() -> Bytes {
        defer { dropAhead() }
        return Bytes(ahead[unread])
    }

    // MARK: Octets

    func consume(_ count: Int) {
        unread = (unread.lowerBound + count)..<unread.upperBound
        guard unread.isEmpty else { return }
        ahead = []
        unread = 0..<0
    }

    /// Keeps a part of the loop's scratch buffer for later.
    func keep(_ range: Range<Int>) {
        if range.isEmpty { return }
        if unread.isEmpty {
            ahead = Bytes(loop.scratch[range])
            unread = 0..<ahead.count
        } else {
            if unread.lowerBound > 0 { ahead.removeFirst(unread.lowerBound) }
            ahead += loop.scratch[range]
            unread = 0..<ahead.count
        }
    }

    /// Sends octets whole, waiting for the client as long as it takes some. A client that takes none in time is cut off, so
    /// that neither we nor the kernel keep octets for it.
    ///
    /// `sent`: so many were sent before.
    func transmit(
        _ first: Bytes, _ second: Bytes = [], _ third: Bytes = [], sent before: Int = 0
    ) async throws(ConnectionError) {
        let total = first.count + second.count + third.count
        var sent = before
        while sent < total {
            guard let count = socket.sendNow(first, second, third, skip: sent) else {
                throw socket.isInterrupted ? .cancelled : .clientLeft("the connection was reset while writing")
            }
            sent += count
            octetsSent += count
            if sent == total { return }
            switch await socket.waitWritable(atMost: times.write) {
            case .ready: continue
            case .cancelled: throw .cancelled
            case .timedOut:
                socket.close(resets: true)
                throw .timedOut("the client takes no octets")
            }
        }
    }

    /// Sends what the kernel takes now, and gives how many octets that were.
    func transmitNow(_ first: Bytes, _ second: Bytes = []) -> Int {
        let count = socket.sendNow(first, second) ?? 0
        octetsSent += count
        return count
    }

    func dropAhead() {
        ahead = []
        unread = 0..<0
    }

    // MARK: Requests

    /// Small, for the task of a waiting connection keeps it.
    private enum Step {
        case serve(ServerExchange)
        /// For octets, in nanoseconds.
        case wait(UInt64)
        /// After the farewell, if there is one.
        case end
    }

    private func expectHead() {
        requestIndex += 1
        heads.begin(after: requestIndex == 0 ? loop.tick &+ times.head : nil)
        phase = unread.isEmpty ? .idle : .reading
    }

    /// Reads what is there and says what to do about it. Not inlined, for its variables would live in the waiting task.
    @inline(never)
    private func nextStep() -> Step {
        do throws(ParseError) {
            var head = try parseAhead()
            while head == nil {
                if !mayBegin, phase == .idle { return .end }
                switch socket.receive() {
                case .octets(let count):
                    phase = .reading
                    head = try parse(count)
                case .end:
                    sawEnd = true
                    return phase == .reading ? refusal(.cutHead(unread.count)) : .end
                case .failed: return .end
                case .wouldBlock:
                    let isIdle = phase == .idle
                    return .wait(heads.patience(isIdle: isIdle, now: loop.tick, times))
                }
            }
            guard let head else { return .end }
            let target = try RequestTarget.parse(head.target, method: head.method)
            try validateHost(head, target: target)
            let framing = try requestFraming(head)
            phase = .busy
            return .serve(ServerExchange(self, head, target, framing, index: requestIndex))
        } catch {
            return refusal(error)
        }
    }

    private func refusal(_ error: ParseError) -> Step {
        home.server.hooks.onRejected(error, peer)
        farewell = Rejection(error).octets
        return .end
    }

    private func parseAhead() throws(ParseError) -> RequestHead? {
        guard !unread.isEmpty,
            let (head, consumed) = try heads.parser.parse(ahead, from: unread.lowerBound, to: unread.upperBound)
        else { return nil }
        consume(consumed)
        return head
    }

    /// Looks for a head in what was just read, and what came before it.
    private func parse(_ count: Int) throws(ParseError) -> RequestHead? {
        guard unread.isEmpty else {
            keep(0..<count)
            return try parseAhead()
        }
        guard let (head, consumed) = try heads.parser.parse(loop.scratch, from: 0, to: count) else {
            keep(0..<count)
            return nil
        }
        keep(consumed..<count)
        return head
    }

    // MARK: Ends

    @inline(never)
    private func sayFarewell() async {
        phase = .ending
        do {
            try await transmit(farewell ?? [])
            await linger()
        } catch {
            socket.close(resets: true)
        }
    }

    /// Ends an exchange that left nothing to do; false for any other.
    private func goesOnAtOnce(_ exchange: ServerExchange) -> Bool {
        if exchange.progress == .tunneled {
            exchange.isOver = true
            return !home.isStopping && !socket.isClosed && !Task.isCancelled
        }
        guard exchange.progress == .whole, exchange.isBodyRead, !exchange.closesAfter, !mustClose, !sawEnd,
            !socket.isClosed, !Task.isCancelled
        else { return false }
        exchange.isOver = true
        return true
    }

    /// Brings an exchange to its end after its handler; says whether another may follow.
    @inline(never)
    private func conclude(_ exchange: ServerExchange) async -> Bool {
        if exchange.progress == .unanswered, !Task.isCancelled, !socket.isClosed {
            let answer = Rejection.noAnswer
            try? await exchange.respond(answer.head, body: answer.body)
        }
        exchange.isOver = true
        if socket.isClosed { return false }
        switch exchange.progress {
        case .whole:
            if exchange.isLastOfClient, exchange.isBodyRead, unread.isEmpty { return false }
            if !exchange.closesAfter, !mustClose, !sawEnd {
                let canGoOn = await exchange.drainBody(limit: limits.drainedBody)
                if canGoOn { return !Task.isCancelled }
            }
            await linger()
        case .aborted: await linger()
        case .unanswered: await linger()
        case .tunneled: break
        // Cut where the client could take it for whole: only a reset cannot be mistaken.
        case .begun: socket.close(resets: true)
        }
        return false
    }

    /// Ends our side, then reads what still comes for a while: closing with octets unread would send a reset, which may take
    /// the last answer from the client (RFC 9112 §9.6).
    private func linger() async {
        phase = .ending
        dropAhead()
        socket.finish()
        let deadline = loop.tick &+ times.linger
        while !sawEnd, loop.tick < deadline {
            await socket.breathe()
            switch socket.receive() {
            case .octets: continue
            case .end, .failed: return
            case .wouldBlock:
                if await socket.waitReadable(atMost: deadline - loop.tick) != .ready { return }
            }
        }
    }
}
