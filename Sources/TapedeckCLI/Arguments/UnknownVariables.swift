import DeckRules

/// Environment variables that look like this program's and are not: a slip of the pen would else pass in silence.
enum UnknownVariables {
    /// Variables that belong to no option: those that are handed to a command, and those of the program's own tests.
    private static let others: Set<String> = [
        "TAPEDECK_URL", "TAPEDECK_CONTROL_URL", "TAPEDECK_CA_FILE", "TAPEDECK_REPLAY_ONLY", "TAPEDECK_POLLER",
        "TAPEDECK_UPDATE_GOLDEN", "TAPEDECK_KILLS", "TAPEDECK_RUNS",
    ]

    private static let known: Set<String> = others.union(
        Commands.all.flatMap { $0.options.compactMap(\.variable) })

    /// A sentence for each, by name.
    static func warnings(in variables: [String: String]) -> [String] {
        variables.keys.filter { name in
            name.hasPrefix("TAPEDECK_") && !known.contains(name) && !name.hasPrefix("TAPEDECK_URL_")
        }.sorted().map { name in
            let nearest = nearestName(to: name, among: known.sorted())
            return "the variable \(name) is set, but means nothing" + (nearest.map { ": did you mean \($0)?" } ?? "")
        }
    }
}
