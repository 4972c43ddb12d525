/// A command line, variable or configuration that cannot be followed; the program ends with status 2.
package struct UsageError: Error, Sendable, Equatable {
    /// What is wrong, with which word.
    package var message: String
    /// What to type or to change next.
    package var advice: String?

    package init(_ message: String, advice: String? = nil) {
        self.message = message
        self.advice = advice
    }
}
