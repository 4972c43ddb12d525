import Testing

@testable import DeckRules

@Suite struct RandomMixTests {
    /// Fixed for ever: a change here changes what every seed means.
    @Test func givesTheSameBitsForEver() {
        let random = RandomMix(seed: 42).adding("checkout").adding("items")
            .adding(ExchangeKey(high: 1, low: 2), ordinal: 3)
        #expect(random.bits(.probability) == 10_240_648_781_155_221_362)
        #expect(random.bits(.latency) == 12_935_228_741_526_679_357)
    }

    @Test func everyPartOfTheIdentityCounts() {
        let key = ExchangeKey(high: 1, low: 2)
        func mix(_ seed: UInt64, _ session: String, _ route: String, _ key: ExchangeKey, _ ordinal: Int) -> UInt64 {
            RandomMix(seed: seed).adding(session).adding(route).adding(key, ordinal: ordinal).bits(.latency)
        }
        let all = [
            mix(1, "a", "b", key, 1), mix(2, "a", "b", key, 1), mix(1, "b", "b", key, 1), mix(1, "a", "a", key, 1),
            mix(1, "b", "a", key, 1), mix(1, "a", "b", ExchangeKey(high: 2, low: 1), 1), mix(1, "a", "b", key, 2),
        ]
        #expect(Set(all).count == all.count)
    }

    @Test func fractionsAreEven() {
        var buckets = [Int](repeating: 0, count: 10)
        for ordinal in 1...10_000 {
            buckets[Int(RandomMix(seed: 3).adding(.none, ordinal: ordinal).fraction(.probability) * 10)] += 1
        }
        #expect(buckets.allSatisfy { abs($0 - 1_000) < 120 })
    }
}
