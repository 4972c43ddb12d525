import ControlAPI
import FoundationEssentials
import HTTPCore
import Synchronization
import SystemIO

/// Hands what happens in a deck to those who listen on `GET /events`, as server-sent events (WHATWG HTML §9.2).
///
/// Any thread may publish and subscribe, under the lock. A listener that does not read loses the oldest events, never the
/// deck's time.
final class EventHub: Sendable {
    /// Frames that wait for one listener at most.
    static let backlog = 512

    private struct Listener {
        var frames: AsyncStream<Bytes>.Continuation
        /// Whose events it wants; nil for all.
        var session: String?
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var next = 0
        var isOver = false
    }

    private let state = Locked(State())
    /// Whether anybody listens, so that nothing is written for nobody.
    private let isHeard = Atomic(false)

    /// Frames from now on; ends when the deck stops.
    ///
    /// - Parameter session: only what is about this one, or about all; nil for everything.
    func subscribe(to session: String? = nil) -> (id: Int, frames: AsyncStream<Bytes>) {
        let (frames, continuation) = AsyncStream.makeStream(
            of: Bytes.self, bufferingPolicy: .bufferingNewest(Self.backlog))
        let id = state.withLock { state in
            state.next += 1
            if !state.isOver { state.listeners[state.next] = Listener(frames: continuation, session: session) }
            isHeard.store(!state.listeners.isEmpty, ordering: .relaxed)
            return state.isOver ? 0 : state.next
        }
        if id == 0 { continuation.finish() }
        return (id, frames)
    }

    func unsubscribe(_ id: Int) {
        let gone = state.withLock { state in
            defer { isHeard.store(!state.listeners.isEmpty, ordering: .relaxed) }
            return state.listeners.removeValue(forKey: id)
        }
        gone?.frames.finish()
    }

    /// Tells one listener something that is no event, so that a connection that is dead is noticed.
    func ping(_ id: Int) {
        _ = state.withLock { $0.listeners[id] }?.frames.yield(Bytes(": still here\n\n".utf8))
    }

    /// Tells that an exchange has ended.
    func publish(_ entry: JournalEntry, session: String) {
        guard isHeard.load(ordering: .relaxed) else { return }
        publish("exchange", ExchangeEvent(entry, session: session), of: session)
    }

    /// Tells that somebody changed what clients get.
    func publish(change: ChangeEvent) {
        guard isHeard.load(ordering: .relaxed) else { return }
        publish("change", change, of: change.session)
    }

    private func publish(_ name: String, _ document: some Encodable, of session: String?) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(document) else { return }
        let frame = Bytes("event: \(name)\ndata: ".utf8) + Bytes(data) + Bytes("\n\n".utf8)
        for listener in state.withLock({ Array($0.listeners.values) })
        where listener.session == nil || session == nil || listener.session == session {
            listener.frames.yield(frame)
        }
    }

    /// Ends every listener's stream.
    func finish() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            state.isOver = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.frames.finish() }
    }
}

extension ExchangeEvent {
    init(_ entry: JournalEntry, session: String) {
        let (whole, rest) = entry.duration.components
        self.init(
            session: session, number: entry.number, method: entry.method, target: entry.target, route: entry.route,
            variant: entry.variant, status: entry.status, outcome: entry.outcome.word, octets: entry.octets,
            milliseconds: Double(whole) * 1_000 + Double(rest / 1_000_000_000_000) / 1_000)
    }
}
