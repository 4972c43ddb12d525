/// The version of the program and of the documents in this module.
public enum ProgramVersion {
    /// Semantic version, as `tapedeck version` and `GET /health` give it.
    public static let current = "0.1.0"
}
