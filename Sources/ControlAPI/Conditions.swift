/// The body of `PUT /latency`, and its answer.
public struct LatencyChoice: Codable, Sendable, Equatable {
    /// `none`, `recorded`, or a duration such as `750ms` or `3s`.
    public var latency: String

    public init(latency: String) {
        self.latency = latency
    }
}

/// The body of `PUT /offline`, and its answer.
public struct OfflineChoice: Codable, Sendable, Equatable {
    /// Whether every exchange is answered as if there were no network.
    public var offline: Bool

    public init(offline: Bool) {
        self.offline = offline
    }
}
