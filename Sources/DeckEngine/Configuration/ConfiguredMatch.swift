/// Which parts of requests must be equal, as a configuration says it for all routes or for one.
package struct ConfiguredMatch: Sendable, Equatable {
    /// What a body counts as.
    package enum Body: String, CaseIterable, Sendable { case exact, canonical, ignore }
    /// What a GraphQL request counts as.
    package enum GraphQL: String, CaseIterable, Sendable { case exact, operation, hash }

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
