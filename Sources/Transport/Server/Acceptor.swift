import CShims
import SystemIO

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Accepts connections on one listening socket and deals them to the loops in turn. Lives on one loop.
final class Acceptor: ReadinessHandler {
    private let fd: Int32
    private let loop: EventLoop
    private let server: Server
    /// Called with an accepted descriptor, its client's address, and whether it is one too many.
    private let deal: (Int32, _ peer: String, _ isRefused: Bool) -> Void
    private var retry: EventLoop.Timer?
    private var isClosed = false
    private var isRefusing = false

    /// Refused connections live for moments; above so many of them, further clients wait in the kernel's queue.
    private static let refusedAtOnce = 64
    /// How long accepting pauses when the process has no descriptor left.
    private static let pause = Duration.milliseconds(100)
    /// Accepted in one go, before the connections at hand get their turn.
    private static let batch = 64

    init(
        _ fd: Int32, on loop: EventLoop, server: Server,
        deal: @escaping (Int32, _ peer: String, _ isRefused: Bool) -> Void
    ) {
        self.fd = fd
        self.loop = loop
        self.server = server
        self.deal = deal
    }

    /// Begins to accept. Throws what the system says.
    func start() throws(SystemError) {
        try loop.register(fd, .read, .edge, self)
    }

    /// Closes the listening socket: further clients are refused by the kernel.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        if let retry { loop.cancel(retry) }
        loop.unwatch(fd: fd)
        tapedeck_close(fd)
    }

    /// Lets the kernel refuse further clients while the port stays ours, or takes clients again.
    ///
    /// A socket that does not listen reports a failure all the time, so it is not watched meanwhile.
    func refuse(_ isRefusing: Bool) {
        guard !isClosed, isRefusing != self.isRefusing else { return }
        if isRefusing {
            guard tapedeck_refuse(fd) == 0 else { return }
            if let retry { loop.cancel(retry) }
            retry = nil
            loop.unwatch(fd: fd)
        } else {
            guard tapedeck_listen_again(fd, ListeningSockets.backlog) == 0 else { return }
            // It was watched before, so it can be again.
            try? start()
        }
        self.isRefusing = isRefusing
    }

    func ready(_ readiness: Readiness) {
        if retry == nil, !isRefusing { acceptAll() }
    }

    private func acceptAll() {
        for _ in 0..<Self.batch {
            guard !isClosed else { return }
            let open = server.census.enter()
            guard open <= server.limits.maxConnections + Self.refusedAtOnce else {
                server.census.leave()
                return again(after: Self.pause)
            }
            guard let (client, peer) = accept() else { return server.census.leave() }
            deal(client, peer, open > server.limits.maxConnections)
        }
        again(after: .zero)
    }

    private func accept() -> (Int32, String)? {
        while true {
            let (result, peer) = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
                let result = tapedeck_accept(fd, text.baseAddress, text.count)
                return (result, result >= 0 ? text.baseAddress.map { String(cString: $0) } ?? "" : "")
            }
            if result >= 0 { return (result, peer) }
            switch -result {
            case EAGAIN:
                loop.arm(fd, .read)
                return nil
            // The client has left already, or a signal came.
            case ECONNABORTED, EPROTO, EINTR: continue
            // EMFILE, ENFILE, ENOBUFS, ENOMEM: no new edge tells when it gets better.
            default:
                again(after: Self.pause)
                return nil
            }
        }
    }

    private func again(after delay: Duration) {
        retry = loop.schedule(after: delay) { [weak self] in
            self?.retry = nil
            self?.acceptAll()
        }
    }
}
