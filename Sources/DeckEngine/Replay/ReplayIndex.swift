package import CassetteKit
package import DeckRules

/// All interactions of a cassette by match key, in recorded order; immutable and shared by all sessions.
package struct ReplayIndex: Sendable {
    /// The answers to equal requests, in order.
    package struct Sequence: Sendable {
        /// Indices of interactions, each with the number of requests that it and all before it answer.
        var steps: [(interaction: Int, until: Int)] = []

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
    private var sequences: [MatchKey: Sequence] = [:]

    /// Nothing to play.
    package init() { interactions = [] }

    /// - Parameter interactions: ascending by ordinal, then by name, as the reader gives them.
    /// - Throws: `FormatError` if a request's body that lies beside can't be read.
    package init(_ interactions: [Interaction], keys: KeyRules) throws(FormatError) {
        self.interactions = interactions
        sequences.reserveCapacity(interactions.count)
        for (index, interaction) in interactions.enumerated() {
            let key = try keys.key(of: interaction.request)
            let until = sequences[key, default: Sequence()].count + max(1, interaction.repeats)
            sequences[key, default: Sequence()].steps.append((index, until))
        }
    }

    package var isEmpty: Bool { interactions.isEmpty }

    /// The answers recorded for a key; one probe.
    package func sequence(for key: MatchKey) -> Sequence? { sequences[key] }
}

/// How far a session has come in the answers to equal requests.
package struct Cursor: Sendable {
    /// Requests taken so far.
    package private(set) var taken = 0

    /// What a request gets.
    package enum Step: Sendable, Equatable {
        /// The interaction, and whether it answered more often than it was recorded.
        case play(Int, again: Bool)
        /// The policy is `error` and the order is used up.
        case usedUp(times: Int)
    }

    /// Takes the next answer of the sequence.
    package mutating func take(_ sequence: ReplayIndex.Sequence, _ policy: PlaybackPolicy) -> Step {
        let n = taken
        taken += 1
        if let i = sequence.interaction(at: n) { return .play(i, again: false) }
        switch policy {
        case .repeatLast, .followWrites:
            return .play(sequence.steps[sequence.steps.count - 1].interaction, again: true)
        case .loop:
            return .play(sequence.interaction(at: n % sequence.count) ?? 0, again: true)
        case .error:
            taken -= 1
            return .usedUp(times: n)
        }
    }

    /// The answer that the next request would get, without taking it.
    package func peek(_ sequence: ReplayIndex.Sequence) -> Int? {
        sequence.interaction(at: taken) ?? sequence.steps.last?.interaction
    }

    /// Gives the last answer back, for a client that left before it saw an octet.
    package mutating func giveBack() { taken = max(0, taken - 1) }
}
