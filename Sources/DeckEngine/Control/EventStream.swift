import HTTPCore
import Transport

extension EventHub {
    /// How long a stream is silent at most: a comment then shows whether anybody still reads.
    static let heartbeat = Duration.seconds(15)

    /// Sends events to one listener until it leaves or the deck stops.
    ///
    /// - Parameter session: whose events it wants; nil for all.
    func stream(to http: ServerExchange, of session: String?) async throws(ConnectionError) {
        let (id, frames) = subscribe(to: session)
        let beat = Heartbeat(http.loop, Self.heartbeat) { [self] in ping(id) }
        defer {
            beat.stop()
            unsubscribe(id)
        }
        // The first octets at once, so that a client knows that it is heard.
        try await http.write(Bytes(": events of a tapedeck\n\n".utf8))
        for await frame in frames { try await http.write(frame) }
        if Task.isCancelled { throw .cancelled }
        try await http.end()
    }
}

/// Calls a function again and again by a loop's timer. Lives on its loop.
private final class Heartbeat {
    private let loop: EventLoop
    private let interval: Duration
    private let beat: () -> Void
    private var timer: EventLoop.Timer?

    init(_ loop: EventLoop, _ interval: Duration, _ beat: @escaping () -> Void) {
        self.loop = loop
        self.interval = interval
        self.beat = beat
        start()
    }

    private func start() {
        timer = loop.schedule(after: interval) { [weak self] in
            self?.beat()
            self?.start()
        }
    }

    func stop() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }
}
