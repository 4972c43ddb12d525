package import CassetteKit
import Dispatch
import SystemIO

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

        /// Adds an interaction that answers so many requests.
        mutating func append(_ interaction: Int, _ repeats: Int, after writes: Int) {
            steps.append((interaction, count + repeats))
            after.append(writes)
        }

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
        for (index, key) in try Self.keys(of: interactions, keys).enumerated() {
            let interaction = interactions[index]
            sequences[key, default: Sequence()].append(
                index, max(1, interaction.repeats), after: interaction.after ?? 0)
        }
    }

    /// How many interactions one piece of work keys.
    private static let batch = 256

    /// The keys in the order of the interactions, computed on as many threads as there are cores.
    private static func keys(
        of interactions: [Interaction], _ keys: KeyRules
    ) throws(FormatError) -> [MatchKey] {
        let batches = (interactions.count + batch - 1) / batch
        let results = Locked<[Int: Result<[MatchKey], FormatError>]>([:])
        DispatchQueue.concurrentPerform(iterations: batches) { number in
            let part = interactions[number * batch..<min(interactions.count, (number + 1) * batch)]
            let result: Result<[MatchKey], FormatError>
            do throws(FormatError) {
                var found: [MatchKey] = []
                found.reserveCapacity(part.count)
                for interaction in part { found.append(try keys.key(of: interaction)) }
                result = .success(found)
            } catch {
                result = .failure(error)
            }
            results.withLock { $0[number] = result }
        }
        let computed = results.withLock { $0 }
        var all: [MatchKey] = []
        all.reserveCapacity(interactions.count)
        for number in 0..<batches { all += try computed[number]?.get() ?? [] }
        return all
    }

    package var isEmpty: Bool { interactions.isEmpty }

    /// The answers recorded for a key; one probe.
    package func sequence(for key: MatchKey) -> Sequence? { sequences[key] }
}
