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
    /// Hosts whose tunnels are passed unseen: the command line's, then the configuration's.
    var tunneledHosts: [HostPattern]
    private let given: [HostPattern]

    /// - Parameter tunneledHosts: what the command line says, which no new configuration changes.
    init(_ configuration: Configuration, connects: Bool, isLoopback: Bool, tunneledHosts: [HostPattern]) {
        playback = configuration.playback
        gate = Gate(allowed: configuration.allowUpstreams, connects: connects, isLoopback: isLoopback)
        ignoredHosts = configuration.ignoreHosts
        given = tunneledHosts
        self.tunneledHosts = tunneledHosts + configuration.tunneledHosts
        usesShim = configuration.usesShim
        clockPointers = configuration.clockPointers
        files = (configuration.file.map { [$0] } ?? []) + configuration.bodyFiles
    }

    /// The same deck under another configuration.
    func replaced(by configuration: Configuration) -> LiveSettings {
        LiveSettings(
            configuration, connects: gate.connects, isLoopback: gate.isLoopback, tunneledHosts: given)
    }
}
