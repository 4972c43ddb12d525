import HTTPCore
import SystemIO

/// What a recorder works with, and how it writes.
struct RecorderSetup: Sendable {
    var folder: CassetteFolder
    var sanitizer: Sanitizer
    var matcher: Matcher
    var keys: CassetteRecorder.Keys
    var digest: StableDigest
    /// `2026-11-30`.
    var today: String
    var fsync: FsyncGroup
    var prunes: Bool
    /// A cassette that was checked before this day gets a new one though nothing changed; nil for never.
    var refreshBefore: String?
    /// Whether interactions say how many writes came before them.
    var notesWrites: Bool

    /// The stable digest of an interaction that is there.
    ///
    /// - Throws: `FormatError` if a body's file can't be read.
    func digest(of interaction: Interaction) throws(FormatError) -> StableDigest.Value {
        var content = try StableContent(interaction)
        if !notesWrites { content.after = nil }
        return self.digest(of: content)
    }

    /// The stable digest of what is to be stored, under the rules that hold for its request.
    func digest(of content: StableContent) -> StableDigest.Value {
        digest.of(content, keys.traits(content.method, content.target))
    }

    /// Writes the bodies' files first, then the interaction, each whole under its name or not at all.
    func write(_ interaction: Interaction, besides: [String: Bytes]) throws(RecorderError) {
        for (name, octets) in besides.sorted(by: { $0.key < $1.key }) {
            try write(octets, to: folder.interaction(name))
        }
        try write(InteractionFormat.write(interaction), to: folder.interaction(interaction.name))
    }

    func write(_ manifest: CassetteManifest) throws(RecorderError) {
        try write(ManifestFormat.write(manifest), to: folder.manifest)
    }

    func write(_ octets: Bytes, to path: String) throws(RecorderError) {
        do throws(SystemError) {
            try Files.writeAtomically(octets, to: path)
        } catch {
            throw .system(error.message)
        }
        fsync.add(path)
    }

    func remove(_ path: String) throws(RecorderError) {
        do throws(SystemError) {
            try Files.remove(path)
        } catch {
            if Files.exists(path) { throw .system(error.message) }
        }
    }
}
