package import CassetteKit

/// What a configuration says about hiding secrets.
package struct ConfiguredSanitizing: Sendable, Equatable {
    /// A rule of the user's own: whatever it names is hidden under its id. Under the id of a built-in rule it changes that one.
    package struct Rule: Sendable, Equatable {
        package var id: String
        /// Names of header fields whose values are hidden.
        package var headers: [String] = []
        /// Names of query items.
        package var query: [String] = []
        /// Names of form fields.
        package var form: [String] = []
        /// Names wherever they stand: fields, query, forms, JSON members, text.
        package var names: [String] = []
        /// Names of cookies, both ways.
        package var cookies: [String] = []
        /// JSON pointers, `*` for any, to values of bodies.
        package var json: [String] = []
        /// Path templates whose parameters are hidden, as `/users/{id}/cards`.
        package var path: [String] = []
        /// Regular expressions over values.
        package var patterns: [OctetPattern] = []
        /// Nil where nothing is said.
        package var action: SanitizerRule.Action?
        /// Names that a built-in rule leaves alone.
        package var except: [String] = []

        /// Whether a built-in rule has this id.
        package var isBuiltIn: Bool { (SanitizerRule.defaults + SanitizerRule.optional).contains { $0.id == id } }

        package init(id: String) {
            self.id = id
        }
    }

    package var rules: [Rule] = []
    /// Ids of optional built-in rules that hold.
    package var on: [String] = []
    /// Ids of built-in rules that do not hold.
    package var off: [String] = []
    /// Names of environment variables whose values are secret.
    package var secretsFrom: [String] = []
    /// A file with one secret a line, relative to the configuration's folder; nil for none.
    package var secretsFile: String?
    /// Secrets written into the configuration itself.
    package var literals: [String] = []
    /// Path templates whose parameters are secret, as `/users/{id}/cards`.
    package var pathSegments: [String] = []
    /// Fields beside which the values of all others are hidden; nil for no such rule.
    package var keepOnlyHeaders: [String]?
    /// Pointers to what is kept of JSON bodies while all else is hidden; nil for no such rule.
    package var keepOnlyJSON: [String]?

    package init() {}

    /// The ids of the user's own rules, in their order; not of what only changes a built-in one.
    package var ownIDs: [String] {
        rules.filter { !$0.isBuiltIn }.map(\.id) + (pathSegments.isEmpty ? [] : ["pathSegments"])
            + (keepOnlyHeaders == nil && keepOnlyJSON == nil ? [] : ["keepOnly"])
    }
}
