import SystemIO

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A server on a free port of 127.0.0.1 that reads requests and sends exact octets, one script for each request.
///
/// Scripts are taken in the order in which requests begin, on whatever connection; the last one serves all further requests.
/// A script that ends without `close`, `reset` or `hold` leaves its connection open for the next request. Every connection has
/// a thread of its own, so that nothing here leans on the code under test.
package final class ScriptedUpstream: Sendable {
    /// What the upstream saw so far.
    package struct Log: Sendable {
        /// Connections accepted.
        package var connections = 0
        /// Of these, the ones that have ended.
        package var ended = 0
        /// The octets of each request as far as its script read them, in the order in which requests began.
        package var requests: [[UInt8]] = []
        /// Requests whose script is through.
        package var finished = 0
        /// Octets read on all connections.
        package var octetsRead = 0

        /// The text of one request, for comparing in tests; empty if there was none.
        package func text(_ index: Int) -> String {
            index < requests.count ? String(decoding: requests[index], as: UTF8.self) : ""
        }
    }

    private struct Waiter {
        let condition: @Sendable (Log) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var log = Log()
        var waiters: [Waiter] = []
        var open: Set<Int32> = []
        var isStopped = false
    }

    /// The port that the system chose.
    package let port: Int
    private let listener: Int32
    private let scripts: [[ScriptStep]]
    private let state = Locked(State())

    /// Starts listening; every script must have a step.
    package init(_ scripts: [[ScriptStep]]) throws {
        self.scripts = scripts
        (listener, port) = try listenOnLoopback()
        let listener = listener
        try SystemThread.start("scripted") { [weak self] in
            while let connection = acceptNext(listener) {
                guard let self else {
                    close(connection)
                    break
                }
                self.serve(connection)
            }
            close(listener)
        }
    }

    /// Answers every request, after reading it whole, with the same text.
    package convenience init(answering text: String, then ending: ScriptStep? = nil) throws {
        try self.init([[.readRequest, .send(text)] + (ending.map { [$0] } ?? [])])
    }

    deinit {
        stop()
    }

    /// What was seen up to now.
    package var log: Log { state.withLock { $0.log } }

    /// Waits until what was seen fulfils the condition.
    package func wait(until condition: @escaping @Sendable (Log) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if condition(state.log) { return true }
                state.waiters.append(Waiter(condition: condition, continuation: continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    /// Refuses new connections and ends those that are open.
    package func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
            // Wakes the thread that accepts, which closes the descriptor.
            shutdown(listener, Int32(SHUT_RDWR))
        }
    }

    private func serve(_ connection: Int32) {
        let isWelcome = state.withLock { state in
            if !state.isStopped { state.open.insert(connection) }
            return !state.isStopped
        }
        guard isWelcome else {
            close(connection)
            return
        }
        change { $0.connections += 1 }
        // The thread keeps the upstream alive only through `self` here, and ends with its connection.
        do {
            try SystemThread.start("scripted-conn") { [self] in
                let runner = ScriptedConnection(connection, upstream: self)
                runner.run()
                finish(connection)
            }
        } catch {
            finish(connection)
        }
    }

    private func finish(_ connection: Int32) {
        state.withLock { state in
            state.open.remove(connection)
            close(connection)
        }
        change { $0.ended += 1 }
    }

    /// Numbers a new request and gives its script.
    func beginRequest() -> (index: Int, script: [ScriptStep]) {
        var index = 0
        change { log in
            index = log.requests.count
            log.requests.append([])
        }
        return (index, scripts.isEmpty ? [] : scripts[min(index, scripts.count - 1)])
    }

    /// Changes the log and wakes the tests that wait for what it says now.
    func change(_ body: (inout Log) -> Void) {
        let met = state.withLock { state -> [Waiter] in
            body(&state.log)
            let met = state.waiters.filter { $0.condition(state.log) }
            state.waiters.removeAll { $0.condition(state.log) }
            return met
        }
        for waiter in met { waiter.continuation.resume() }
    }
}

private func acceptNext(_ listener: Int32) -> Int32? {
    while true {
        let connection = accept(listener, nil, nil)
        if connection >= 0 { return connection }
        if errno != EINTR && errno != ECONNABORTED { return nil }
    }
}

private struct NoListener: Error {
    let call: String
    let errno: Int32
}

/// A listening socket on a free port of 127.0.0.1.
private func listenOnLoopback() throws(NoListener) -> (Int32, Int) {
    #if canImport(Darwin)
        let listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #endif
    guard listener >= 0 else { throw NoListener(call: "socket", errno: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            bind(listener, address, size) == 0 && listen(listener, 128) == 0
                && getsockname(listener, address, &size) == 0
        }
    }
    guard isBound else {
        let failure = NoListener(call: "bind", errno: errno)
        close(listener)
        throw failure
    }
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
}
