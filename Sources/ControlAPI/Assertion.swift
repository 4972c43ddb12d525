/// The body of `POST /assertions`: which exchanges are meant, and what is expected of them. Without an expectation, one call
/// or more.
public struct Assertion: Codable, Sendable, Equatable {
    public var route: String?
    public var method: String?
    /// The path without query; a `*` at its end takes any rest.
    public var path: String?
    public var status: Int?
    /// The outcome's word.
    public var outcome: String?
    /// Exactly so many exchanges.
    public var calls: Int?
    public var atLeast: Int?
    public var atMost: Int?
    /// No exchange at all.
    public var never: Bool?
    /// The last one's body, as text or as JSON text, which counts by value.
    public var lastBody: String?
    /// Exchanges that came one after the other.
    public var order: [JournalFilter]?

    public init(
        _ filter: JournalFilter = JournalFilter(), calls: Int? = nil, atLeast: Int? = nil, atMost: Int? = nil,
        never: Bool? = nil, lastBody: String? = nil, order: [JournalFilter]? = nil
    ) {
        route = filter.route
        method = filter.method
        path = filter.path
        status = filter.status
        outcome = filter.outcome
        self.calls = calls
        self.atLeast = atLeast
        self.atMost = atMost
        self.never = never
        self.lastBody = lastBody
        self.order = order
    }
}
