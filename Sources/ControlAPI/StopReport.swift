/// The answer to `POST /stop`: the verdict on the run, sent when the deck has drained and flushed.
public struct StopReport: Codable, Sendable, Equatable {
    /// Whether nothing failed that `--strict` asks for.
    public var passed: Bool
    public var counts: Health.Counts
    /// What `--strict` found, one sentence each.
    public var failures: [String]
    /// The summary as it is shown to people, line by line.
    public var lines: [String]

    public init(passed: Bool, counts: Health.Counts, failures: [String] = [], lines: [String] = []) {
        self.passed = passed
        self.counts = counts
        self.failures = failures
        self.lines = lines
    }
}
