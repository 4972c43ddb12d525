import CassetteKit
import DeckEngine
import DeckRules
import HTTPCore
import SystemIO
import TapedeckClient
import TestSupport
import Transport

/// A deck in this process, on free ports.
struct RunningDeck {
    let deck: Deck
    let log: Logged

    /// What a deck said while it ran.
    final class Logged: Sendable {
        private let events = Locked<[LogEvent]>([])
        func add(_ event: LogEvent) { events.withLock { $0.append(event) } }
        var text: String { events.withLock { $0.map(\.message).joined(separator: "\n") } }
    }

    /// - Parameter configuration: the text of a `tapedeck.json`.
    static func start(
        _ mode: DeckOptions.Mode, cassette: String? = nil, upstream: Int? = nil,
        configuration: String = #"{"version": 1}"#,
        control: Bool = false, poller: PollerKind = .epoll, clock: ManualClock? = nil,
        change: (inout DeckOptions) -> Void = { _ in }
    ) async throws -> RunningDeck {
        var options = DeckOptions(
            mode: mode,
            configuration: try Configuration.parse(Array(configuration.utf8), file: "tapedeck.json") {
                try? Files.read($0)
            })
        options.listen = ListenAddress(host: "127.0.0.1", port: 0)
        options.control = control ? ListenAddress(host: "127.0.0.1", port: 0) : nil
        options.cassette = cassette
        options.upstreams = upstream.map { [NamedUpstream(url: "http://127.0.0.1:\($0)")] } ?? []
        change(&options)
        let log = Logged()
        let environment = DeckEnvironment(
            wallClock: WallClock { 1_796_083_200_000 },
            loopClock: clock.map { LoopClock(now: $0.now, attach: $0.attach, willWait: $0.willWait) } ?? .system,
            loops: 2, poller: poller,
            log: { log.add($0) })
        return RunningDeck(deck: try await Deck.start(options, environment: environment), log: log)
    }

    var port: Int { Int(deck.proxyURL.split(separator: ":").last ?? "") ?? 0 }
    var controlPort: Int { Int(deck.controlURL?.split(separator: ":").last ?? "") ?? 0 }

    /// Sends a request on a connection of its own.
    func ask(
        _ method: String, _ target: String, _ fields: [(String, String)] = [], body: String? = nil
    ) async throws -> WireResponse {
        try await WireClient(host: "127.0.0.1", port: port, timeout: .seconds(60))
            .perform(WireRequest(method, target, fields: Fields(fields), body: body.map { Array($0.utf8) }))
    }

    /// Sends a document to the control API.
    func control(_ method: String, _ target: String, _ document: String? = nil) async throws -> WireResponse {
        try await WireClient(host: "127.0.0.1", port: controlPort, timeout: .seconds(60)).perform(
            WireRequest(
                method, target, fields: Fields(document == nil ? [] : [("Content-Type", "application/json")]),
                body: document.map { Array($0.utf8) }))
    }
}

extension WireResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
    var status: Int { head.status }
}
