import DeckRules

/// What a new configuration changes at once, besides routes, variants and scenarios.
struct LiveSettings: Sendable {
    var playback: PlaybackPolicy
    var gate: Gate
    /// Whether faults that no server can cause are told to the app in a field.
    var usesShim: Bool
    /// Where times stand in the JSON bodies of all answers.
    var clockPointers: [EditPointer]
    /// The configuration's file and the body files that were read with it.
    var files: [String]
    /// Hosts whose exchanges are passed on and not recorded.
    var ignoredHosts: [HostPattern]

    init(_ configuration: Configuration, connects: Bool, isLoopback: Bool) {
        playback = configuration.playback
        gate = Gate(allowed: configuration.allowUpstreams, connects: connects, isLoopback: isLoopback)
        ignoredHosts = configuration.ignoreHosts
        usesShim = configuration.usesShim
        clockPointers = configuration.clockPointers
        files = (configuration.file.map { [$0] } ?? []) + configuration.bodyFiles
    }

    /// The same deck under another configuration.
    func replaced(by configuration: Configuration) -> LiveSettings {
        LiveSettings(configuration, connects: gate.connects, isLoopback: gate.isLoopback)
    }
}
