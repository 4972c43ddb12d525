import HTTPCore
import SystemIO

/// What `GET /metrics` tells: exchanges by route, outcome and fault, and how long they took.
///
/// Any thread may count, under the lock; nothing is ever taken back.
final class Metrics: Sendable {
    /// Upper bounds of the histogram's buckets, in seconds.
    static let bounds = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

    private struct Labels: Hashable {
        var route: String
        var outcome: String
        /// The variant that broke the exchange; empty where none did.
        var fault: String
    }

    private struct State {
        var exchanges: [Labels: Int] = [:]
        /// One for each bound, not cumulated, and the last for longer ones.
        var buckets = Array(repeating: 0, count: Metrics.bounds.count + 1)
        var seconds = 0.0
    }

    private let state = Locked(State())

    func count(_ entry: JournalEntry) {
        let isFault = entry.outcome == .fault
        let labels = Labels(
            route: entry.route ?? "", outcome: entry.outcome.word, fault: isFault ? entry.variant ?? "default" : "")
        let (whole, rest) = entry.duration.components
        let seconds = Double(whole) + Double(rest) / 1e18
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.exchanges[labels, default: 0] += 1
            state.buckets[bucket] += 1
            state.seconds += seconds
        }
    }

    /// The figures in Prometheus' text format, version 0.0.4.
    ///
    /// - Parameters:
    ///   - connections: connections opened to upstreams.
    ///   - lookUps: names looked up for them.
    func text(connections: Int, lookUps: Int) -> Bytes {
        let state = state.withLock { $0 }
        var lines = heading("tapedeck_exchanges_total", "counter", "Exchanges by route, outcome and fault.")
        let series = state.exchanges.map { labels, count in
            #"tapedeck_exchanges_total{route="\#(escaped(labels.route))",outcome="\#(labels.outcome)","#
                + #"fault="\#(escaped(labels.fault))"} \#(count)"#
        }
        lines += series.sorted()
        lines += heading(
            "tapedeck_exchange_seconds", "histogram", "Time from the request's first octet to the end of the answer.")
        var total = 0
        for (index, count) in state.buckets.enumerated() {
            total += count
            let bound = index < Self.bounds.count ? "\(Self.bounds[index])" : "+Inf"
            lines.append(#"tapedeck_exchange_seconds_bucket{le="\#(bound)"} \#(total)"#)
        }
        lines += ["tapedeck_exchange_seconds_sum \(state.seconds)", "tapedeck_exchange_seconds_count \(total)"]
        lines += heading("tapedeck_upstream_connections_total", "counter", "Connections opened to upstreams.")
        lines.append("tapedeck_upstream_connections_total \(connections)")
        lines += heading("tapedeck_upstream_lookups_total", "counter", "Names looked up for upstreams.")
        lines.append("tapedeck_upstream_lookups_total \(lookUps)")
        return Bytes((lines.joined(separator: "\n") + "\n").utf8)
    }

    private func heading(_ name: String, _ type: String, _ help: String) -> [String] {
        ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"]
    }

    private func escaped(_ label: String) -> String {
        label.unicodeScalars.map { $0 == "\\" ? "\\\\" : $0 == "\"" ? "\\\"" : $0 == "\n" ? "\\n" : String($0) }
            .joined()
    }
}
