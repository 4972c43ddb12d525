import HTTPCore
package import SystemIO

extension CassetteRecorder {
    /// Opens a cassette for recording, or makes it.
    ///
    /// Build `sanitizer` and `matcher` with the cassette's own secret places: `Cassette.manifest(folder:)` has them.
    ///
    /// - Parameters:
    ///   - folder: The cassette's folder.
    ///   - form: How clients reach the deck.
    ///   - upstreams: Base URLs; none leaves those that the cassette names.
    ///   - keys: How requests are told apart where `matcher` alone does not say it.
    ///   - today: The day as `2026-11-30`.
    ///   - fsync: Gets every file that is written; flush it before saying that the run is stored.
    ///   - volatile: What may differ without being a change.
    ///   - prune: Whether interactions that no request met are removed at the end.
    ///   - refreshBefore: A day such as `2026-11-30`: a cassette that was checked before gets today's though nothing changed.
    ///   - notesWrites: Whether interactions say how many writes came before them.
    /// - Throws: `RecorderError.locked` if somebody else records to it, `FormatError` if a file in it is defective.
    package static func open(
        folder path: String, form: CassetteManifest.Form, upstreams: [String], sanitizer: Sanitizer, matcher: Matcher,
        keys: Keys? = nil, today: String, fsync: FsyncGroup, volatile: VolatileRules = VolatileRules(),
        prune: Bool = false, notesWrites: Bool = false, refreshBefore: String? = nil
    ) throws -> CassetteRecorder {
        let folder = CassetteFolder(path)
        let setup = RecorderSetup(
            folder: folder, sanitizer: sanitizer, matcher: matcher, keys: keys ?? Keys(matcher),
            digest: StableDigest(rules: volatile), today: today, fsync: fsync, prunes: prune,
            refreshBefore: refreshBefore, notesWrites: notesWrites)
        let lock = try take(folder)
        var manifest = CassetteManifest(form: form)
        var cassette = Cassette(folder: folder, manifest: manifest)
        if folder.isCassette {
            cassette = try Cassette.load(folder: path)
            manifest = cassette.manifest
        }
        manifest.form = form
        if !upstreams.isEmpty { manifest.upstreams = upstreams }
        manifest.sanitizers = sanitizer.ruleIDs
        var state = RecorderState(manifest: manifest)
        for interaction in cassette.interactions {
            state.add(existing: interaction, key: try setup.keys.recorded(interaction))
        }
        try prepare(setup, manifest)
        return CassetteRecorder(cassette: cassette, setup: setup, lock: lock, state: state)
    }

    private static func take(_ folder: CassetteFolder) throws(RecorderError) -> FileLock {
        let result: FileLock.Result
        do throws(SystemError) {
            try Files.makeDirectories(folder.interactions)
            result = try FileLock.take(folder.lock)
        } catch {
            throw .system(error.message)
        }
        switch result {
        case .taken(let lock): return lock
        case .heldBy(let pid): throw .locked(folder: folder.path, pid: pid)
        }
    }

    /// Writes what is missing, so that a run that is killed leaves a cassette.
    private static func prepare(_ setup: RecorderSetup, _ manifest: CassetteManifest) throws(RecorderError) {
        let folder = setup.folder
        for (name, text) in [(".gitattributes", CassetteFolder.attributes), (".gitignore", CassetteFolder.ignored)] {
            let path = "\(folder.path)/\(name)"
            if !Files.exists(path) { try setup.write(Bytes(text.utf8), to: path) }
        }
        if !folder.isCassette {
            var manifest = manifest
            manifest.checked = setup.today
            try setup.write(manifest)
        }
    }
}
