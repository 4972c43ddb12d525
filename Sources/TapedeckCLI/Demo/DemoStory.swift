import CassetteKit
import DeckEngine
import HTTPCore
import SystemIO
import TapedeckClient

/// The demo's three chapters. Each throws at the first thing that does not hold.
struct DemoStory: Sendable {
    let decks: DemoDecks
    let page: DemoPage
    let secrets: DemoSecrets
    let comparison: DemoComparison

    /// How long the app waits for an answer where none comes.
    static let patience = Duration.milliseconds(600)

    func tell(_ clock: WallClock) async throws(DemoFailure) {
        let (recorded, hidden) = try await record(clock)
        let files = try searchForSecrets()
        page.line("searched \(files) files for this run's secrets: none in any")
        let deck = try await decks.replay()
        let credentials: DemoFlow.Credentials
        let effects: Int
        do throws(DemoFailure) {
            credentials = try await replay(deck, recorded)
            effects = try await breakOnPurpose(deck, credentials, recorded)
        } catch {
            _ = await deck.stop()
            throw error
        }
        let report = await deck.stop()
        guard report.upstreamConnections == 0, report.nameLookups == 0 else {
            throw DemoFailure("replay", "the deck went to the network \(report.upstreamConnections) times")
        }
        page.summary([
            ("recorded", "\(recorded.count) interactions, secrets hidden \(hidden) times, none on disk"),
            ("replayed", "\(recorded.count) of \(recorded.count) answers equal, upstream connections 0"),
            ("broken", "\(effects) of \(effects) variants seen by the app as announced"),
        ])
    }
}
