import DeckEngine
import TapedeckClient

extension DemoStory {
    /// Takes the same steps through a deck that replays, and compares every answer.
    ///
    /// - Returns: what the app was given when it signed in.
    func replay(
        _ deck: Deck, _ recorded: [DemoFlow.Visit]
    ) async throws(DemoFailure) -> DemoFlow.Credentials {
        page.chapter(2, "Replay", "the backend is gone; the app takes the same steps")
        let flow = try flow(to: deck)
        var index = 0
        let (visits, credentials) = try await flow.run { visit in
            let isEqual = comparison.difference(recorded[index].response, visit.response) == nil
            page.step(visit, isEqual ? "equal" : "differs")
            index += 1
        }
        for (before, after) in zip(recorded, visits) {
            if let difference = comparison.difference(before.response, after.response) {
                throw DemoFailure(after.step.title, "the replayed answer has \(difference)")
            }
        }
        return credentials
    }
}
