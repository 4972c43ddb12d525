/// A step of the demo that did not hold.
struct DemoFailure: Error, Sendable, Equatable {
    /// The step's name.
    let step: String
    /// What was seen in place of what was expected.
    let message: String

    init(_ step: String, _ message: String) {
        self.step = step
        self.message = message
    }
}
