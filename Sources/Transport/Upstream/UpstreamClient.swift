import CCurl
package import HTTPCore

/// Sends requests upstream through libcurl, all of one loop on one multi handle with its kept connections.
///
/// Made, used and shut down on its loop.
package final class UpstreamClient {
    private let loop: EventLoop
    private let options: UpstreamOptions
    /// Nil when memory was out, and after `shutdown()`.
    private var multi: CurlMulti?
    private var active: [UnsafeMutableRawPointer: any UpstreamTransfer] = [:]
    private var idle: [CurlEasy] = []

    /// Handles kept for the next exchanges: making one costs more than cleaning one.
    private static let keptHandles = 32

    package init(loop: EventLoop, options: UpstreamOptions = UpstreamOptions()) {
        self.loop = loop
        self.options = options
        multi = CurlMulti(loop: loop)
        multi?.onDone = { [unowned self] easy, code in active[easy]?.transferEnded(code) }
    }

    deinit {
        shutdown()
    }

    /// Connections that this program began to open, on all loops.
    package static var connectionsOpened: Int { UpstreamCounters.connections }
    /// Host names that this program looked up, on all loops; addresses and `localhost` need none.
    package static var nameLookups: Int { UpstreamCounters.lookUps }

    /// Begins an exchange. Throws 501 for a HEAD request with a body, 500 for a request that cannot be put on the wire.
    ///
    /// What goes wrong later, a refused connection included, is thrown by the exchange.
    package func start(_ request: UpstreamRequest) throws(UpstreamError) -> UpstreamExchange {
        precondition(loop.isCurrent, "an upstream client is used on its own loop")
        try UpstreamLines.check(request)
        guard let multi else { throw .stopped }
        guard let easy = idle.popLast() ?? CurlEasy() else { throw .memory }
        let exchange = UpstreamExchange(
            request, client: self, easy: easy, place: UpstreamPlace(request, options), loop: loop, options: options)
        easy.setTransfer(request, options)
        easy.setCallbacks(upstreamCallbacks, context: Unmanaged.passUnretained(exchange).toOpaque())
        if request.body == .chunked {
            easy.setTrailers(upstreamCallbacks.trailers, context: Unmanaged.passUnretained(exchange).toOpaque())
        }
        try run(exchange, easy, multi)
        return exchange
    }

    /// Opens a connection that a tunnel has for itself. Throws what a failed exchange would.
    package func dial(_ authority: Authority) async throws(UpstreamError) -> TunnelSocket {
        precondition(loop.isCurrent, "an upstream client is used on its own loop")
        guard let multi else { throw .stopped }
        guard let easy = idle.popLast() ?? CurlEasy() else { throw .memory }
        let dial = UpstreamDial(authority, client: self, easy: easy, loop: loop, options: options)
        try run(dial, easy, multi)
        let fd = try await dial.connected()
        guard let socket = try? Socket(takingOwnership: fd, on: loop) else { throw .memory }
        return TunnelSocket(socket)
    }

    private func run(
        _ transfer: any UpstreamTransfer, _ easy: CurlEasy, _ multi: CurlMulti
    ) throws(UpstreamError) {
        if let refused = easy.refused {
            throw UpstreamError(
                status: 500, label: "upstream-libcurl",
                message: "This libcurl does not take option \(refused.option): "
                    + "\(CurlErrors.text(refused.code)). tapedeck needs libcurl 7.85 or later.",
                curlCode: Int(refused.code))
        }
        active[easy.handle] = transfer
        let code = multi.add(easy)
        guard code == 0 else {
            active[easy.handle] = nil
            throw .memory
        }
    }

    /// Ends all exchanges and closes all connections. Later starts are refused.
    package func shutdown() {
        for transfer in active.values { transfer.end(.stopped) }
        multi?.close()
        multi = nil
        idle.removeAll()
    }

    /// libcurl has opened a socket for one of the exchanges.
    func opened(_ fd: Int32) {
        multi?.opened(fd)
    }

    /// Forgets an exchange that is over.
    func remove(_ exchange: UpstreamExchange) { remove(exchange, exchange.easy) }

    /// Forgets a transfer that is over, and keeps its handle for another.
    func remove(_ transfer: any UpstreamTransfer, _ easy: CurlEasy) {
        multi?.remove(easy)
        active[easy.handle] = nil
        guard idle.count < Self.keptHandles else { return }
        easy.reset()
        idle.append(easy)
    }
}
