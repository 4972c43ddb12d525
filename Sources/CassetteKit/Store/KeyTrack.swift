/// What the recorder knows of one match key: the answers that were there, and those of this run.
struct KeyTrack: Sendable {
    /// An interaction that was there when the recording began.
    struct Existing: Sendable {
        var interaction: Interaction
        /// Its stable digest, once somebody needed it.
        var digest: StableDigest.Value?
    }

    /// An answer of this run.
    enum Answer: Sendable {
        case pending
        case abandoned
        /// Its index in `contents`.
        case stored(Int)
    }

    /// What an answer holds, and a file that holds it too.
    struct Content: Sendable {
        var digest: StableDigest.Value
        var file: String
    }

    /// What the names of this key have in common: the part for people and the digits.
    var family: String
    /// By ordinal, then name.
    var existing: [Existing] = []
    /// In order of arrival.
    var answers: [Answer] = []
    var contents: [Content] = []
    /// Interactions written in this run by name, each with the names of its bodies' files.
    var written: [String: [String]] = [:]
    /// The highest ordinal that is taken, counting what repeats stand for.
    var lastOrdinal = 0

    init(family: String) {
        self.family = family
    }

    mutating func add(existing interaction: Interaction) {
        existing.append(Existing(interaction: interaction))
        lastOrdinal = max(lastOrdinal, interaction.ordinal + interaction.repeats - 1)
    }

    /// The existing interaction that stands for the answer at an index of the run, and whether for that one alone.
    func slot(_ index: Int) -> (position: Int, isAlone: Bool)? {
        var first = 0
        for position in existing.indices {
            let repeats = existing[position].interaction.repeats
            if index < first + repeats { return (position, repeats == 1) }
            first += repeats
        }
        return nil
    }

    /// The content of the nearest answer before an index that is stored already.
    func stored(before index: Int) -> Int? {
        var index = index
        while index > 0 {
            index -= 1
            if case .stored(let content) = answers[index] { return content }
        }
        return nil
    }

    /// The run's answers with equal neighbors put together.
    var groups: [(content: Content, count: Int)] {
        var groups: [(content: Content, count: Int)] = []
        for answer in answers {
            guard case .stored(let index) = answer else { continue }
            if let last = groups.last, last.content.digest == contents[index].digest {
                groups[groups.count - 1].count += 1
            } else {
                groups.append((contents[index], 1))
            }
        }
        return groups
    }
}
