package import HTTPCore

extension Sanitizer {
    /// A target as logs, journal and pages show it: a secret value is the id of the rule that found it.
    package func shown(method: String, target: Bytes) -> Bytes {
        var pass = SanitizerPass(tables: tables, mode: .key, side: .request)
        pass.select(method: method, path: Self.path(target))
        return pass.target(target)
    }
}
