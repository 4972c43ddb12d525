/// What `cassette.json` says about a cassette as a whole.
package struct CassetteManifest: Sendable, Equatable {
    /// How clients reached the deck while recording.
    package enum Form: String, Sendable, CaseIterable {
        /// As if the deck were the server.
        case reverse
        /// As a proxy.
        case forward
    }

    /// The newest format version that this program reads, and the one it writes.
    package static let currentVersion = 1

    package var version: Int
    package var form: Form
    /// The base URLs of the upstreams, in order; the first is that of requests without a name.
    package var upstreams: [String]
    /// The ids of the sanitizer rules that were on when the cassette was last written.
    package var sanitizers: [String]
    /// Places at which a known secret was found though no rule names them.
    package var secretPlaces: [SecretPlace]
    /// The day (`2026-11-30`) of the last recording that changed something.
    package var checked: String?
    /// Keys that this version does not know, kept on rewrite.
    package var unknown: [JSONMember]

    package init(
        version: Int = currentVersion, form: Form, upstreams: [String] = [], sanitizers: [String] = [],
        secretPlaces: [SecretPlace] = [], checked: String? = nil, unknown: [JSONMember] = []
    ) {
        self.version = version
        self.form = form
        self.upstreams = upstreams
        self.sanitizers = sanitizers
        self.secretPlaces = secretPlaces
        self.checked = checked
        self.unknown = unknown
    }
}
