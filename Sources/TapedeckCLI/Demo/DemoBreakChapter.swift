import DeckEngine
import HTTPCore
import TapedeckClient

extension DemoStory {
    /// A variant, and what the app is to see of it.
    private struct Expectation {
        let variant: String
        let isSeen: (Result<WireResponse, WireError>, Duration) -> Bool
    }

    /// Plays variants of one route, one after the other, chosen by the control API as a test would.
    ///
    /// - Returns: how many there were.
    func breakOnPurpose(
        _ deck: Deck, _ credentials: DemoFlow.Credentials, _ recorded: [DemoFlow.Visit]
    ) async throws(DemoFailure) -> Int {
        let step = DemoFlow.Step.projects
        page.chapter(3, "Break", "\(step.method) \(step.target), on purpose; the other routes go on as recorded")
        let flow = try flow(to: deck)
        let expectations = expectations(recorded)
        for expectation in expectations {
            try await choose(expectation.variant, deck)
            let (outcome, elapsed) = await flow.attempt(step, credentials, within: limit(expectation.variant))
            let seen = words(outcome)
            page.effect(expectation.variant, seen, elapsed)
            guard expectation.isSeen(outcome, elapsed) else {
                throw DemoFailure(expectation.variant, "the app saw: \(seen)")
            }
        }
        return expectations.count
    }

    private func expectations(_ recorded: [DemoFlow.Visit]) -> [Expectation] {
        let whole = recorded.first { $0.step.target == DemoFlow.Step.projects.target }?.response
        let isRecorded: (Result<WireResponse, WireError>) -> Bool = { outcome in
            guard case .success(let response) = outcome, let whole else { return false }
            return comparison.difference(whole, response) == nil
        }
        return [
            Expectation(variant: "unauthorized") { outcome, _ in (try? outcome.get())?.head.status == 401 },
            Expectation(variant: "serverError") { outcome, _ in (try? outcome.get())?.head.status == 500 },
            Expectation(variant: "timeout") { outcome, _ in isFailure(outcome, .timedOut(received: 0)) },
            Expectation(variant: "offline") { outcome, _ in isFailure(outcome, .reset(received: 0)) },
            Expectation(variant: "loading") { outcome, elapsed in
                isRecorded(outcome) && elapsed >= .milliseconds(750)
            },
            Expectation(variant: "default") { outcome, _ in isRecorded(outcome) },
        ]
    }

    private func isFailure(_ outcome: Result<WireResponse, WireError>, _ expected: WireError) -> Bool {
        guard case .failure(let error) = outcome else { return false }
        return error == expected
    }

    private func limit(_ variant: String) -> Duration {
        variant == "timeout" ? DemoStory.patience : .seconds(10)
    }

    private func choose(_ variant: String, _ deck: Deck) async throws(DemoFailure) {
        do throws(TapedeckError) {
            try await DeckControl(deck.controlURL ?? "").choose(variant: variant, ofRoute: "projects")
        } catch {
            throw DemoFailure(variant, error.description)
        }
    }

    /// What an app would log.
    private func words(_ outcome: Result<WireResponse, WireError>) -> String {
        switch outcome {
        case .failure(let error):
            return error.description
        case .success(let response):
            let reason = String(decoding: response.head.reason, as: UTF8.self)
            return "\(response.head.status) \(reason), " + DemoPage.summary(of: response)
        }
    }
}
