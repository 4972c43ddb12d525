import TapedeckCLI
import Testing

@Suite struct NearestNameTests {
    private let names = ["listen", "control", "control-token", "ls", "upstream", "upstream-ca", "quiet"]

    @Test(arguments: [
        ("lisetn", "listen"), ("Listen", "listen"), ("upstraem", "upstream"), ("controll", "control"), ("sl", "ls"),
        ("contr", "control"), ("control-tokn", "control-token"), ("quite", "quiet"),
    ])
    func findsWhatWasMeant(typed: String, expected: String) {
        #expect(nearestName(to: typed, among: names) == expected)
    }

    @Test(arguments: ["", "x", "json", "somethingelse"])
    func suggestsNothingFarOff(typed: String) {
        #expect(nearestName(to: typed, among: names) == nil)
    }
}
