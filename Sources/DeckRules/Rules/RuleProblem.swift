/// A place in the rules that names what does not exist, or cannot be decided.
package struct RuleProblem: Error, Sendable, Equatable {
    /// Where, as keys of the configuration: `["scenarios", "train", "itemList"]`; empty for the command line.
    package var path: [String]
    package var error: RuleError

    package init(_ path: [String], _ error: RuleError) {
        self.path = path
        self.error = error
    }
}
