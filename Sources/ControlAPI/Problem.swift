/// A failure of the control API (RFC 9457), sent as `application/problem+json`.
public struct Problem: Codable, Sendable, Equatable, Error {
    public static let contentType = "application/problem+json"

    /// Names the kind of failure, fixed and without variable parts, such as `unknown-route`.
    public var type: String
    /// The kind of failure in words.
    public var title: String
    /// The HTTP status, 400...599.
    public var status: Int
    /// What happened, to which thing.
    public var detail: String?
    /// What to do next.
    public var advice: String?
    /// Where several things are wrong, each in a sentence.
    public var problems: [String]?

    public init(
        type: String, title: String, status: Int, detail: String? = nil, advice: String? = nil,
        problems: [String]? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.advice = advice
        self.problems = problems
    }
}
