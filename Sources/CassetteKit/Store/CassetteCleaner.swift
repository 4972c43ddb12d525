import HTTPCore
import SystemIO

/// Applies the rules of today to a cassette at rest.
package struct CassetteCleaner: Sendable {
    /// What was done.
    package struct Summary: Sendable {
        /// Names of the interactions that were written again, in order.
        package var changed: [String] = []
        package var unchanged = 0
        /// By rule and place, in order of their names.
        package var hidden: [HiddenCount] = []
    }

    /// A secret that one interaction tells of is looked for in all others: so often they are gone through at most.
    private static let rounds = 4

    private let folder: CassetteFolder
    private let sanitizer: Sanitizer
    private let matcher: Matcher

    package init(folder: String, sanitizer: Sanitizer) {
        self.folder = CassetteFolder(folder)
        self.sanitizer = sanitizer
        matcher = Matcher(sanitizer: sanitizer)
    }

    /// Blocks on files. Nothing is written before all is known; then every file is written whole under its name or not at all,
    /// and doing it once more changes nothing.
    ///
    /// - Throws: `FormatError` for a cassette that can't be read, `RecorderError` if it can't be written or is being recorded.
    package func run() throws -> Summary {
        let lock: FileLock
        switch try FileLock.take(folder.lock) {
        case .taken(let taken): lock = taken
        case .heldBy(let pid): throw RecorderError.locked(folder: folder.path, pid: pid)
        }
        defer { lock.release() }
        let cassette = try Cassette.load(folder: folder.path)
        var work = Work(cassette)
        for _ in 0..<Self.rounds {
            let version = work.ledger.version
            try goThrough(&work)
            if work.ledger.version == version { break }
        }
        try write(work)
        try forgetTimings()
        try write(cassette.manifest, work)
        let hidden = work.results.flatMap { $0.result.hidden }
        return Summary(
            changed: work.results.map(\.result.interaction.name).sorted(),
            unchanged: cassette.interactions.count - work.results.count,
            hidden: sanitizer.mended(hidden, ledger: work.ledger))
    }

    /// What is found in a cassette, round by round.
    private struct Work {
        let interactions: [Interaction]
        let ledger = SecretLedger()
        var results: [(old: Interaction, result: InteractionSanitizer.Result)] = []
        /// The names that interactions have from now on, by those that they have.
        var names: [String: String] = [:]
        var taken: Set<String>

        init(_ cassette: Cassette) {
            interactions = cassette.interactions
            taken = Set(interactions.map { Names.family(of: $0.name) })
        }
    }

    private func goThrough(_ work: inout Work) throws(FormatError) {
        let cleaner = InteractionSanitizer(sanitizer: sanitizer, folder: folder)
        work.results = []
        for old in work.interactions {
            var name: String?
            let result = try cleaner.sanitized(old, ledger: work.ledger) { request in
                let new = self.name(for: request, old, work)
                name = new
                return new
            }
            let before = work.names[old.name] ?? old.name
            if let name, name != before {
                work.names[old.name] = name
                work.taken.insert(Names.family(of: name))
                _ = work.ledger.rename(Names.family(of: before), to: Names.family(of: name))
            }
            if let result { work.results.append((old, result)) }
        }
    }

    /// The name for a request whose target has a secret less; the old one if that told nothing.
    private func name(for request: RawRequest, _ old: Interaction, _ work: Work) -> String {
        let operation = OperationName.of(request.body ?? [], fields: request.fields)
        let target = SecretPlaceholder.shortened(request.target)
        let stem = Names.stem(method: request.method, target: target, operation: operation)
        let family = Names.family(of: old.name)
        let now = work.names[old.name] ?? old.name
        if Names.family(of: now).hasPrefix(stem + ".") { return now }
        let ending = ".\(old.ordinal).json"
        let digits = matcher.nameDigits(of: request)
        // Those that were of one family stay together.
        let others = work.names.filter {
            Names.family(of: $0.key) == family && Names.family(of: $0.value).hasPrefix(stem + ".")
        }
        if let other = others.values.min() { return Names.family(of: other) + ending }
        for length in stride(from: 6, through: digits.utf8.count, by: 2) {
            let free = "\(stem).\(digits.prefix(length))"
            if !work.taken.contains(free) { return free + ending }
        }
        return old.name
    }

    private func write(_ work: Work) throws {
        var kept: Set<String> = []
        for (_, result) in work.results {
            for (name, octets) in result.besides { try Files.writeAtomically(octets, to: folder.interaction(name)) }
            let interaction = result.interaction
            try Files.writeAtomically(InteractionFormat.write(interaction), to: folder.interaction(interaction.name))
            kept.insert(interaction.name)
            kept.formUnion(interaction.bodyFiles.map(\.name))
        }
        for (old, _) in work.results {
            for name in old.bodyFiles.map(\.name) + [old.name] where !kept.contains(name) {
                if Files.exists(folder.interaction(name)) { try Files.remove(folder.interaction(name)) }
            }
        }
    }

    private func write(_ before: CassetteManifest, _ work: Work) throws(SystemError) {
        var manifest = before
        manifest.sanitizers = sanitizer.ruleIDs
        for place in work.results.flatMap(\.result.places) where !manifest.secretPlaces.contains(place) {
            manifest.secretPlaces.append(place)
        }
        manifest.secretPlaces = sanitizer.mended(manifest.secretPlaces, ledger: work.ledger)
        if manifest != before { try Files.writeAtomically(ManifestFormat.write(manifest), to: folder.manifest) }
    }

    /// Takes out the times of interactions that have another name now.
    private func forgetTimings() throws {
        guard Files.exists(folder.timings) else { return }
        let all = (try? TimingsFormat.read(Files.read(folder.timings), path: folder.timings)) ?? [:]
        let kept = all.filter { Files.exists(folder.interaction($0.key)) }
        if kept.count != all.count { try Files.writeAtomically(TimingsFormat.write(kept), to: folder.timings) }
    }
}
