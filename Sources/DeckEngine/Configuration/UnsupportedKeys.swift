import CassetteKit

/// Keys that the configuration's format has, but that this version does not act on. They are refused, since a rule that is
/// ignored in silence is worse than none.
enum UnsupportedKeys {
    /// At the top level.
    static let topLevel = ["clock"]
}

extension ConfigurationReader {
    /// Reports every key in use that this version does not act on.
    mutating func refuseUnsupported(_ root: Node) {
        for key in UnsupportedKeys.topLevel where root.value[key] != nil { refuse(key, root.path.key(key)) }
    }

    private mutating func refuse(_ key: String, _ path: JSONPath) {
        report(path, "`\(key)` is not supported by this version", advice: "take it out")
    }
}
