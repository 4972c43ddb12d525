import CassetteKit

/// Picks interactions by the names that a listing shows.
enum NameSelection {
    /// All interactions whose name is, or begins with, one of the names, in the cassette's order; all without names.
    ///
    /// - Throws: `UsageError` for a name that fits none.
    static func pick(_ names: [String], from interactions: [Interaction]) throws(UsageError) -> [Interaction] {
        var picked = Set<String>()
        for name in names {
            let exact = interactions.filter { $0.name == name || $0.name == name + ".json" }
            let fitting = exact.isEmpty ? interactions.filter { $0.name.hasPrefix(name) } : exact
            if fitting.isEmpty {
                throw UsageError(
                    "no interaction's name is, or begins with, \"\(name)\"", advice: "tapedeck ls shows the names")
            }
            picked.formUnion(fitting.map(\.name))
        }
        return names.isEmpty ? interactions : interactions.filter { picked.contains($0.name) }
    }
}
