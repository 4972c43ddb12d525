package import DeckRules

/// How far a session has come in the answers to equal requests.
package struct Cursor: Sendable {
    /// What a request gets.
    package enum Step: Sendable, Equatable {
        /// The interaction, and whether it answered more often than it was recorded.
        case play(Int, again: Bool)
        /// The policy is `error` and the order is used up.
        case usedUp(times: Int)
    }

    /// A place that was taken, to give it back.
    package struct Place: Sendable, Equatable {
        /// The request's number among equal ones, from 0.
        var number: Int
        /// The round of a policy that follows writes, else 0.
        var round: Int
    }

    /// Requests taken so far.
    package private(set) var taken = 0
    /// Numbers below `taken` that were given back, ascending: the next requests get them first.
    private var returned: [Int] = []
    /// The writes that the answers of this round were recorded after.
    private var round = 0

    package init() {}

    /// Takes the next answer of the sequence.
    ///
    /// - Parameter writes: how many writes the session has made; only `followWrites` asks.
    package mutating func take(
        _ sequence: ReplayIndex.Sequence, _ policy: PlaybackPolicy, writes: Int = 0
    ) -> (step: Step, place: Place) {
        let sequence = policy == .followWrites ? turn(to: writes, in: sequence) : sequence
        let n = returned.isEmpty ? taken : returned.removeFirst()
        if n == taken { taken += 1 }
        return (step(n, sequence, policy), Place(number: n, round: round))
    }

    private mutating func step(_ n: Int, _ sequence: ReplayIndex.Sequence, _ policy: PlaybackPolicy) -> Step {
        if let index = sequence.interaction(at: n) { return .play(index, again: false) }
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
    package func peek(_ sequence: ReplayIndex.Sequence, _ policy: PlaybackPolicy = .repeatLast, writes: Int = 0) -> Int?
    {
        var copy = self
        if case .play(let index, _) = copy.take(sequence, policy, writes: writes).step { return index }
        return sequence.steps.last?.interaction
    }

    /// Gives an answer back, for a client that left before it saw an octet: the next request gets it.
    package mutating func giveBack(_ place: Place) {
        guard place.round == round, place.number < taken, !returned.contains(place.number) else { return }
        returned.insert(place.number, at: returned.firstIndex { $0 > place.number } ?? returned.count)
        while let last = returned.last, last == taken - 1 {
            returned.removeLast()
            taken -= 1
        }
    }

    /// The answers that were recorded after as many writes, or after the next fewer; before all, the first ones.
    private mutating func turn(to writes: Int, in sequence: ReplayIndex.Sequence) -> ReplayIndex.Sequence {
        let chosen = sequence.after.filter { $0 <= writes }.max() ?? sequence.after.min() ?? 0
        if chosen != round {
            round = chosen
            taken = 0
            returned = []
        }
        var part = ReplayIndex.Sequence()
        var before = 0
        for (step, after) in zip(sequence.steps, sequence.after) {
            let count = step.until - before
            before = step.until
            guard after == chosen else { continue }
            part.steps.append((step.interaction, part.count + count))
            part.after.append(after)
        }
        return part
    }
}
