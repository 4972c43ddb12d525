/// What the demo's backend hands out and must never be found in a cassette: new in every run.
struct DemoSecrets: Sendable, Equatable {
    let password: String
    let accessToken: String
    let refreshToken: String
    let sessionID: String

    /// - Parameter seed: another seed gives other secrets.
    init(seed: UInt64) {
        var state = seed
        password = DemoSecrets.text(of: 14, &state)
        accessToken = DemoSecrets.text(of: 43, &state)
        refreshToken = DemoSecrets.text(of: 32, &state)
        sessionID = DemoSecrets.text(of: 26, &state)
    }

    var all: [String] { [password, accessToken, refreshToken, sessionID] }

    /// Letters and digits from the SplitMix64 sequence (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
    /// Generators, 2014).
    private static func text(of count: Int, _ state: inout UInt64) -> String {
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789")
        return String(
            (0..<count).map { _ in
                state &+= 0x9E37_79B9_7F4A_7C15
                var mixed = state
                mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
                mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
                return alphabet[Int((mixed ^ (mixed >> 31)) % UInt64(alphabet.count))]
            })
    }
}
