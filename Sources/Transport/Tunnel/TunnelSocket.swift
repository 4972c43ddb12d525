import HTTPCore

/// The far end of a tunnel that is passed unseen. Lives on its loop.
package final class TunnelSocket {
    let socket: Socket

    init(_ socket: Socket) { self.socket = socket }

    deinit { socket.close() }
}

/// What passed through a tunnel.
package struct TunnelTraffic: Sendable, Equatable {
    /// Octets from the client.
    package var sent = 0
    /// Octets to the client.
    package var received = 0

    package init() {}
}

extension ServerExchange {
    /// Passes octets between the client and the far end until both have ended their sides, either fails, or the server stops.
    ///
    /// Each direction reads no more than the other side takes, and ends by itself: a client that has ended its side still gets
    /// its answer. What one side resets is reset on the other.
    package func passTunnel(to far: TunnelSocket) async -> TunnelTraffic {
        let flow = TunnelFlow(connection, far.socket)
        let bound = LoopBound(flow, on: loop)
        let back = loop.spawn { await bound.value.passBack() }
        await flow.passOn()
        await withTaskCancellationHandler {
            await back.value
        } onCancel: { [loop] in
            loop.perform { bound.value.cut() }
        }
        progress = .aborted
        return flow.traffic
    }
}

/// The two directions of a tunnel that is passed unseen. Lives on its loop.
private final class TunnelFlow {
    private let connection: ServerConnection
    private let far: Socket
    private(set) var traffic = TunnelTraffic()
    private var isCut = false

    init(_ connection: ServerConnection, _ far: Socket) {
        self.connection = connection
        self.far = far
        far.onFailure = { [weak self] in self?.cut() }
    }

    private var near: Socket { connection.socket }
    private var loop: EventLoop { connection.loop }

    /// From the client.
    func passOn() async {
        let early = connection.takeAhead()
        traffic.sent += early.count
        guard await deliver(early, to: far) else { return cut() }
        await pass(from: near, to: far) { $0.sent += $1 }
    }

    /// To the client.
    func passBack() async {
        await pass(from: far, to: near) { $0.received += $1 }
    }

    private func pass(from: Socket, to: Socket, _ count: (inout TunnelTraffic, Int) -> Void) async {
        while !isCut {
            await from.breathe()
            switch from.receive() {
            case .octets(let octets):
                count(&traffic, octets)
                guard await deliver(Bytes(loop.scratch[..<octets]), to: to) else { return cut() }
            case .end: return to.finish()
            case .failed: return cut()
            case .wouldBlock:
                // A stop waits for no tunnel: nobody knows when one is through.
                let deadline = loop.tick &+ connection.times.request
                let wake =
                    from === near
                    ? await connection.waitIdle(.read, until: deadline)
                    : await from.waitReadable(atMost: connection.times.request)
                guard wake == .ready else { return cut() }
            }
        }
    }

    private func deliver(_ octets: Bytes, to: Socket) async -> Bool {
        var sent = 0
        while sent < octets.count {
            guard let count = to.sendNow(octets, skip: sent) else { return false }
            sent += count
            if sent < octets.count, await to.waitWritable(atMost: connection.times.write) != .ready { return false }
        }
        return true
    }

    /// Ends both sides at once.
    func cut() {
        guard !isCut else { return }
        isCut = true
        near.close(resets: true)
        far.close(resets: true)
    }
}
