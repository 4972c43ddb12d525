package import CassetteKit

/// Which parts of requests must be equal, as a configuration says it for all routes or for one.
package struct ConfiguredMatch: Sendable, Equatable {
    package typealias Body = MatchRules.Body
    package typealias GraphQL = MatchRules.GraphQL

    /// Names of query items that count as absent.
    package var ignoreQuery: [String] = []
    /// JSON pointers, `*` for any, to values of the body that count as absent.
    package var ignoreBody: [String] = []
    /// Names of header fields that take part.
    package var headers: [String] = []
    /// Nil for the configuration's, or the built-in `canonical`.
    package var body: Body?
    /// Nil for the configuration's, or the built-in `exact`.
    package var graphql: GraphQL?

    package init() {}

    /// Whether it says nothing.
    package var isEmpty: Bool { self == ConfiguredMatch() }
}
