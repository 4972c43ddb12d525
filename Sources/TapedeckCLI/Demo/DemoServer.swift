import HTTPCore
import SystemIO
import Transport

/// The demo's backend on a port of its own, with an event loop of its own.
final class DemoServer: Sendable {
    let port: Int
    private let listener: Listener
    private let group: EventLoopGroup

    /// Binds a free port on loopback and answers there.
    init(_ backend: DemoBackend, poller: PollerKind, clock: WallClock) throws {
        group = try EventLoopGroup(count: 1, poller: poller, clock: .system)
        listener = try Listener.bind(ListenAddress(host: "127.0.0.1", port: 0), group: group)
        port = listener.port
        listener.start(limits: ServerLimits(), hooks: ServerHooks()) { exchange in
            await DemoServer.answer(exchange, backend, Timestamp(milliseconds: clock.now()).field)
        }
    }

    /// Takes no more requests; returns when none is open.
    func stop() async {
        listener.stop()
        await listener.drain(timeout: .seconds(1))
        group.shutdown()
    }

    private static func answer(_ exchange: ServerExchange, _ backend: DemoBackend, _ date: String) async {
        // A client that leaves early needs no answer.
        try? await {
            let body = try await exchange.readWholeBody(limit: 65_536)
            let answer = backend.answer(to: exchange.head, body: body, date: date)
            if answer.delay > .zero {
                try await exchange.loop.sleep(for: answer.delay)
            }
            try await exchange.respond(answer.head, body: answer.body)
        }()
    }
}
