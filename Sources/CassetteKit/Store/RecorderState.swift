/// What a recorder keeps in mind: which answers there are to which key, and what to do with another one.
///
/// Pure decisions; the files are the recorder's.
struct RecorderState: Sendable {
    /// Where an answer is to go.
    struct Place: Sendable {
        var track: Int
        /// Among the run's answers to this key.
        var index: Int
        var name: String
        var ordinal: Int
        var family: String
        /// Writes that came before the request; nil where that is not noted.
        var after: Int?
    }

    enum Decision: Sendable {
        /// As it was in the cassette.
        case unchanged
        /// As the answer before it.
        case folded
        /// To be written under its name; what stood there before is given.
        case write(replacing: Interaction?)
    }

    private(set) var tracks: [KeyTrack] = []
    private var byKey: [MatchKey: Int] = [:]
    private var byFamily: [String: Int] = [:]
    /// Names of interactions that are there, in lower case.
    private var taken: Set<String> = []
    private(set) var hidden: [HiddenCount: Int] = [:]
    var manifest: CassetteManifest
    var timings: [String: Timings] = [:]
    /// Names of interactions that were replayed while recording.
    var replayed: Set<String> = []
    var isFinished = false
    /// Writes that have come so far.
    var writes = 0

    init(manifest: CassetteManifest) {
        self.manifest = manifest
    }

    /// Takes over an interaction that is there; those of one key come in their order.
    mutating func add(existing interaction: Interaction, key: MatchKey) {
        let family = Names.family(of: interaction.name)
        let index = byKey[key] ?? newTrack(key, family: family)
        tracks[index].add(existing: interaction)
        taken.insert(interaction.name.lowercased())
    }

    func isKnown(_ key: MatchKey) -> Bool { byKey[key] != nil }

    /// Gives a request its place among the equal ones.
    ///
    /// - Parameters:
    ///   - naming: The stem and the digits; needed only if the key is not known yet.
    ///   - after: Writes that came before the request; nil where that is not noted.
    mutating func place(_ key: MatchKey, naming: (stem: String, digits: String)?, after: Int? = nil) -> Place {
        let track = byKey[key] ?? newTrack(key, family: freeFamily(naming ?? ("request", key.description)))
        let index = tracks[track].answers.count
        tracks[track].answers.append(.pending)
        let family = tracks[track].family
        if let slot = tracks[track].slot(index), slot.isAlone {
            let existing = tracks[track].existing[slot.position].interaction
            return Place(
                track: track, index: index, name: existing.name, ordinal: existing.ordinal, family: family, after: after
            )
        }
        let ordinal = newOrdinal(track)
        let name = "\(family).\(ordinal).json"
        return Place(track: track, index: index, name: name, ordinal: ordinal, family: family, after: after)
    }

    /// The next ordinal whose name nobody has; it is taken from now on.
    mutating func newOrdinal(_ track: Int) -> Int {
        var ordinal = tracks[track].lastOrdinal + 1
        while taken.contains("\(tracks[track].family).\(ordinal).json") { ordinal += 1 }
        tracks[track].lastOrdinal = ordinal
        return ordinal
    }

    /// The existing interaction at the place of an answer, with its digest if known.
    func existing(at place: Place) -> KeyTrack.Existing? {
        tracks[place.track].slot(place.index).map { tracks[place.track].existing[$0.position] }
    }

    /// Keeps the digest of the existing interaction at a position.
    mutating func keep(digest: StableDigest.Value, track: Int, position: Int) {
        tracks[track].existing[position].digest = digest
    }

    /// Decides about an answer, and notes it as stored where nothing needs to be written.
    ///
    /// - Parameter known: The digest of the existing interaction at its place.
    mutating func decide(_ place: Place, digest: StableDigest.Value, known: StableDigest.Value?) -> Decision {
        let slot = tracks[place.track].slot(place.index)
        if let slot, let known {
            keep(digest: known, track: place.track, position: slot.position)
            if known == digest {
                note(place, digest, file: tracks[place.track].existing[slot.position].interaction.name)
                return .unchanged
            }
        }
        if let before = tracks[place.track].stored(before: place.index),
            tracks[place.track].contents[before].digest == digest
        {
            tracks[place.track].answers[place.index] = .stored(before)
            return .folded
        }
        guard let slot, slot.isAlone else { return .write(replacing: nil) }
        return .write(replacing: tracks[place.track].existing[slot.position].interaction)
    }

    /// Notes that an answer stands in its file.
    mutating func wrote(_ place: Place, digest: StableDigest.Value, bodies: [String]) {
        tracks[place.track].written[place.name] = bodies
        taken.insert(place.name.lowercased())
        note(place, digest, file: place.name)
    }

    mutating func abandon(_ place: Place) {
        tracks[place.track].answers[place.index] = .abandoned
    }

    /// Gives a track another family.
    mutating func setFamily(_ family: String, _ track: Int) {
        tracks[track].family = family
        if byFamily[family] == nil { byFamily[family] = track }
    }

    /// Changes what is known of a track's files.
    mutating func mend(_ track: Int, _ change: (inout KeyTrack) -> Void) { change(&tracks[track]) }

    /// Nobody else gets this name.
    mutating func take(_ name: String) { taken.insert(name.lowercased()) }

    mutating func count(_ counts: [HiddenCount]) {
        for count in counts {
            var key = count
            key.count = 0
            hidden[key, default: 0] += count.count
        }
    }

    /// Adds secret places; true if one is new.
    mutating func add(places: [SecretPlace]) -> Bool {
        let new = places.filter { !manifest.secretPlaces.contains($0) }
        manifest.secretPlaces += new
        return !new.isEmpty
    }

    private mutating func note(_ place: Place, _ digest: StableDigest.Value, file: String) {
        let content = tracks[place.track].contents.count
        tracks[place.track].contents.append(KeyTrack.Content(digest: digest, file: file))
        tracks[place.track].answers[place.index] = .stored(content)
    }

    private mutating func newTrack(_ key: MatchKey, family: String) -> Int {
        let index = tracks.count
        tracks.append(KeyTrack(family: family))
        byKey[key] = index
        if byFamily[family] == nil { byFamily[family] = index }
        return index
    }

    /// The stem with as many digits as keep it apart from the families of other keys; with the fewest where the digits
    /// are equal to the last, since ordinals keep the names apart.
    func freeFamily(_ naming: (stem: String, digits: String)) -> String {
        for length in stride(from: 6, through: naming.digits.utf8.count, by: 2) {
            let family = "\(naming.stem).\(naming.digits.prefix(length))"
            if byFamily[family] == nil { return family }
        }
        return "\(naming.stem).\(naming.digits.prefix(6))"
    }
}
