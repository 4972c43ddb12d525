import ControlAPI
import TapedeckClient
import TapedeckTesting
import Testing

/// The trait for Swift Testing, against the built program.
@Suite struct DeckTraitTests {
    @Test(.deck("replay", "--fault", "GET /hello=serverError", program: Program.tapedeck))
    func aTestHasItsOwnDeck() async throws {
        let deck = try #require(DeckTrait.current)
        #expect(try await deck.control.health().mode == .replay)
    }

    @Test func outsideOfTheTraitThereIsNone() {
        #expect(DeckTrait.current == nil)
    }

    @Test func whatTheVerdictFindsIsAnIssueOfTheTest() async throws {
        let trait = DeckTrait.deck("replay", "--strict", "--fault", "GET /never=serverError", program: Program.tapedeck)
        let test = try #require(Test.current)
        try await withKnownIssue {
            try await trait.provideScope(for: test, testCase: Test.Case.current) {}
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("/never") }
        }
    }
}
