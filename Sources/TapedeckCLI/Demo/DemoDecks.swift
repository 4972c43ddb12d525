import DeckEngine
import HTTPCore
import SystemIO
import Transport

/// Starts the decks of the demo: in this process, on free ports, on one cassette.
struct DemoDecks: Sendable {
    let cassette: String
    /// Whether it stays when the demo ends.
    let isKept: Bool
    let poller: PollerKind

    /// The demo's routes, as a configuration would name them.
    private static let configuration = """
        {
          "version": 1,
          "upstream": "\(DemoBackend.url)",
          "routes": {
            "login": {"match": "POST /login", "auth": true},
            "projects": {"match": "GET /api/projects"},
            "project": {"match": "GET /api/projects/{id}"},
            "tasks": {"match": "GET /api/projects/{id}/tasks?state={state}"},
            "report": {"match": "GET /api/projects/{id}/report"},
          },
        }
        """

    /// A deck that records; whatever a request's authority says, it connects to the backend's port.
    func record(backendPort: Int) async throws(DemoFailure) -> Deck {
        var options = try options(.record)
        options.upstreamOptions.connectTo = ("127.0.0.1", backendPort)
        options.prune = true
        return try await start(options)
    }

    /// A deck that replays, and can be steered.
    func replay() async throws(DemoFailure) -> Deck {
        var options = try options(.replay)
        options.control = ListenAddress(host: "127.0.0.1", port: 0)
        return try await start(options)
    }

    private func options(_ mode: DeckOptions.Mode) throws(DemoFailure) -> DeckOptions {
        do throws(ConfigurationError) {
            let text = Bytes(DemoDecks.configuration.utf8)
            let configuration = try Configuration.parse(text, file: "the demo's configuration") { _ in nil }
            var options = DeckOptions(mode: mode, configuration: configuration)
            options.listen = ListenAddress(host: "127.0.0.1", port: 0)
            options.control = nil
            options.cassette = cassette
            return options
        } catch {
            throw DemoFailure("start", error.description)
        }
    }

    private func start(_ options: DeckOptions) async throws(DemoFailure) -> Deck {
        let environment = DeckEnvironment(
            wallClock: .system, loopClock: .system, loops: 1, poller: poller, log: { _ in })
        do throws(DeckError) {
            return try await Deck.start(options, environment: environment)
        } catch {
            throw DemoFailure("start", error.advice.isEmpty ? error.message : "\(error.message); \(error.advice)")
        }
    }
}
