import DeckEngine
import SystemIO

/// The configuration that a command goes by.
struct ConfigurationFile: Sendable, Equatable {
    /// Its path; nil where there is none and every default holds.
    let path: String?

    /// The file that `--config` names, else `tapedeck.json` where that is there.
    init(_ settings: Settings) {
        let usual = "tapedeck.json"
        path = settings.value(Options.config)?.text ?? (Files.exists(usual) ? usual : nil)
    }

    /// Reads it whole.
    ///
    /// - Throws: `UsageError` with all its problems, one a line.
    func load() throws(UsageError) -> Configuration {
        guard let path else { return .empty }
        do throws(ConfigurationError) {
            return try Configuration.load(path)
        } catch {
            throw UsageError(error.description)
        }
    }
}
