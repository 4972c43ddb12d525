/// How long an answer is held back before its first byte.
package enum LatencyModel: Sendable, Equatable {
    /// As fast as it goes.
    case none
    /// The same time for every answer.
    case fixed(Duration)
    /// The times measured while recording, to the first byte and between chunks, divided by `speed` (above 0; 2 is twice as
    /// fast).
    case recorded(speed: Double)
    /// Evenly spread over a closed range.
    case uniform(min: Duration, max: Duration)
    /// Long-tailed as real networks are: half of the answers take at most `median`, 99 of 100 at most `p99`.
    case lognormal(median: Duration, p99: Duration)

    /// Reads what flags and configurations write as one word: `none`, `recorded`, or a time as ``parseDuration(_:)`` takes it.
    package static func parse(_ text: String) -> LatencyModel? {
        switch text {
        case "none": LatencyModel.none
        case "recorded": .recorded(speed: 1)
        default: parseDuration(text).map { .fixed($0) }
        }
    }

    /// The model in a few words: `none`, `recorded`, `recorded, 2.0 times as fast`, `750ms`, `50ms to 2s`.
    package var words: String {
        switch self {
        case .none: "none"
        case .fixed(let time): durationText(time)
        case .recorded(let speed): speed == 1 ? "recorded" : "recorded, \(speed) times as fast"
        case .uniform(let min, let max): "\(durationText(min)) to \(durationText(max))"
        case .lognormal(let median, let p99):
            "half within \(durationText(median)), 99 of 100 within \(durationText(p99))"
        }
    }

    /// Tells whether the delay differs from exchange to exchange, so that a match key is needed to choose it.
    package var isRandom: Bool {
        switch self {
        case .uniform, .lognormal: true
        case .none, .fixed, .recorded: false
        }
    }

    /// Chooses the delay of one exchange.
    ///
    /// - Parameter random: the exchange's own mix; read for the random models only.
    package func delay(_ random: @autoclosure () -> RandomMix) -> Delay {
        switch self {
        case .none: return .none
        case .fixed(let time): return time > .zero ? .fixed(time) : .none
        case .recorded(let speed): return .recorded(speed: speed)
        case .uniform(let min, let max):
            return .fixed(min + (max - min).scaled(by: random().fraction(.latency)))
        case .lognormal(let median, let p99):
            return .fixed(lognormalDelay(median: median, p99: p99, fraction: random().fraction(.latency)))
        }
    }
}

/// The delay of one exchange, all chance taken out.
package enum Delay: Sendable, Equatable {
    case none
    /// Wait this long before the first byte.
    case fixed(Duration)
    /// Follow the interaction's measured times, divided by `speed`; none where nothing was measured.
    case recorded(speed: Double)
}

/// The value that a fraction (0..<1) of a lognormal distribution's answers stays below.
///
/// ln X is normal with mean ln(median); its deviation follows from the 99th percentile, which lies 2.326… deviations above.
private func lognormalDelay(median: Duration, p99: Duration, fraction: Double) -> Duration {
    let middle = Double(median.nanoseconds)
    guard middle > 0, p99 > median else { return median }
    let deviation = naturalLogarithm(Double(p99.nanoseconds) / middle) / normalQuantile(0.99)
    return median.scaled(by: exponential(deviation * normalQuantile(fraction)))
}
