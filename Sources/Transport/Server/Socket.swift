import HTTPCore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A connected socket on a loop: reads and writes that wait without blocking the loop.
final class Socket: ReadinessHandler {
    enum Wait { case ready, timedOut, cancelled, failed }

    let fd: Int32
    let loop: EventLoop
    private var reader: UnsafeContinuation<Wait, Never>?
    private var writer: UnsafeContinuation<Wait, Never>?
    private(set) var isFailed = false
    private(set) var isEnded = false
    private(set) var isClosed = false
    /// Called once when the socket reports an error or a reset.
    var onFailure: (() -> Void)?
    private var didBecomeReadable = false
    private var didBecomeWritable = false

    init(_ fd: Int32, on loop: EventLoop) throws {
        self.fd = fd
        self.loop = loop
        try loop.register(fd, [.read, .write], .edge, self)
    }

    func ready(_ readiness: Readiness) {
        if readiness.contains(.ended) { isEnded = true }
        if readiness.contains(.failed), !isFailed {
            isFailed = true
            onFailure?()
        }
        if !readiness.isDisjoint(with: [.readable, .ended, .failed]) {
            didBecomeReadable = true
            resumeReader(isFailed ? .failed : .ready)
        }
        if !readiness.isDisjoint(with: [.writable, .failed]) {
            didBecomeWritable = true
            resumeWriter(isFailed ? .failed : .ready)
        }
    }

    private func resumeReader(_ wait: Wait) {
        guard let continuation = reader else { return }
        reader = nil
        continuation.resume(returning: wait)
    }

    private func resumeWriter(_ wait: Wait) {
        guard let continuation = writer else { return }
        writer = nil
        continuation.resume(returning: wait)
    }

    /// Octets read, 0 at the end of input, nil if it would block, -1 for a failure.
    func readNow(into buffer: inout Bytes, at offset: Int) -> Int? {
        guard !isClosed else { return -1 }
        didBecomeReadable = false
        let space = buffer.count - offset
        let count = buffer.withUnsafeMutableBytes { recv(fd, $0.baseAddress! + offset, space, 0) }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EWOULDBLOCK ? nil : (errno == EINTR ? nil : -1)
    }

    func waitReadable(timeout: Duration?) async -> Wait {
        if didBecomeReadable { return .ready }
        loop.arm(fd, .read)
        return await wait(timeout, set: { self.reader = $0 }, resume: { self.resumeReader($0) })
    }

    private func wait(
        _ timeout: Duration?, set: (UnsafeContinuation<Wait, Never>) -> Void, resume: @escaping (Wait) -> Void
    ) async -> Wait {
        if Task.isCancelled { return .cancelled }
        if isClosed { return .failed }
        let loop = self.loop
        let timer = timeout.map { loop.schedule(after: $0) { resume(.timedOut) } }
        defer { if let timer { loop.cancel(timer) } }
        let bound = LoopBound(resume, on: loop)
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { set($0) }
        } onCancel: {
            if loop.isCurrent { bound.value(.cancelled) } else { loop.execute { bound.value(.cancelled) } }
        }
    }

    /// Writes all octets of the pieces, in order.
    func write(_ pieces: [Bytes], timeout: Duration?) async -> Wait {
        for piece in pieces {
            var offset = 0
            while offset < piece.count {
                guard !isClosed else { return .failed }
                didBecomeWritable = false
                let count = piece.withUnsafeBytes { send(fd, $0.baseAddress! + offset, piece.count - offset, Int32(MSG_NOSIGNAL)) }
                if count >= 0 {
                    offset += count
                    continue
                }
                if errno == EINTR { continue }
                guard errno == EAGAIN || errno == EWOULDBLOCK else { return .failed }
                if didBecomeWritable { continue }
                loop.arm(fd, .write)
                let wait = await wait(timeout, set: { self.writer = $0 }, resume: { self.resumeWriter($0) })
                guard wait == .ready else { return wait }
            }
        }
        return .ready
    }

    func shutdownWrite() { if !isClosed { shutdown(fd, Int32(SHUT_WR)) } }

    func close(reset: Bool = false) {
        guard !isClosed else { return }
        isClosed = true
        loop.unwatch(fd: fd)
        if reset {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }
        _ = Glibc.close(fd)
        resumeReader(.failed)
        resumeWriter(.failed)
    }
}
