import HTTPCore
import SystemIO

extension CassetteRecorder {
    /// Ends the recording: folds equal neighbors, removes what this run's answers replace, writes times and
    /// `cassette.json` where something changed, and gives the lock up. Exchanges still in flight are not stored.
    ///
    /// Blocks. Flush the `FsyncGroup` afterwards.
    ///
    /// - Throws: `RecorderError` or `FormatError`; the files that were written so far stay.
    package func finish() throws -> RecordSummary {
        guard !state.withLock({ $0.isFinished }) else { throw RecorderError.finished }
        // Requests that were not stored may have brought secrets too.
        try mend(since: .max)
        var state = try state.withLock { state throws(RecorderError) in
            guard !state.isFinished else { throw .finished }
            state.isFinished = true
            return state
        }
        defer { lock.release() }
        var finish = RecorderFinish(setup: setup, timings: state.timings)
        for track in state.tracks.indices { try finish.settle(track, &state) }
        try finish.collectGarbage()
        var summary = finish.summary
        let hidden = state.hidden.map { HiddenCount(rule: $0.rule, location: $0.location, count: $1) }
        summary.hidden = setup.sanitizer.mended(hidden, ledger: ledger)
        try finish.writeTimings()
        try writeManifest(state.manifest, summary)
        return summary
    }

    /// The day moves only with something else, or where it is old: a recording that changed nothing changes no line.
    private func writeManifest(_ manifest: CassetteManifest, _ summary: RecordSummary) throws {
        var manifest = manifest
        let before = try Cassette.manifest(folder: setup.folder.path)
        manifest.checked = before?.checked
        let isOld = setup.refreshBefore.map { day in (before?.checked ?? "") < day } ?? false
        if summary.isChange || manifest != before || isOld {
            manifest.checked = setup.today
            if manifest != before { try setup.write(manifest) }
        }
    }
}

/// The end of a recording, key by key.
struct RecorderFinish {
    private let setup: RecorderSetup
    private(set) var summary = RecordSummary()
    private var timings: [String: Timings]
    /// Bodies' files that interactions of the finished cassette need, and those that some needed before.
    private var needed: Set<String> = []
    private var suspects: Set<String> = []
    private var gone: Set<String> = []

    init(setup: RecorderSetup, timings: [String: Timings]) {
        self.setup = setup
        self.timings = timings
    }

    /// Brings the files of one key to what the run saw.
    mutating func settle(_ index: Int, _ state: inout RecorderState) throws {
        let track = state.tracks[index]
        let groups = track.groups
        for existing in track.existing { suspects.formUnion(existing.interaction.bodyFiles.map(\.name)) }
        for bodies in track.written.values { suspects.formUnion(bodies) }
        guard !groups.isEmpty else { return try settleUnseen(track, state) }
        var plan: [Move] = []
        var last = 0
        for (position, group) in groups.enumerated() {
            let isNew = position >= track.existing.count
            let name =
                isNew
                ? newName(index, group.content.file, after: last, &state) : track.existing[position].interaction.name
            last = Names.ordinal(of: name)
            plan.append(Move(group: group, name: name, existing: isNew ? nil : track.existing[position]))
        }
        try carryOut(plan, track, isSameOrder: try isSameOrder(groups, track))
        let kept = Set(plan.map(\.name))
        for existing in track.existing where !kept.contains(existing.interaction.name) {
            try remove(existing.interaction.name)
            summary.removed.append(existing.interaction.name)
        }
        for name in track.written.keys where !kept.contains(name) && !gone.contains(name) { try remove(name) }
    }

    /// Removes the bodies' files that no interaction needs any more.
    func collectGarbage() throws(RecorderError) {
        for name in suspects.subtracting(needed).sorted() { try setup.remove(setup.folder.interaction(name)) }
    }

    /// Rewrites the times if any changed.
    func writeTimings() throws {
        guard !timings.isEmpty || !gone.isEmpty else { return }
        let path = setup.folder.timings
        // Times that can't be read are measured anew.
        var all = Files.exists(path) ? (try? TimingsFormat.read(Files.read(path), path: path)) ?? [:] : [:]
        all = all.filter { !gone.contains($0.key) && Files.exists(setup.folder.interaction($0.key)) }
        all.merge(timings) { $1 }
        try setup.write(TimingsFormat.write(all), to: path)
    }

    /// What is to stand under a name.
    private struct Move {
        var group: (content: KeyTrack.Content, count: Int)
        var name: String
        var existing: KeyTrack.Existing?
    }

    private mutating func settleUnseen(_ track: KeyTrack, _ state: RecorderState) throws(RecorderError) {
        for existing in track.existing {
            let name = existing.interaction.name
            if setup.prunes, !state.replayed.contains(name) {
                try remove(name)
                summary.removed.append(name)
            } else {
                needed.formUnion(existing.interaction.bodyFiles.map(\.name))
                if !state.replayed.contains(name) { summary.notSeen.append(name) }
            }
        }
    }

    /// A name for a group beyond the existing ones: the one it was written under, if that keeps the order.
    private func newName(_ index: Int, _ file: String, after last: Int, _ state: inout RecorderState) -> String {
        let track = state.tracks[index]
        let isOwn = track.written[file] != nil && !track.existing.contains { $0.interaction.name == file }
        if isOwn, Names.ordinal(of: file) > last { return file }
        return "\(track.family).\(state.newOrdinal(index)).json"
    }

    /// Whether the run saw the answers that were there, in their order: then only their counts may differ.
    private func isSameOrder(
        _ groups: [(content: KeyTrack.Content, count: Int)], _ track: KeyTrack
    ) throws(FormatError) -> Bool {
        guard groups.count == track.existing.count else { return false }
        for (group, existing) in zip(groups, track.existing) {
            let isThere = track.written[existing.interaction.name] == nil
            guard isThere, try digest(existing) == group.content.digest else { return false }
        }
        return true
    }

    private mutating func carryOut(_ plan: [Move], _ track: KeyTrack, isSameOrder: Bool) throws {
        var writes: [(interaction: Interaction, besides: [String: Bytes])] = []
        for move in plan {
            let isRewritten = track.written[move.name] != nil
            if let existing = move.existing, !isRewritten, try digest(existing) == move.group.content.digest,
                !isRecounted(move, existing.interaction, isSameOrder)
            {
                needed.formUnion(existing.interaction.bodyFiles.map(\.name))
                summary.unchanged.append(move.name)
                continue
            }
            if move.existing == nil { summary.new.append(move.name) } else { summary.changed.append(move.name) }
            if isRewritten, move.group.content.file == move.name, move.group.count == 1 {
                needed.formUnion(track.written[move.name] ?? [])
                continue
            }
            writes.append(try moved(move))
        }
        // Everything is read before anything is written: a file may be the source of one and the place of another.
        for write in writes {
            try setup.write(write.interaction, besides: write.besides)
            needed.formUnion(write.interaction.bodyFiles.map(\.name))
        }
    }

    /// Whether the number of requests that an unchanged answer stands for is to be written. Where the order is the same a
    /// different number is no change, but for a higher one where requests beyond the recorded order are misses.
    private func isRecounted(_ move: Move, _ old: Interaction, _ isSameOrder: Bool) -> Bool {
        guard isSameOrder else { return move.group.count != old.repeats }
        return move.group.count > old.repeats
            && setup.keys.traits(old.request.method, old.request.target).countsRepeats
    }

    private func digest(_ existing: KeyTrack.Existing) throws(FormatError) -> StableDigest.Value {
        if let digest = existing.digest { return digest }
        return try setup.digest(of: existing.interaction)
    }

    /// Reads the file that holds a group's answer and gives it the group's name and count.
    private mutating func moved(_ move: Move) throws(FormatError) -> (Interaction, [String: Bytes]) {
        let folder = setup.folder
        let source = move.group.content.file
        var interaction = try InteractionFormat.read(
            try readFile(folder.interaction(source)), name: source, folder: folder.interactions)
        interaction.repeats = move.group.count
        if let existing = move.existing { interaction.keep(from: existing.interaction) }
        var besides: [String: Bytes] = [:]
        if source != move.name {
            timings[move.name] = timings[source]
            interaction.name = move.name
            interaction.ordinal = Names.ordinal(of: move.name)
            interaction.request.body = try renamed(interaction.request.body, move.name, &besides)
            if case .response(var response) = interaction.outcome {
                response.body = try renamed(response.body, move.name, &besides)
                interaction.outcome = .response(response)
            }
        }
        return (interaction, besides)
    }

    /// A body whose file has the name that goes with the interaction's.
    private func renamed(
        _ body: RecordedBody?, _ interaction: String, _ besides: inout [String: Bytes]
    ) throws(FormatError) -> RecordedBody? {
        guard var body, case .file(let file) = body.content else { return body }
        let octets = try file.read()
        let ending = file.name.split(separator: ".").last.map(String.init) ?? "bin"
        let name = Names.body(of: interaction, octets: octets, fileExtension: ending)
        besides[name] = octets
        body.content = .file(BodyFile(name: name, folder: file.folder))
        return body
    }

    private mutating func remove(_ name: String) throws(RecorderError) {
        try setup.remove(setup.folder.interaction(name))
        gone.insert(name)
        timings[name] = nil
    }
}
