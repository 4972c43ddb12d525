import CassetteKit
import DeckRules
import HTTPCore
import Transport

/// Passes one exchange to its upstream and back, octet by octet as they come, and keeps a copy of both messages.
///
/// Lives on the connection's loop.
final class Forwarding {
    /// How the exchange ended.
    enum Ending {
        /// The client has the whole answer.
        case whole(RawResponse)
        /// It passed whole, but a body was larger than what is kept.
        case tooLarge(status: Int)
        /// The upstream failed before anything of its answer was sent.
        case failed(UpstreamError)
        /// The upstream failed within its answer: what the client got cannot be taken for whole.
        case cut(status: Int, UpstreamError)
    }

    private let http: ServerExchange
    private let upstream: UpstreamExchange
    private let maxBody: Int
    private let started: EventLoop.Instant
    private var request: BodyCopy
    private var requestIsWhole: Bool
    private var onRequestEnd: ((Bytes?, Fields) -> Void)?
    /// Why the request's body could not be read to its end.
    private var clientFailure: ConnectionError?

    /// - Parameters:
    ///   - maxBody: the largest body that is kept, in octets.
    ///   - sent: the request's body if it was read before.
    ///   - onRequestEnd: called once when the request has come whole, with its body, nil if that was too large, and trailers.
    init(
        _ http: ServerExchange, to upstream: UpstreamExchange, maxBody: Int,
        onRequestEnd: @escaping (Bytes?, Fields) -> Void
    ) {
        self.http = http
        self.upstream = upstream
        self.maxBody = maxBody
        self.started = http.loop.now()
        self.request = BodyCopy(limit: maxBody)
        request.expect(http.framing)
        self.requestIsWhole = http.framing == .none
        self.onRequestEnd = onRequestEnd
    }

    /// Runs to the end of the answer.
    ///
    /// - Parameters:
    ///   - body: the request's body if it was read before.
    ///   - bandwidth: the most octets of a body that pass in a second, either way; nil for no limit.
    ///   - answer: writes the answer to the client.
    ///   - edit: changes the answer's head for this client; the copy keeps the original.
    func run(
        body: Bytes?, bandwidth: Bandwidth?, through answer: PassingAnswer, edit: (inout ResponseHead) -> Void
    ) async throws(ConnectionError) -> Ending {
        let pump = startPump(body: body, bandwidth)
        defer {
            pump?.cancel()
            upstream.cancel()
        }
        return try await passAnswer(answer, edit)
    }

    /// Sends the request's body beside the answer, for an upstream may answer before it has read all.
    private func startPump(body: Bytes?, _ bandwidth: Bandwidth?) -> Task<Void, Never>? {
        if http.framing == .none || body?.isEmpty == true {
            upstream.finishSending()
            endRequest(body ?? [])
            return nil
        }
        let me = LoopBound(self, on: http.loop)
        return http.loop.spawn { await me.value.pump(read: body, bandwidth) }
    }

    private func pump(read: Bytes?, _ bandwidth: Bandwidth?) async {
        var pacer = bandwidth.map { Pacer($0, now: http.loop.now()) }
        do {
            if let read {
                request.append(read)
                // It took its time when it was read.
                try await upstream.send(read)
            } else {
                while let piece = try await http.readBody() {
                    request.append(piece)
                    try await send(piece, &pacer)
                }
            }
            requestIsWhole = true
            upstream.finishSending(trailers: http.requestTrailers)
            endRequest(request.isOver ? nil : request.take())
        } catch let error as ConnectionError {
            clientFailure = error
            upstream.cancel()
        } catch {
            return  // The upstream's failure is told where its answer is read.
        }
    }

    /// Hands a piece of the request's body on, in portions where there is a rate.
    private func send(_ piece: Bytes, _ pacer: inout Pacer?) async throws {
        guard let portion = pacer?.portion else { return try await upstream.send(piece) }
        var sent = 0
        while sent < piece.count {
            let next = min(portion, piece.count - sent)
            try await upstream.send(Bytes(piece[sent..<(sent + next)]))
            sent += next
            if let wait = pacer?.pass(next, now: http.loop.now()) { try await http.pause(wait) }
        }
    }

    private func endRequest(_ body: Bytes?) {
        onRequestEnd?(body, http.requestTrailers)
        onRequestEnd = nil
    }

    /// What has come of the answer.
    private struct Received {
        var informational: [ResponseHead] = []
        var head: ResponseHead?
        var framing = BodyFraming.none
        /// Microseconds.
        var firstOctet = 0
        var copy: BodyCopy
    }

    private func passAnswer(
        _ passing: PassingAnswer, _ edit: (inout ResponseHead) -> Void
    ) async throws(ConnectionError) -> Ending {
        var received = Received(copy: BodyCopy(limit: maxBody))
        while true {
            let event: UpstreamExchange.Event
            do {
                event = try await upstream.next()
            } catch {
                if let clientFailure { throw clientFailure }
                if Task.isCancelled { throw .cancelled }
                guard let head = received.head else { return .failed(error) }
                await passing.breakOff()
                return .cut(status: head.status, error)
            }
            switch event {
            case .informational(let interim):
                received.informational.append(interim)
                try await http.inform(interim)
            case .head(let answer, let framing):
                received.head = answer
                received.framing = framing
                received.copy.expect(framing)
                received.firstOctet = elapsed()
                var edited = answer
                edited.fields = removeHopByHop(answer.fields, keepTE: false)
                edit(&edited)
                try await passing.begin(edited, framing)
            case .body(let piece):
                received.copy.append(piece, at: elapsed() - received.firstOctet)
                try await passing.write(piece)
            case .end(let trailers):
                try await passing.end(trailers: trailers)
                if let ending = whole(&received, trailers) { return ending }
            }
        }
    }

    /// How an exchange whose answer has come whole ends; nil where there was no answer.
    private func whole(_ received: inout Received, _ trailers: Fields) -> Ending? {
        guard let head = received.head else { return nil }
        if received.copy.isOver || request.isOver { return .tooLarge(status: head.status) }
        return .whole(
            RawResponse(
                status: head.status, reason: head.reason, fields: head.fields, framing: received.framing,
                body: received.copy.take(), trailers: trailers, informational: received.informational,
                timings: Timings(
                    firstByte: received.firstOctet,
                    pieces: received.copy.pieces.map { .init(offset: $0.microseconds, size: $0.size) })))
    }

    /// Microseconds since the request's head was read.
    private func elapsed() -> Int {
        Int((http.loop.now().nanoseconds - started.nanoseconds) / 1_000)
    }
}
