/// Where the certificate authority is kept.
enum AuthorityPlace {
    /// `--ca-dir` or its variable, else a folder in the user's own data (XDG Base Directory Specification); nil where the
    /// environment names none.
    static func folder(_ settings: Settings) -> String? {
        if let given = settings.value(Options.caDir) { return given.text }
        let variables = settings.variables
        // A path that is not absolute is to be ignored.
        if let data = variables["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/tapedeck/ca" }
        guard let home = variables["HOME"], home.hasPrefix("/") else { return nil }
        return (home == "/" ? "" : home) + "/.local/share/tapedeck/ca"
    }
}
