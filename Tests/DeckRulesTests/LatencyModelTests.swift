import Testing

@testable import DeckRules

@Suite struct LatencyModelTests {
    @Test func readsWhatFlagsSay() {
        #expect(LatencyModel.parse("none") == LatencyModel.none)
        #expect(LatencyModel.parse("recorded") == .recorded(speed: 1))
        #expect(LatencyModel.parse("300ms") == .fixed(.milliseconds(300)))
        #expect(LatencyModel.parse("fast") == nil)
    }

    @Test func delaysWithoutChanceAreWhatTheySay() {
        let random = RandomMix(seed: 1)
        #expect(LatencyModel.none.delay(random) == .none)
        #expect(LatencyModel.fixed(.seconds(3)).delay(random) == .fixed(.seconds(3)))
        #expect(LatencyModel.fixed(.zero).delay(random) == .none)
        #expect(LatencyModel.recorded(speed: 2).delay(random) == .recorded(speed: 2))
    }

    @Test func uniformFillsItsRangeEvenly() {
        let delays = sample(.uniform(min: .milliseconds(100), max: .milliseconds(300)))
        #expect(delays.allSatisfy { $0 >= .milliseconds(100) && $0 <= .milliseconds(300) })
        #expect(abs(quantile(delays, 0.5) - 200) < 5)
        #expect(abs(quantile(delays, 0.1) - 120) < 5)
        #expect(abs(quantile(delays, 0.9) - 280) < 5)
    }

    @Test func lognormalHasItsMedianAndItsTail() {
        let delays = sample(.lognormal(median: .milliseconds(80), p99: .milliseconds(900)))
        #expect(abs(quantile(delays, 0.5) - 80) < 4)
        #expect(abs(quantile(delays, 0.99) - 900) < 120)
    }

    @Test func aLognormalWithoutSpreadIsItsMedian() {
        let delays = sample(.lognormal(median: .milliseconds(80), p99: .milliseconds(80)))
        #expect(Set(delays) == [.milliseconds(80)])
    }

    private func sample(_ model: LatencyModel) -> [Duration] {
        (1...5_000).compactMap { ordinal in
            let random = RandomMix(seed: 7).adding("s").adding("r").adding(.none, ordinal: ordinal)
            if case .fixed(let time) = model.delay(random) { return time } else { return nil }
        }.sorted()
    }

    private func quantile(_ sorted: [Duration], _ fraction: Double) -> Double {
        Double(sorted[Int(Double(sorted.count) * fraction)].nanoseconds) / 1_000_000
    }
}

@Suite struct BandwidthTests {
    @Test func presetsGetFaster() {
        let rates = Bandwidth.presets.map(\.bandwidth.bytesPerSecond)
        #expect(rates == rates.sorted())
        #expect(Set(Bandwidth.presets.map(\.name)) == ["gprs", "edge", "3g", "lte", "wifi"])
    }

    @Test func findsPresetsByName() {
        #expect(Bandwidth.named("edge") == Bandwidth(bytesPerSecond: 30_000))
        #expect(Bandwidth.named("EDGE") == nil)
    }
}
