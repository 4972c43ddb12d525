import CCurl
package import HTTPCore

/// One request to an upstream and its answer. Lives on its client's loop.
///
/// One task may take events while another gives the request's body. When the answer has ended before the request's body
/// was sent, the upload goes on as long as the upstream takes it; whoever has no more to send calls `cancel()`.
package final class UpstreamExchange: UpstreamTransfer {
    /// What an upstream's answer consists of, in this order; only the final head and the end always come.
    package enum Event: Sendable, Equatable {
        /// A 1xx head other than 101.
        case informational(ResponseHead)
        /// The final head and how its body was framed.
        case head(ResponseHead, BodyFraming)
        /// The next octets of the body, taken out of their chunks, content coding untouched; never empty.
        case body(Bytes)
        /// The end of the answer.
        case end(trailers: Fields)
    }

    /// Octets that are kept on either side before the other one has to wait.
    static let bufferLimit = 256 << 10

    let easy: CurlEasy
    /// `HOST:PORT`, for messages.
    let upstream: String
    /// Whether the host has a name that must be looked up, rather than an address.
    private let isNamed: Bool
    private let loop: EventLoop
    private let options: UpstreamOptions
    /// Outlives the exchange, or has ended it before it went.
    private unowned let client: UpstreamClient

    private var inbound: UpstreamInbound
    private var outbound: UpstreamOutbound
    /// Why nothing more will come; told after the events that came before.
    private var failure: UpstreamError?
    /// What follows the last chunk of the request, a line each without its end.
    private(set) var trailers: [Bytes] = []
    private var isOver = false
    private var isReceivingPaused = false
    private var isSendingPaused = false
    private var watchesExcess = false
    private let receiver: UpstreamWaiter
    private let sender: UpstreamWaiter

    private var timer: EventLoop.Timer?
    private var lastProgress = EventLoop.Instant(nanoseconds: 0)

    init(
        _ request: UpstreamRequest, client: UpstreamClient, easy: CurlEasy, place: UpstreamPlace, loop: EventLoop,
        options: UpstreamOptions
    ) {
        self.easy = easy
        upstream = place.text
        isNamed = place.isNamed
        self.loop = loop
        self.options = options
        self.client = client
        inbound = UpstreamInbound(method: request.method, upstream: upstream)
        outbound = UpstreamOutbound(request.body)
        receiver = UpstreamWaiter(loop)
        sender = UpstreamWaiter(loop)
    }

    // MARK: For the deck

    /// Whether the upstream still takes octets of the request's body.
    package var takesBody: Bool { !isOver && !outbound.isFinished }

    /// Waits for what the upstream sends next. After `end`, and after an error, it throws.
    ///
    /// A cancelled task ends the exchange. On the exchange's loop, one task at a time.
    package func next() async throws(UpstreamError) -> Event {
        while true {
            if let event = inbound.takeEvent() {
                resumeReceiving()
                return event
            }
            if let failure { throw failure }
            if isOver || inbound.isComplete { throw .afterEnd }
            if Task.isCancelled {
                cancel()
                throw .cancelled
            }
            await receiver.wait()
        }
    }

    /// Gives a piece of the request's body and waits while more than the limit is on its way.
    ///
    /// Once the answer is whole and the upstream takes no more, the piece is dropped: a refused upload is no fault. Throws
    /// what ended the exchange otherwise, and ends it when the piece goes over the length that was announced.
    package func send(_ bytes: Bytes) async throws(UpstreamError) {
        if isOver {
            if inbound.isComplete { return }
            throw failure ?? .afterEnd
        }
        guard outbound.give(bytes) else {
            let error = UpstreamError(
                label: "upstream-request-length",
                message: "The request's body is longer than its Content-Length; it was not sent on.")
            end(error)
            throw error
        }
        resumeSending()
        while !isOver, outbound.bufferedOctets > Self.bufferLimit {
            if Task.isCancelled {
                cancel()
                throw .cancelled
            }
            await sender.wait()
        }
        if let failure, !inbound.isComplete { throw failure }
    }

    /// Says that the request's body is whole. A body that is shorter than announced ends the exchange.
    ///
    /// - Parameter trailers: the fields behind it; they go out behind a body in chunks only.
    package func finishSending(trailers: Fields = Fields()) {
        guard !isOver, !outbound.isFinished else { return }
        self.trailers = UpstreamLines.trailerLines(trailers)
        guard outbound.finish() else {
            end(
                UpstreamError(
                    label: "upstream-request-length",
                    message: "The request's body is shorter than its Content-Length; the exchange was ended."))
            return
        }
        resumeSending()
    }

    /// Ends the exchange and, unless it was through, its connection. Whoever waits gets an error. Harmless when over.
    package func cancel() {
        end(.cancelled)
    }

    // MARK: For the client

    /// Ends the exchange from our side. Outside of libcurl's callbacks.
    func end(_ reason: UpstreamError) {
        guard !isOver else { return }
        if failure == nil { failure = reason }
        leave()
    }

    /// libcurl has ended the transfer.
    func transferEnded(_ code: Int32) {
        guard !isOver else { return }
        if failure == nil, code == 0 {
            do throws(UpstreamError) { try inbound.endTransfer() } catch { failure = error }
        } else if failure == nil {
            failure = CurlErrors.error(
                code,
                CurlErrors.Context(
                    text: easy.errorText, systemError: easy.systemError, upstream: upstream,
                    hasAnswer: inbound.hasBegun))
        }
        leave()
    }

    private func leave() {
        isOver = true
        outbound.drop()
        if let timer { loop.cancel(timer) }
        timer = nil
        client.remove(self)
        receiver.wake()
        sender.wake()
    }

    // MARK: Back-pressure

    private func resumeReceiving() {
        guard isReceivingPaused, !isOver, inbound.bufferedOctets <= Self.bufferLimit / 2 else { return }
        isReceivingPaused = false
        lastProgress = loop.now()
        applyPauses()
    }

    private func resumeSending() {
        guard isSendingPaused, !isOver else { return }
        isSendingPaused = false
        lastProgress = loop.now()
        applyPauses()
    }

    private func applyPauses() {
        // libcurl tells a failure of its own by ending the transfer.
        _ = easy.pause(receiving: isReceivingPaused, sending: isSendingPaused)
    }

    // MARK: Time-outs

    /// The connection stands and the request goes out.
    func connected() {
        lastProgress = loop.now()
        if timer == nil { startTimer(after: currentLimit) }
    }

    private var currentLimit: Duration { inbound.hasBegun ? options.idleTimeout : options.headTimeout }

    /// Whether the next octet is ours to take or to give.
    private var isHeldByUs: Bool {
        isReceivingPaused || (outbound.isWaitingForPieces && !inbound.isComplete)
    }

    private func startTimer(after delay: Duration) {
        timer = loop.schedule(after: delay) { [weak self] in self?.timerFired() }
    }

    private func restartTimer() {
        if let timer { loop.cancel(timer) }
        startTimer(after: currentLimit)
    }

    private func timerFired() {
        timer = nil
        if isHeldByUs { lastProgress = loop.now() }
        let left = currentLimit - loop.now().since(lastProgress)
        guard left <= .zero else {
            startTimer(after: left)
            return
        }
        end(.timeout(afterHead: inbound.hasBegun, currentLimit, upstream))
    }

    // MARK: libcurl's callbacks

    /// Takes a line of a head. False ends the transfer.
    func takeLine(_ octets: UnsafeRawBufferPointer) -> Bool {
        take { (inbound) throws(UpstreamError) in try inbound.takeLine(octets) }
    }

    /// Takes octets of the body; nil asks for a pause.
    func takeBody(_ octets: UnsafeRawBufferPointer) -> Bool? {
        if inbound.bufferedOctets >= Self.bufferLimit {
            isReceivingPaused = true
            return nil
        }
        return take { (inbound) throws(UpstreamError) in try inbound.takeBody(octets) }
    }

    private func take(_ body: (inout UpstreamInbound) throws(UpstreamError) -> Void) -> Bool {
        lastProgress = loop.now()
        let hadBegun = inbound.hasBegun
        defer {
            if !hadBegun, inbound.hasBegun, options.idleTimeout < options.headTimeout { restartTimer() }
            receiver.wake()
        }
        do throws(UpstreamError) {
            try body(&inbound)
        } catch {
            failure = error
            return false
        }
        watchExcess()
        return true
    }

    /// libcurl says in words alone that it drops octets behind a message; it is asked for words only while it could.
    private func watchExcess() {
        if inbound.hasExcess { easy.set(CURLOPT_FORBID_REUSE, 1) }
        guard inbound.watchesExcess != watchesExcess else { return }
        watchesExcess.toggle()
        easy.set(CURLOPT_VERBOSE, watchesExcess ? 1 : 0)
    }

    func takeWords(_ words: UnsafeRawBufferPointer) {
        guard words.starts(with: "Excess found".utf8) else { return }
        inbound.noteExcess()
        watchExcess()
    }

    func supply(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch outbound.supply(buffer) {
        case .octets(let count):
            lastProgress = loop.now()
            if outbound.bufferedOctets <= Self.bufferLimit { sender.wake() }
            return count
        case .nothingYet:
            isSendingPaused = true
            return Int(CURL_READFUNC_PAUSE)
        case .end:
            return 0
        }
    }

    /// libcurl has opened a socket for the exchange.
    func opened(_ fd: Int32) {
        client.opened(fd)
    }

    /// libcurl is about to ask a name server, or the machine's own list.
    func willLookUp() {
        if isNamed { UpstreamCounters.countLookUp() }
    }
}
