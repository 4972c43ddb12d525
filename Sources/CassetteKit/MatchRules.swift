/// Which parts of a request must be equal, beyond method, host, port and path.
package struct MatchRules: Sendable, Hashable {
    package enum Body: String, Sendable, Hashable, CaseIterable {
        /// Octet for octet, after content decoding.
        case exact
        /// By media type: JSON by value, form fields and parts as such, GraphQL with white space folded.
        case canonical
        case ignore
    }

    package enum GraphQL: String, Sendable, Hashable, CaseIterable {
        /// Operation name, variables and query text.
        case exact
        /// Operation name and variables.
        case operation
        /// Operation name, variables and the persisted query's hash.
        case hash
    }

    /// Names of query items that do not count.
    package var ignoreQuery: [String]
    /// JSON pointers, with `*` for any member or element, to what does not count; `/name` for a form field too.
    package var ignoreBody: [String]
    /// Names of fields that count.
    package var headers: [String]
    package var body: Body
    package var graphQL: GraphQL
    /// Larger bodies count by their octets, whatever they are.
    package var maxBody: Int

    package init(
        ignoreQuery: [String] = [], ignoreBody: [String] = [], headers: [String] = [], body: Body = .canonical,
        graphQL: GraphQL = .exact, maxBody: Int = 1 << 20
    ) {
        self.ignoreQuery = ignoreQuery
        self.ignoreBody = ignoreBody
        self.headers = headers
        self.body = body
        self.graphQL = graphQL
        self.maxBody = maxBody
    }
}
