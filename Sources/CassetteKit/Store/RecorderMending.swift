import HTTPCore
import SystemIO

/// What was written before a secret became known is written again without it.
extension CassetteRecorder {
    /// Notes what a file holds.
    func index(_ content: StableContent, _ place: RecorderState.Place, file: String) {
        words.withLock { $0.add(content, file: WordIndex.File(track: place.track, name: file)) }
    }

    /// What was looked for in all files: how many secrets, and how many stems of placeholders.
    struct Mended: Sendable {
        var values = 0
        var stems = 0
    }

    /// Takes out of all files the secrets that became known since `mark`, or since it was last done.
    func mend(since mark: Int) throws {
        // Held while files are written: two that mend one file would each undo the other's work.
        try mending.withLock { done in
            var next = min(mark, done.values)
            while true {
                let values = ledger.values(since: next)
                let stems = ledger.renames.dropFirst(done.stems)
                if values.isEmpty, stems.isEmpty { break }
                next += values.count
                done.stems += stems.count
                for file in words.withLock({ $0.files(holding: values) }) { try mend(file) }
                for file in try files(naming: stems.map(\.old)) { try mend(file) }
                try mendManifest()
            }
            done.values = max(done.values, next)
        }
    }

    /// The files in which a placeholder may have one of the stems. All are read, for placeholders of earlier runs are in no index;
    /// it is seldom that a name held a secret.
    private func files(naming stems: [String]) throws -> [WordIndex.File] {
        guard !stems.isEmpty else { return [] }
        let marks = stems.map { Array($0.utf8) } + [SecretPlaceholder.jwtPrefix]
        return try state.withLock { $0.files }.filter { file in
            let path = setup.folder.interaction(file.name)
            guard Files.exists(path) else { return false }
            let octets = try readFile(path)
            return marks.contains { octets.firstRange(of: $0) != nil }
        }
    }

    /// Takes out of the secret places what is known now: they are named by paths and items.
    private func mendManifest() throws {
        let manifest = state.withLock { state -> CassetteManifest? in
            let clean = setup.sanitizer.mended(state.manifest.secretPlaces, ledger: ledger)
            guard clean != state.manifest.secretPlaces else { return nil }
            state.manifest.secretPlaces = clean
            return state.manifest
        }
        if let manifest { try setup.write(manifest) }
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
        let digest = setup.digest(of: result.content)
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
        let new = state.withLock { $0.renamed(track, from: family, naming) }
        // Placeholders are named after interactions too.
        _ = ledger.rename(family, to: new)
        return "\(new).\(ordinal).json"
    }
}

extension RecorderState {
    /// The files that there are.
    var files: [WordIndex.File] {
        tracks.indices.flatMap { track in
            Set(tracks[track].existing.map(\.interaction.name) + tracks[track].written.keys).sorted().map {
                WordIndex.File(track: track, name: $0)
            }
        }
    }

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
