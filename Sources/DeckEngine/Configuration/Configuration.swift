package import CassetteKit
package import DeckRules
import SystemIO
package import Transport

/// A `tapedeck.json`, read and checked whole; immutable. What it does not say has the value given here.
package struct Configuration: Sendable {
    /// The path that it was read from, as given; nil for none.
    package var file: String?
    /// The folder that names in it are relative to; empty for the current one.
    package var folder = ""
    /// The body files that were read with it.
    package var bodyFiles: [String] = []
    /// The unnamed upstream first, then the named ones as written.
    package var upstreams: [NamedUpstream] = []
    /// Hosts that modes which connect may reach; nil for any.
    package var allowUpstreams: [HostPattern]?
    /// Hosts whose exchanges are passed on and not recorded.
    package var ignoreHosts: [HostPattern] = []
    /// Hosts whose tunnels are passed unseen.
    package var tunneledHosts: [HostPattern] = []
    /// Routes, variants, scenarios, the scenario to begin with, latency.
    package var rules = RuleSet.empty
    package var match = ConfiguredMatch()
    /// What a route says about matching in addition, by its name.
    package var routeMatch: [String: ConfiguredMatch] = [:]
    /// What may differ between two recordings without being a change.
    package var volatile = VolatileRules()
    package var playback = PlaybackPolicy.repeatLast
    /// Which time recorded answers tell.
    package var clock = ClockChoice.recorded
    /// Where times stand in the JSON bodies of all answers, besides what routes say.
    package var clockPointers: [EditPointer] = []
    /// Whether faults that no server can cause are sent as 599 with `Tapedeck-URLError`.
    package var usesShim = false
    package var sanitizing = ConfiguredSanitizing()
    /// Days after which a cassette counts as expired; nil for never.
    package var expiresIn: Int?
    /// Hosts whose URLs in answers may lead around the deck.
    package var externalHosts: [HostPattern] = []
    /// What the command line's options of the same name would say.
    package var options = ConfiguredOptions()
    /// What clients may ask of the listener.
    package var limits = ServerLimits()
    /// What is allowed, but worth a line at start.
    package var warnings: [ConfigurationProblem] = []

    package init() {}

    /// No configuration: every default.
    package static let empty = Configuration()

    /// Reads a file, and the body files that it names.
    ///
    /// - Throws: ``ConfigurationError`` with all problems.
    package static func load(_ path: String) throws(ConfigurationError) -> Configuration {
        let octets: [UInt8]
        do {
            octets = try Files.read(path)
        } catch {
            throw ConfigurationError([
                ConfigurationProblem(
                    file: path, message: "the configuration cannot be read: \(error.message)",
                    advice: "name another file with --config")
            ])
        }
        var bodyFiles: [String] = []
        var configuration = try parse(octets, file: path) { path in
            bodyFiles.append(path)
            return try? Files.read(path)
        }
        configuration.bodyFiles = bodyFiles
        return configuration
    }

    /// Reads a configuration's text.
    ///
    /// - Parameters:
    ///   - file: the path for messages; names in the text are relative to its folder.
    ///   - readFile: gives a body file's octets, nil where it cannot be read.
    /// - Throws: ``ConfigurationError`` with all problems.
    package static func parse(
        _ octets: [UInt8], file: String, readFile: (_ path: String) -> [UInt8]?
    ) throws(ConfigurationError) -> Configuration {
        var reader = ConfigurationReader(octets, file: file)
        return try reader.read(readFile)
    }
}

/// Options that a configuration may set; a flag or an environment variable of the same name wins. Nil where it says nothing.
package struct ConfiguredOptions: Sendable, Equatable {
    /// `HOST:PORT`, as `--listen` takes it.
    package var listen: String?
    /// `HOST:PORT` or `off`, as `--control` takes it.
    package var control: String?
    /// The status of a miss, 400...999.
    package var missStatus: Int?
    /// Where chance begins.
    package var seed: UInt64?
    /// The largest body that is stored, in octets.
    package var maxBody: Int?

    package init() {}
}
