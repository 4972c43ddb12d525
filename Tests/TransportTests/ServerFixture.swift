import HTTPCore
import SystemIO
import TestSupport

@testable import Transport

/// A server on a free port with a clock that the test moves.
final class ServerFixture: Sendable {
    let group: EventLoopGroup
    let listener: Listener
    let clock: ManualClock
    let rejected = Notes()

    init(
        _ poller: PollerKind = .epoll, loops: Int = 1, limits: ServerLimits = ServerLimits(),
        clock: ManualClock = ManualClock(),
        handler: @escaping @Sendable (ServerExchange) async throws -> Void
    ) throws {
        self.clock = clock
        group = try EventLoopGroup(
            count: loops, poller: poller,
            clock: LoopClock(now: clock.now, attach: clock.attach, willWait: clock.willWait))
        listener = try Listener.bind(ListenAddress(host: "127.0.0.1", port: 0), group: group)
        listener.start(
            limits: limits, hooks: ServerHooks(onRejected: { [rejected] error, _ in rejected.add(error.label) })
        ) {
            try? await handler($0)
        }
    }

    deinit { group.shutdown() }

    func connect() throws -> RawClient {
        let client = try RawClient(port: listener.port)
        client.companion = self
        return client
    }
}

/// Words noted on any thread, in order; a test waits for them.
final class Notes: Sendable {
    private let words = Monitor<[String]>([])

    func add(_ word: String) { words.change { $0.append(word) } }
    var all: [String] { words.change { $0 } }

    /// Blocks until so many words were noted; gives them, or nil after 20 seconds.
    func wait(for count: Int) -> [String]? { words.wait(atMost: 20_000) { $0.count >= count ? $0 : nil } }
}

/// Answers every request with its method, target and body.
@Sendable func echo(_ exchange: ServerExchange) async throws {
    let body = try await exchange.readWholeBody(limit: 1 << 24)
    try await exchange.respond(
        .ok, body: Bytes("\(exchange.head.method) ".utf8) + exchange.head.target + Bytes(" ".utf8) + body)
}

extension ResponseHead {
    static let ok = ResponseHead(version: .http11, status: 200, reason: Bytes("OK".utf8), fields: Fields())

    static func status(_ status: Int, _ fields: [(String, String)] = []) -> ResponseHead {
        ResponseHead(version: .http11, status: status, reason: Bytes(reasonPhrase(status).utf8), fields: Fields(fields))
    }
}
