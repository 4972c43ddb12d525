import HTTPCore
import Synchronization
import SystemIO

/// What was written before a secret became known is written again without it.
extension CassetteRecorder {
    /// Notes what a file holds.
    func index(_ content: StableContent, _ place: RecorderState.Place, file: String) {
        words.withLock { $0.add(content, file: WordIndex.File(track: place.track, name: file)) }
    }

    /// Takes out of all files the secrets that became known since `mark`, or since it was last done.
    func mend(since mark: Int) throws {
        // Held while files are written: two that mend one file would each undo the other's work.
        try mending.withLock { done in
            var next = min(mark, done)
            while true {
                let values = ledger.values(since: next)
                if values.isEmpty { break }
                next += values.count
                for file in words.withLock({ $0.files(holding: values) }) { try mend(file) }
            }
            done = max(done, next)
        }
    }

    private func mend(_ file: WordIndex.File) throws {
        let path = setup.folder.interaction(file.name)
        guard Files.exists(path) else { return }
        let old = try InteractionFormat.read(
            try readFile(path), name: file.name, folder: setup.folder.interactions)
        let cleaner = InteractionSanitizer(sanitizer: setup.sanitizer, folder: setup.folder)
        let result = try cleaner.sanitized(old, track: file.track, ledger: ledger) { request in
            freeName(for: request, track: file.track, ordinal: old.ordinal, now: old.name)
        }
        guard let result else { return }
        try keep(result.places)
        try setup.write(result.interaction, besides: result.besides)
        let name = result.interaction.name
        if name != old.name { try setup.remove(path) }
        let bodies = Set(result.interaction.bodyFiles.map(\.name))
        for body in old.bodyFiles where !bodies.contains(body.name) {
            try setup.remove(setup.folder.interaction(body.name))
        }
        let digest = setup.digest.of(result.content)
        state.withLock { state in
            state.count(result.hidden)
            state.mended(file, as: result.interaction, digest: digest)
        }
        if name != file.name { words.withLock { $0.rename(file, to: name) } }
    }

    /// The name for a request whose target has a secret less; the one it has if that told nothing.
    func freeName(for request: RawRequest, track: Int, ordinal: Int, now: String) -> String {
        let naming = naming(request)
        let family = Names.family(of: now)
        guard !family.hasPrefix(naming.stem + ".") else { return now }
        return state.withLock { $0.renamed(track, from: family, naming) + ".\(ordinal).json" }
    }
}

extension RecorderState {
    /// The family that a track goes by from now on, since its name held a secret.
    mutating func renamed(_ track: Int, from family: String, _ naming: (stem: String, digits: String)) -> String {
        if tracks[track].family != family { return tracks[track].family }
        let free = freeFamily(naming)
        setFamily(free, track)
        return free
    }

    /// Notes that a file was written again, perhaps under another name.
    mutating func mended(_ file: WordIndex.File, as interaction: Interaction, digest: StableDigest.Value) {
        let name = interaction.name
        mend(file.track) { track in
            for index in track.contents.indices where track.contents[index].file == file.name {
                track.contents[index] = KeyTrack.Content(digest: digest, file: name)
            }
            if let position = track.existing.firstIndex(where: { $0.interaction.name == file.name }) {
                track.existing[position] = KeyTrack.Existing(interaction: interaction, digest: digest)
            }
            track.written[file.name] = nil
            track.written[name] = interaction.bodyFiles.map(\.name)
        }
        if name != file.name {
            timings[name] = timings.removeValue(forKey: file.name)
            take(name)
        }
    }
}
