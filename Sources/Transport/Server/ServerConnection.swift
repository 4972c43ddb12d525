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
        /// The handler waits for the client to leave.
        case holding
        /// Is being closed.
        case ending
    }

    /// The time-outs of its server, in nanoseconds.
    struct Times {
        var head: UInt64
        var body: UInt64
        var keepAlive: UInt64
        var write: UInt64
        var linger: UInt64

        init(_ limits: ServerLimits) {
            head = limits.headTimeout.wholeNanoseconds
            body = limits.bodyIdleTimeout.wholeNanoseconds
            keepAlive = limits.keepAlive.wholeNanoseconds
            write = limits.writeIdleTimeout.wholeNanoseconds
            linger = limits.lingerTime.wholeNanoseconds
        }
    }

    let id: UInt64
    let peer: String
    let socket: Socket
    /// Its loop's share of the server, which outlives it.
    private unowned let home: ServerLoop
    /// Cancelled when the socket reports an error or a reset, so that what the handler waits for ends at once.
    var task: Task<Void, Never>?

    private(set) var phase = Phase.idle
    /// No request follows the one at hand.
    var isMarked = false
    /// Whether a request was answered here.
    private var hasServed = false
    /// Octets that were read but not used yet. Empty, and without memory, between requests of most clients.
    private(set) var ahead = Bytes()
    private(set) var unread = 0..<0
    /// Octets that the kernel has taken.
    private(set) var octetsSent = 0
    private var sawEnd = false

    init(_ socket: Socket, id: UInt64, peer: String, home: ServerLoop) {
        self.socket = socket
        self.id = id
        self.peer = peer
        self.home = home
        socket.onFailure = { [unowned self] in task?.cancel() }
    }

    var loop: EventLoop { socket.loop }
    var limits: ServerLimits { home.server.limits }
    var times: Times { home.times }
    var listenerPort: Int { home.server.port }
    var mustClose: Bool { isMarked || home.isStopping }

    /// Whether a request may begin: on a marked connection only its first.
    private var mayBegin: Bool { !home.isStopping && (!isMarked || !hasServed) }

    // MARK: Life

    /// Serves requests until the connection ends.
    func serve() async {
        var index = 0
        while let request = await nextRequest(isFirst: index == 0) {
            phase = .busy
            let exchange = ServerExchange(self, request.head, request.target, request.framing, index: index)
            await home.server.handler(exchange)
            guard await conclude(exchange) else { break }
            hasServed = true
            index += 1
        }
        socket.close()
    }

    /// Tells a client that there are too many connections, once it has asked for something.
    func refuse() async {
        phase = .reading
        if await socket.waitReadable(atMost: times.linger) != .cancelled { await reject(.tooManyConnections) }
        socket.close()
    }

    /// Ends the connection if nothing is under way on it; else no request follows the one at hand.
    ///
    /// - Parameter keepsNew: whether a connection is left to send its first request.
    func closeIfIdle(keepsNew: Bool) {
        isMarked = true
        if phase == .idle, hasServed || !keepsNew { socket.close() }
    }

    /// Ends what waits for the client to leave.
    func endHold() {
        if phase == .holding { socket.interrupt() }
    }

    /// Ends the connection and what the handler waits for.
    func cancel() {
        task?.cancel()
        socket.close(resets: phase == .busy)
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
    func transmit(_ first: Bytes, _ second: Bytes = [], _ third: Bytes = []) async throws(ConnectionError) {
        let total = first.count + second.count + third.count
        var sent = 0
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
    func transmitNow(_ octets: Bytes) -> Int {
        let count = socket.sendNow(octets) ?? 0
        octetsSent += count
        return count
    }

    /// Drops what comes until the client closes its side, or the connection ends otherwise.
    func waitUntilClientLeaves() async {
        phase = .holding
        defer { phase = .busy }
        ahead = []
        unread = 0..<0
        while !sawEnd, !home.isStopping {
            await socket.breathe()
            switch socket.receive() {
            case .octets: continue
            case .end: sawEnd = true
            case .failed: return
            case .wouldBlock:
                if await socket.waitReadable(atMost: nil) != .ready { return }
            }
        }
    }

    // MARK: Requests

    private struct Request {
        var head: RequestHead
        var target: RequestTarget
        var framing: BodyFraming
    }

    /// Reads and checks the next head; nil when the connection is to end.
    private func nextRequest(isFirst: Bool) async -> Request? {
        guard let head = await nextHead(isFirst) else { return nil }
        do throws(ParseError) {
            let target = try RequestTarget.parse(head.target, method: head.method)
            try validateHost(head, target: target)
            return Request(head: head, target: target, framing: try requestFraming(head))
        } catch {
            await reject(error)
            return nil
        }
    }

    private func nextHead(_ isFirst: Bool) async -> RequestHead? {
        var parser = RequestHeadParser(limits: limits.heads)
        var deadline: UInt64?
        phase = unread.isEmpty ? .idle : .reading
        if isFirst { deadline = loop.tick &+ times.head }
        do throws(ParseError) {
            if let head = try parseAhead(&parser) { return head }
            while mayBegin || phase == .reading {
                switch socket.receive() {
                case .octets(let count):
                    phase = .reading
                    if let head = try parse(&parser, count) { return head }
                case .end: return await endWithinHead()
                case .failed: return nil
                case .wouldBlock:
                    if phase == .reading, deadline == nil { deadline = loop.tick &+ times.head }
                    guard await waitForHead(until: deadline) else { return nil }
                }
            }
        } catch {
            await reject(error)
        }
        return nil
    }

    /// Says whether to go on; a head that comes too slowly is answered.
    private func waitForHead(until deadline: UInt64?) async -> Bool {
        let limit = deadline.map { $0 > loop.tick ? $0 - loop.tick : 0 } ?? times.keepAlive
        switch await socket.waitReadable(atMost: limit, isCancellable: false) {
        case .ready: return true
        case .cancelled: return false
        case .timedOut:
            if phase == .reading { await reject(.headTimeout) }
            return false
        }
    }

    private func parseAhead(_ parser: inout RequestHeadParser) throws(ParseError) -> RequestHead? {
        guard !unread.isEmpty,
            let (head, consumed) = try parser.parse(ahead, from: unread.lowerBound, to: unread.upperBound)
        else { return nil }
        consume(consumed)
        return head
    }

    /// Looks for a head in what was just read, and what came before it.
    private func parse(_ parser: inout RequestHeadParser, _ count: Int) throws(ParseError) -> RequestHead? {
        guard unread.isEmpty else {
            keep(0..<count)
            return try parseAhead(&parser)
        }
        guard let (head, consumed) = try parser.parse(loop.scratch, from: 0, to: count) else {
            keep(0..<count)
            return nil
        }
        keep(consumed..<count)
        return head
    }

    private func endWithinHead() async -> RequestHead? {
        sawEnd = true
        if phase == .reading {
            await reject(
                ParseError(
                    status: 400, label: "cut-head", message: "the connection ended within the request's head",
                    offset: unread.count))
        }
        return nil
    }

    // MARK: Ends

    private func reject(_ error: ParseError) async {
        home.server.hooks.onRejected(error, peer)
        await reject(Rejection(error))
    }

    private func reject(_ rejection: Rejection) async {
        phase = .ending
        do {
            try await transmit(rejection.octets)
            await linger()
        } catch {
            socket.close(resets: true)
        }
    }

    /// Brings an exchange to its end after its handler; says whether another may follow.
    private func conclude(_ exchange: ServerExchange) async -> Bool {
        if exchange.progress == .unanswered, !exchange.wasHeld, !Task.isCancelled, !socket.isClosed {
            let answer = Rejection.noAnswer
            try? await exchange.respond(answer.head, body: answer.body)
        }
        exchange.isOver = true
        if socket.isClosed { return false }
        switch exchange.progress {
        case .whole:
            if !exchange.closesAfter, !mustClose, !sawEnd {
                let canGoOn = await exchange.drainBody(limit: limits.drainedBody)
                if canGoOn { return !Task.isCancelled }
            }
            await linger()
        case .aborted: await linger()
        case .unanswered: await linger()
        // Cut where the client could take it for whole: only a reset cannot be mistaken.
        case .begun: socket.close(resets: true)
        }
        return false
    }

    /// Ends our side, then reads what still comes for a while: closing with octets unread would send a reset, which may take
    /// the last answer from the client (RFC 9112 §9.6).
    private func linger() async {
        phase = .ending
        ahead = []
        unread = 0..<0
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
