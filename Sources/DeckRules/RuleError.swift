/// A rule that cannot be used: what is wrong with it and what to write instead.
///
/// Neither text repeats a value that may be secret; names and patterns are shown in clear.
package struct RuleError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened, to which thing; one sentence without a final period.
    package var message: String
    /// What to do next; may be empty.
    package var advice: String

    package init(_ message: String, advice: String = "") {
        self.message = message
        self.advice = advice
    }

    package var description: String { advice.isEmpty ? message : "\(message); \(advice)" }
}
