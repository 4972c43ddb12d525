/// A named choice of one variant per route.
package struct Scenario: Sendable, Equatable {
    package var name: String
    /// The variant of every request, routed or not, but those of routes marked `"auth"` (`*`); nil for `default`.
    package var star: String?
    /// The variants of routes, by the route's name; they win over `star`.
    package var entries: [String: String]

    package init(name: String, star: String? = nil, entries: [String: String] = [:]) {
        self.name = name
        self.star = star
        self.entries = entries
    }
}
