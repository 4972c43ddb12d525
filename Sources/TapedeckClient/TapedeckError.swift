/// Why a deck could not be reached, started or steered.
public struct TapedeckError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure, for decisions.
    public enum Code: String, Sendable, CaseIterable {
        /// The address is no `http://HOST:PORT`.
        case invalidAddress
        /// Nothing listens there.
        case notRunning
        /// No answer within the time allowed.
        case timedOut
        /// The deck refused, and said why.
        case refused
        /// What answered is no deck, or one of another version.
        case unexpectedAnswer
        /// The program could not be started, or ended before it was ready.
        case launchFailed
    }

    public var code: Code
    /// What happened, to which thing.
    public var message: String
    /// What to do next.
    public var advice: String?

    public init(_ code: Code, _ message: String, advice: String? = nil) {
        self.code = code
        self.message = message
        self.advice = advice
    }

    public var description: String {
        advice.map { "\(message) (\($0))" } ?? message
    }
}
