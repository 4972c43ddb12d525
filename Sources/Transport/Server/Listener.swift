import HTTPCore
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

package final class Listener: Sendable {
    package let port: Int
    private let sockets: [Int32]
    private let group: EventLoopGroup
    private struct State { var stopped = false; var next = 0; var tasks: [Int: (EventLoop, LoopBound<ServerConnection>?, Task<Void, Never>)] = [:]; var id = 0 }
    private let state = Mutex(State())

    private init(port: Int, sockets: [Int32], group: EventLoopGroup) { self.port = port; self.sockets = sockets; self.group = group }

    package static func bind(_ address: ListenAddress, group: EventLoopGroup) throws(ListenError) -> Listener {
        let hosts = address.host == "localhost" ? ["127.0.0.1", "::1"] : [address.host]
        for _ in 0..<10 {
            var port = address.port
            var fds: [Int32] = []
            var failed: Int32 = 0
            for host in hosts {
                let (fd, bound, error) = open(host, port)
                if fd >= 0 { fds.append(fd); port = bound } else if host == "::1", error == EADDRNOTAVAIL || error == EAFNOSUPPORT { continue } else { failed = error; break }
            }
            if failed == 0 { return Listener(port: port, sockets: fds, group: group) }
            fds.forEach { _ = Glibc.close($0) }
            if address.port != 0 {
                throw ListenError(message: "\(address.host):\(address.port) can't be listened on: \(String(cString: strerror(failed)))", advice: "give another --listen or --control, or port 0")
            }
        }
        throw ListenError(message: "no free port", advice: "")
    }

    private static func open(_ host: String, _ port: Int) -> (Int32, Int, Int32) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var info: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &info) == 0, let info else { return (-1, 0, EADDRNOTAVAIL) }
        defer { freeaddrinfo(info) }
        let fd = socket(info.pointee.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard fd >= 0 else { return (-1, 0, errno) }
        var one: Int32 = 1
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        if info.pointee.ai_family == AF_INET6 { setsockopt(fd, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, 4) }
        guard Glibc.bind(fd, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0, listen(fd, 1024) == 0 else { let e = errno; _ = Glibc.close(fd); return (-1, 0, e) }
        var storage = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let bound = withUnsafeMutablePointer(to: &storage) { p in
            p.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(fd, $0, &length) }
        }
        return (fd, bound == 0 ? Int(UInt16(bigEndian: storage.sin6_port)) : port, 0)
    }

    package func start(limits: ServerLimits, hooks: ServerHooks, handler: @escaping @Sendable (ServerExchange) async -> Void) {
        for fd in sockets {
            let loop = group.loops[0]
            loop.execute { [self] in
                try? loop.watch(fd: fd, for: .read) { [self] _ in
                    while true {
                        let client = accept(fd, UnsafeMutablePointer<sockaddr>?.none, UnsafeMutablePointer<socklen_t>?.none)
                        if client < 0 { return }
                        _ = fcntl(client, F_SETFL, O_NONBLOCK)
                        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                        serve(client, limits, hooks, handler)
                    }
                }
            }
        }
    }

    private func serve(_ fd: Int32, _ limits: ServerLimits, _ hooks: ServerHooks, _ handler: @escaping @Sendable (ServerExchange) async -> Void) {
        var one: Int32 = 1
        setsockopt(fd, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        let (id, loop) = state.withLock { s in s.id += 1; s.next += 1; return (s.id, group.loops[s.next % group.loops.count]) }
        let task = loop.spawn { [self] in
            guard let socket = try? Socket(fd, on: loop) else { _ = Glibc.close(fd); return }
            let connection = ServerConnection(socket, limits)
            let bound = LoopBound(connection, on: loop)
            socket.onFailure = { [self] in state.withLock { $0.tasks[id]?.2 }?.cancel() }
            state.withLock { if $0.tasks[id] != nil { $0.tasks[id]?.1 = bound } }
            await connection.run(hooks, handler)
            state.withLock { $0.tasks[id] = nil }
        }
        state.withLock { $0.tasks[id] = (loop, nil, task) }
    }

    package func stop() {
        let was = state.withLock { s in defer { s.stopped = true }; return s.stopped }
        guard !was else { return }
        for fd in sockets { let loop = group.loops[0]; loop.execute { loop.unwatch(fd: fd); _ = Glibc.close(fd) } }
        closeIdle(stopping: true)
    }

    package func closeIdle() { closeIdle(stopping: false) }

    private func closeIdle(stopping: Bool) {
        for (loop, bound, _) in state.withLock({ Array($0.tasks.values) }) {
            guard let bound else { continue }
            loop.execute {
                if stopping { bound.value.isStopping = true }
                if bound.value.isIdle { bound.value.close(reset: false) }
            }
        }
    }

    package func drain(timeout: Duration) async {
        let tasks = state.withLock { $0.tasks.values.map(\.2) }
        let deadline = Task { try? await Task.sleep(for: timeout); if !Task.isCancelled { tasks.forEach { $0.cancel() } } }
        for task in tasks { await task.value }
        deadline.cancel()
    }
}
