import CShims
import SystemIO

/// An open port and, once started, the HTTP server behind it.
package final class Listener: Sendable {
    package let port: Int
    /// What is listened on, such as `127.0.0.1`.
    package let addresses: [String]

    private let sockets: [Int32]
    private let group: EventLoopGroup

    private struct Running: Sendable {
        var server: Server
        var acceptors: [LoopBound<Acceptor>]
        var homes: [LoopBound<ServerLoop>]
    }

    /// Set when started; the parts are used on their loops only.
    private let running = Locked<Running?>(nil)

    private init(_ opened: ListeningSockets, group: EventLoopGroup) {
        port = opened.port
        addresses = opened.sockets.map(\.address)
        sockets = opened.sockets.map(\.descriptor)
        self.group = group
    }

    deinit {
        // Once started, the acceptors own the sockets.
        guard running.withLock({ $0 == nil }) else { return }
        for fd in sockets { tapedeck_close(fd) }
    }

    /// Opens the port. `localhost` is 127.0.0.1 and ::1, the latter where the machine has it.
    ///
    /// - Throws: `ListenError`, which names the port when another program has it.
    package static func bind(_ address: ListenAddress, group: EventLoopGroup) throws(ListenError) -> Listener {
        Listener(try ListeningSockets.bind(address), group: group)
    }

    /// Serves clients: one task per connection, in which the handler is called once per request, in order.
    ///
    /// The first loop accepts and deals connections to all loops in turn. A listening socket per loop (`SO_REUSEPORT`) was no
    /// faster, deals by a hash, which leaves loops idle where there are few clients, and would let a second program listen on
    /// the same port without an error.
    package func start(
        limits: ServerLimits, hooks: ServerHooks, handler: @escaping @Sendable (ServerExchange) async -> Void
    ) {
        let server = Server(port: port, limits: limits, hooks: hooks, handler: handler)
        let homes = group.loops.map { LoopBound(ServerLoop(server, on: $0), on: $0) }
        let first = group.loops[0]
        let acceptors = sockets.map { fd in
            let acceptor = Acceptor(fd, on: first, server: server) { [group] client, peer, isRefused in
                let id = server.nextID()
                let place = Int(id % UInt64(homes.count))
                group.loops[place].perform {
                    homes[place].value.take(client, id: id, peer: peer, isRefused: isRefused)
                }
            }
            return LoopBound(acceptor, on: first)
        }
        let isSecond = running.withLock { running in
            defer { running = Running(server: server, acceptors: acceptors, homes: homes) }
            return running != nil
        }
        precondition(!isSecond, "a listener is started once")
        // A fresh descriptor that listens can always be watched, but for want of memory; then nobody is served.
        first.execute { for acceptor in acceptors { try? acceptor.value.start() } }
    }

    /// Stops accepting, closes connections that wait for a request or for their client to leave, and lets every other one end
    /// after the exchange at hand. A second call does nothing.
    package func stop() {
        guard let running = running.withLock({ $0 }) else { return }
        group.loops[0].execute { for acceptor in running.acceptors { acceptor.value.close() } }
        onEachHome { $0.stop() }
    }

    /// Waits, after `stop`, until all connections have ended; after `timeout` those that are left are cancelled.
    package func drain(timeout: Duration) async {
        guard let running = running.withLock({ $0 }) else { return }
        let first = group.loops[0]
        // What `stop` asked of the accepting loop is done before this is.
        await first.spawn {}.value
        let watchdog = first.spawn { [self] in
            do {
                try await first.sleep(for: timeout)
                onEachHome { $0.cancelAll() }
                try await first.sleep(for: Self.lastWait)
                running.server.census.giveUp()
            } catch {
                // Nothing is left to wait for.
            }
        }
        await running.server.census.waitForNone()
        watchdog.cancel()
    }

    /// Closes connections that wait for another request; one that is busy or new ends after one exchange. Connections that are
    /// accepted after the call are spared, though a loop may come to it later.
    package func closeIdle() {
        guard let server = running.withLock({ $0?.server }) else { return }
        let id = server.comingID
        onEachHome { $0.closeIdle(before: id) }
    }

    /// Resets every connection and lets the kernel refuse new ones, while the port stays ours; or takes clients again. On
    /// systems other than Linux connections are reset only.
    package func refuse(_ isRefusing: Bool) {
        guard let running = running.withLock({ $0 }) else { return }
        group.loops[0].execute { [self] in
            for acceptor in running.acceptors { acceptor.value.refuse(isRefusing) }
            // Behind the connections that were accepted before.
            if isRefusing { onEachHome { $0.resetAll() } }
        }
    }

    /// Returns when what was asked of the listener before has reached its port.
    package func settle() async { await group.loops[0].spawn {}.value }

    /// Connections that are open now.
    package var openConnections: Int { running.withLock { $0?.server.census.open } ?? 0 }

    /// How long a cancelled handler may take to return.
    private static let lastWait = Duration.seconds(1)

    private func onEachHome(_ body: @escaping @Sendable (ServerLoop) -> Void) {
        guard let running = running.withLock({ $0 }) else { return }
        for (home, loop) in zip(running.homes, group.loops) {
            loop.execute { body(home.value) }
        }
    }
}
