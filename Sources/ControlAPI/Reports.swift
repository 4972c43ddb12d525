/// The answer to `POST /reload`: the configuration was read again and acts on new exchanges.
public struct ReloadReport: Codable, Sendable, Equatable {
    /// The configuration's path as given at start.
    public var file: String
    /// Routes that there are now.
    public var routes: Int
    /// Scenarios that there are now.
    public var scenarios: Int
    /// Choices that are gone with it, settings that hold only after a restart, and warnings; a sentence each.
    public var remarks: [String]

    public init(file: String, routes: Int, scenarios: Int, remarks: [String] = []) {
        self.file = file
        self.routes = routes
        self.scenarios = scenarios
        self.remarks = remarks
    }
}

/// The answer to `POST /expire-token`.
public struct ExpiryReport: Codable, Sendable, Equatable {
    /// How many exchanges are still to get `tokenExpired`.
    public var pending: Int

    public init(pending: Int) {
        self.pending = pending
    }
}
