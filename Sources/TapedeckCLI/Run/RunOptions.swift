import DeckEngine

/// All that the command line, the environment and the configuration say about one run of a deck.
struct RunOptions: Sendable {
    var deck: DeckOptions
    /// Whether the configuration is read again whenever it changes.
    var isWatching = false
    var readyFile: ReadyFile?
    /// Where the report goes as JSON.
    var reportFile: String?
    /// Where the verdict goes as JUnit's XML.
    var junitFile: String?
    var logForm = LogForm.text
    var isQuiet = false
    /// The command after `--` with its arguments.
    var childCommand: [String]?
    /// Whether the command is to have the deck as its HTTP proxy.
    var isProxyForCommand = false
}
