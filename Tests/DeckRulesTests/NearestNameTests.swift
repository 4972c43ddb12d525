import Testing

@testable import DeckRules

@Suite struct NearestNameTests {
    @Test(
        arguments: [
            ("timeuot", "timeout"), ("Timeout", "timeout"), ("unauthorised", "unauthorized"), ("slwo", "slow"),
            ("xyz", nil),
            ("", nil), ("serverErr", "serverError"),
        ] as [(String, String?)]) func findsWhatWasMeant(_ name: String, _ expected: String?)
    {
        #expect(nearestName(to: name, among: builtInVariants.keys) == expected)
    }

    @Test func listsWhatThereIsWhereNothingIsNear() {
        #expect(suggestion(for: "zzz", among: ["b", "a"]) == "known are `a`, `b`")
        #expect(suggestion(for: "zzz", among: []) == "there is none yet")
        #expect(suggestion(for: "zzz", among: (0..<30).map { "n\($0)" }).hasSuffix("and 6 more"))
    }
}
