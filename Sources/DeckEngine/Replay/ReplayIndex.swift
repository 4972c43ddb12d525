package import CassetteKit

/// All interactions of a cassette by match key, in recorded order; immutable and shared by all sessions.
package struct ReplayIndex: Sendable {
    /// The answers to equal requests, in order.
    package struct Sequence: Sendable {
        /// Indices of interactions, each with the number of requests that it and all before it answer.
        var steps: [(interaction: Int, until: Int)] = []
        /// Of each step, the writes that came before it in its recording.
        var after: [Int] = []

        /// How many requests the recorded order answers.
        var count: Int { steps.last?.until ?? 0 }

        /// The interaction of the `n`th equal request, from 0, within the recorded order.
        func interaction(at n: Int) -> Int? {
            if steps.count == 1 { return n < steps[0].until ? steps[0].interaction : nil }
            var low = 0
            var high = steps.count
            while low < high {
                let middle = (low + high) / 2
                if steps[middle].until > n { high = middle } else { low = middle + 1 }
            }
            return low < steps.count ? steps[low].interaction : nil
        }
    }

    package let interactions: [Interaction]
    /// Whether requests that change something were recorded without counting them for those that follow.
    var lacksWriteCounts: Bool {
        interactions.contains { $0.after == nil }
            && interactions.contains { ["POST", "PUT", "PATCH", "DELETE"].contains($0.request.method) }
    }

    private var sequences: [MatchKey: Sequence] = [:]

    /// Nothing to play.
    package init() { interactions = [] }

    /// - Parameter interactions: ascending by ordinal, then by name, as the reader gives them.
    /// - Throws: `FormatError` if a request's body that lies beside can't be read.
    package init(_ interactions: [Interaction], keys: KeyRules) throws(FormatError) {
        self.interactions = interactions
        sequences.reserveCapacity(interactions.count)
        for (index, interaction) in interactions.enumerated() {
            let key = try keys.key(of: interaction)
            let until = sequences[key, default: Sequence()].count + max(1, interaction.repeats)
            sequences[key, default: Sequence()].steps.append((index, until))
            sequences[key, default: Sequence()].after.append(interaction.after ?? 0)
        }
    }

    package var isEmpty: Bool { interactions.isEmpty }

    /// The answers recorded for a key; one probe.
    package func sequence(for key: MatchKey) -> Sequence? { sequences[key] }
}
