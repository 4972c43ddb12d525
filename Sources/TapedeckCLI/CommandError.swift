/// A command that could not do its work.
package struct CommandError: Error, Sendable, Equatable {
    /// What to end the program with.
    package var status: Int32
    /// What happened, to which thing.
    package var message: String
    /// What to do next.
    package var advice: String?

    package init(status: Int32, _ message: String, advice: String? = nil) {
        self.status = status
        self.message = message
        self.advice = advice
    }
}
