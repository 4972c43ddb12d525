import HTTPCore
import Synchronization
import SystemIO

/// What all loops of one server share.
final class Server: Sendable {
    let port: Int
    let limits: ServerLimits
    let hooks: ServerHooks
    let handler: @Sendable (ServerExchange) async -> Void
    let census = Census()
    private let accepted = Atomic<UInt64>(0)

    init(
        port: Int, limits: ServerLimits, hooks: ServerHooks,
        handler: @escaping @Sendable (ServerExchange) async -> Void
    ) {
        self.port = port
        self.limits = limits
        self.hooks = hooks
        self.handler = handler
    }

    /// A number that no other connection of this server has, from 0 in the order of acceptance.
    func nextID() -> UInt64 { accepted.wrappingAdd(1, ordering: .relaxed).oldValue }

    /// The number of the connection that is accepted next.
    var comingID: UInt64 { accepted.load(ordering: .relaxed) }
}

/// The connections of one server on one loop. Lives on that loop.
final class ServerLoop {
    let server: Server
    let loop: EventLoop
    let times: ServerConnection.Times
    private(set) var isStopping = false
    private var connections: [UInt64: ServerConnection] = [:]

    init(_ server: Server, on loop: EventLoop) {
        self.server = server
        self.loop = loop
        times = ServerConnection.Times(server.limits)
    }

    /// Takes an accepted socket over; the census has counted it. `isRefused`: it only gets 503.
    func take(_ fd: Int32, id: UInt64, peer: String, isRefused: Bool) {
        guard let socket = try? Socket(takingOwnership: fd, on: loop) else { return server.census.leave() }
        if isStopping {
            socket.close()
            return server.census.leave()
        }
        let connection = ServerConnection(socket, id: id, peer: peer, home: self)
        connections[id] = connection
        let bound = LoopBound((self, connection), on: loop)
        connection.task = loop.spawn {
            let (home, connection) = bound.value
            if isRefused { await connection.refuse() } else { await connection.serve() }
            if !connection.isHeld { home.forget(connection) }
        }
    }

    func forget(_ connection: ServerConnection) {
        connection.task = nil
        if connections.removeValue(forKey: connection.id) != nil { server.census.leave() }
    }

    /// Ends kept connections with lower numbers than this. A client that has connected but not asked yet is no reason for a
    /// retry: it is served.
    func closeIdle(before id: UInt64) {
        for connection in connections.values where connection.id < id { connection.closeIfIdle(keepsNew: true) }
    }

    /// No connection lives longer than the exchange at hand.
    func stop() {
        isStopping = true
        for connection in connections.values {
            connection.closeIfIdle(keepsNew: false)
            connection.endHold()
        }
    }

    /// Ends every connection with RST, whatever is under way on it.
    func resetAll() {
        for connection in connections.values { connection.reset() }
    }

    func cancelAll() {
        for connection in connections.values { connection.cancel() }
    }
}
