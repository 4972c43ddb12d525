import CassetteKit
import DeckRules

extension ConfigurationReader {
    /// A latency: a word or a time, or an object for the models that take numbers.
    mutating func readLatency(_ node: Node) -> LatencyModel? {
        if let text = node.value.text {
            if let model = LatencyModel.parse(text) { return model }
            report(node.path, "`\(text)` is no latency", advice: "write none, recorded or a time as \"750ms\"")
            return nil
        }
        let members = object(node, known: ["recorded", "uniform", "lognormal"])
        guard members.count == 1, let (name, model) = members.first else {
            if node.value.members != nil {
                report(
                    node.path, "a latency has one model",
                    advice: "write one as {\"uniform\": {\"min\": \"100ms\", \"max\": \"300ms\"}}")
            }
            return nil
        }
        switch name {
        case "recorded": return readRecorded(model)
        case "uniform": return readRange(model, "min", "max").map { .uniform(min: $0, max: $1) }
        default: return readLognormal(model)
        }
    }

    private mutating func readRecorded(_ node: Node) -> LatencyModel? {
        let members = object(node, known: ["speed"])
        guard let speed = members["speed"] else { return .recorded(speed: 1) }
        return number(speed, above: 0, to: 1_000_000).map { .recorded(speed: $0) }
    }

    private mutating func readLognormal(_ node: Node) -> LatencyModel? {
        guard let (median, p99) = readRange(node, "median", "p99") else { return nil }
        if median == .zero {
            report(node.path, "the median of a lognormal latency is above 0", advice: "write one as \"80ms\"")
            return nil
        }
        return .lognormal(median: median, p99: p99)
    }

    /// Two times of which the second is not the smaller one.
    private mutating func readRange(_ node: Node, _ low: String, _ high: String) -> (Duration, Duration)? {
        let members = object(node, known: [low, high])
        guard let first = members[low], let second = members[high] else {
            if node.value.members != nil { report(node.path, "`\(low)` and `\(high)` are both needed") }
            return nil
        }
        guard let least = duration(first), let most = duration(second) else { return nil }
        if most < least {
            report(second.path, "`\(high)` is less than `\(low)`", advice: "swap them")
            return nil
        }
        return (least, most)
    }

    /// A clock: a word or a time, or an object that names the places of times, too.
    mutating func readClock(_ node: Node, into configuration: inout Configuration) {
        if node.value.text != nil {
            configuration.clock = reading(node, as: "a clock", ClockChoice.parse) ?? .recorded
            return
        }
        let members = object(node, known: ["at", "json"])
        configuration.clock = members["at"].flatMap { reading($0, as: "a clock", ClockChoice.parse) } ?? .recorded
        configuration.clockPointers = members["json"].map { readPointers($0) } ?? []
    }

    /// A rate: octets per second, or a preset's name.
    mutating func readBandwidth(_ node: Node) -> Bandwidth? {
        if let text = node.value.text {
            if let preset = Bandwidth.named(text) { return preset }
            report(
                node.path, "`\(text)` is no bandwidth",
                advice: suggestion(for: text, among: Bandwidth.presets.map(\.name)))
            return nil
        }
        return integer(node, in: 1...Int.max).map { Bandwidth(bytesPerSecond: $0) }
    }
}
