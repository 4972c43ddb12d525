import CassetteKit
import HTTPCore
import SystemIO
import Transport

/// A cassette made ready: read, keyed, and shared by the sessions that play it; for a recording run also what writes it.
final class LoadedCassette: Sendable {
    /// The folder; nil where routes bring their own answers.
    let folder: String?
    /// Scheme and authority that origin-form requests belong to; nil if none is known.
    let home: (scheme: String, authority: Authority)?
    /// Upstreams by name, for requests to `/_up/NAME/…`.
    let named: [String: UpstreamOrigin]
    let keys: KeyRules
    let sanitizer: Sanitizer
    let index: ReplayIndex
    /// Measured times by the name of the interaction.
    let timings: [String: Timings]
    /// Nil unless it is recorded.
    let recorder: CassetteRecorder?
    /// The day of the last recording that changed something, as `2026-11-30`.
    let checked: String?
    let answers: AnswerCache
    let codedLengths = CodedLengths()
    let keyCache = LoopLocal { _ in KeyCache() }
    /// By index of the interaction: whether a session that is closed by now met it.
    private let covered: Locked<[Bool]>

    init(
        folder: String?, home: (scheme: String, authority: Authority)?, named: [String: UpstreamOrigin], keys: KeyRules,
        sanitizer: Sanitizer, index: ReplayIndex, timings: [String: Timings], recorder: CassetteRecorder?,
        checked: String?
    ) {
        self.folder = folder
        self.home = home
        self.named = named
        self.keys = keys
        self.sanitizer = sanitizer
        self.index = index
        self.timings = timings
        self.recorder = recorder
        self.checked = checked
        answers = AnswerCache(count: index.interactions.count)
        covered = Locked(Array(repeating: false, count: index.interactions.count))
    }

    /// Remembers what a session met.
    func cover(_ session: Session) {
        let unplayed = Set(session.unplayed)
        covered.withLock { covered in
            for index in covered.indices where !unplayed.contains(index) { covered[index] = true }
        }
    }

    /// Indices of the interactions that no closed session met.
    var uncovered: Set<Int> { covered.withLock { covered in Set(covered.indices.filter { !covered[$0] }) } }
}

/// Where an upstream is.
struct UpstreamOrigin: Sendable, Equatable {
    var scheme: String
    var authority: Authority

    /// `https://auth.example.com`.
    var text: String { "\(scheme)://\(authority.text)" }
}
