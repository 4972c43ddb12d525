package import HTTPCore

/// One request being read and its response being written. Lives on one loop.
///
/// One task may read the request while another writes the response. When the handler returns the exchange is over: what is
/// called then throws `.cancelled`.
package final class ServerExchange {
    /// How a connection is ended on purpose.
    package enum Ending: Sendable {
        /// FIN: the client reads the end of input.
        case close
        /// RST (`SO_LINGER` 0): the client's next call fails; octets on the way may be lost.
        case reset
    }

    /// How far the response is.
    enum Progress: Equatable {
        case unanswered
        case begun
        case whole
        case aborted
        /// CONNECT was answered, and the client's next requests come through the tunnel.
        case tunneled
    }

    package let head: RequestHead
    package let target: RequestTarget
    package let framing: BodyFraming
    /// The number of the request on its connection, or in its tunnel, from 0.
    package let requestIndex: Int
    /// Whether the connection ends after the response, which says `Connection: close` then if it is not begun yet.
    package var closesAfter: Bool

    let connection: ServerConnection
    /// Whether the client has said that no request follows.
    let isLastOfClient: Bool
    var progress = Progress.unanswered
    /// How the response's body is sent; set when it begins.
    var body = AnswerPlan.Body.dropped
    /// A head that waits for the first octets of its body, for one call to send both.
    var outgoing = Bytes()
    /// Octets of the request's body that were read, without frames.
    package internal(set) var bodyOctets = 0
    /// When the head was read.
    package let begun: EventLoop.Instant
    /// When the body had come whole, and when the answer began.
    var bodyReadAt: EventLoop.Instant?
    var answeredAt: EventLoop.Instant?
    /// Octets that the connection had sent when the response began to be counted.
    var countedFrom: Int
    var isOver = false
    /// Whether the connection is held from the handler's return on.
    package private(set) var isHeld = false
    /// Called when a hold has ended.
    private(set) var parting: (() -> Void)?
    /// When the request's body must have come whole, by the loop's clock.
    let bodyDeadline: UInt64

    /// The decoder of the request's body; nil where there is none, which saves memory in the many that are.
    let bodyReading: BodyReading?
    var isBodyRead: Bool
    /// The client waits for 100 Continue before it sends the body (RFC 9110 §10.1.1).
    var awaitsContinue: Bool

    init(
        _ connection: ServerConnection, _ head: RequestHead, _ target: RequestTarget, _ framing: BodyFraming, index: Int
    ) {
        self.connection = connection
        self.head = head
        self.target = target
        self.framing = framing
        requestIndex = index
        isBodyRead = framing == .none || framing == .length(0)
        bodyReading = isBodyRead ? nil : BodyReading(framing, connection.limits.heads)
        countedFrom = connection.octetsSent
        begun = connection.loop.now()
        bodyReadAt = isBodyRead ? begun : nil
        bodyDeadline = connection.loop.tick &+ connection.times.request
        let isNew = head.version == .http11
        awaitsContinue = isNew && !isBodyRead && head.fields.hasToken("Expect", "100-continue")
        isLastOfClient =
            isNew ? head.fields.hasToken("Connection", "close") : !head.fields.hasToken("Connection", "keep-alive")
        closesAfter = isLastOfClient || connection.mustClose
    }

    package var loop: EventLoop { connection.loop }
    /// The client's address and port.
    package var peer: String { connection.peer }
    package var listenerPort: Int { connection.listenerPort }
    /// The tunnel that the request came through.
    package var tunnel: Tunnel? { connection.tunnel }
    /// Whether an octet of the response was handed to the kernel or waits to be.
    package var hasBegun: Bool { progress != .unanswered || octetsSent > 0 }
    /// Octets of the response that the kernel has taken, interim responses but 100 Continue included.
    package var octetsSent: Int { connection.octetsSent - countedFrom }

    /// From the head to the end of the request's body; nil where it was not read whole.
    package var requestTime: Duration? { bodyReadAt?.since(begun) }
    /// From the request's head to the beginning of the final answer; nil where there was none.
    package var answerTime: Duration? { answeredAt?.since(begun) }

    func noteAnswer() {
        if answeredAt == nil { answeredAt = loop.now() }
    }

    // MARK: Ends

    /// Ends the connection now; a head that still waits is sent before.
    package func abort(_ how: Ending) {
        guard !isOver else { return }
        flushNow()
        progress = .aborted
        switch how {
        case .reset: connection.socket.close(resets: true)
        case .close: connection.socket.finish()
        }
    }

    /// Lets the handler return and holds the connection until the client has closed its sending side or reset it, or until
    /// the server stops; then it just ends. What the client sends meanwhile is dropped. No task waits, so that a held
    /// connection costs little.
    package func hold() {
        guard !isOver else { return }
        flushNow()
        isHeld = true
    }

    /// Does something on the loop when the hold has ended; the last step of a handler that holds.
    package func whenHoldEnds(_ body: @escaping () -> Void) { parting = body }

    /// Ends the hold, from any thread; nothing happens where there is none. It keeps nothing of the exchange.
    package var holdEnder: @Sendable () -> Void {
        let bound = LoopBound(connection, on: loop)
        return { [loop] in loop.execute { bound.value.endHold() } }
    }

    func checkOpen() throws(ConnectionError) {
        if isOver || progress == .aborted { throw .cancelled }
    }
}

/// How far the reading of a request's body is.
final class BodyReading {
    var decoder: BodyDecoder

    init(_ framing: BodyFraming, _ limits: HeadLimits) {
        decoder = BodyDecoder(framing, limits: limits)
    }
}
