/// The exchanges of a run on which something other than `default` acted, given back so that they act again and nothing else
/// does.
///
/// An exchange is named by what it is, not by when it came: its session, route and match key, and its number among the equal
/// requests of its session. So a plan holds in every interleaving.
package struct ExactPlan: Sendable {
    /// Names one exchange of a run.
    package struct Place: Sendable, Hashable {
        package var session: String
        /// Nil for requests that no route takes.
        package var route: String?
        package var key: ExchangeKey
        /// From 1, among the exchanges of the session with this key.
        package var ordinal: Int

        package init(session: String, route: String?, key: ExchangeKey, ordinal: Int) {
            self.session = session
            self.route = route
            self.key = key
            self.ordinal = ordinal
        }
    }

    /// The variant that acts, by the exchange; nothing acts on the others.
    package var variants: [Place: String]

    package init(_ variants: [Place: String] = [:]) {
        self.variants = variants
    }
}
