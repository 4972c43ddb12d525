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
    private static let rounds = 3

    private let folder: CassetteFolder
    private let sanitizer: Sanitizer
    private let matcher: Matcher

    package init(folder: String, sanitizer: Sanitizer) {
        self.folder = CassetteFolder(folder)
        self.sanitizer = sanitizer
        matcher = Matcher(sanitizer: sanitizer)
    }

    /// Blocks on files. Every file is written whole under its name or not at all.
    ///
    /// - Throws: `FormatError` for a cassette that can't be read, `RecorderError` if it can't be written or is being recorded.
    package func run() throws -> Summary {
        let lock: FileLock
        switch try FileLock.take(folder.lock) {
        case .taken(let taken): lock = taken
        case .heldBy(let pid): throw RecorderError.locked(folder: folder.path, pid: pid)
        }
        defer { lock.release() }
        var manifest = try Cassette.load(folder: folder.path).manifest
        let before = manifest
        manifest.sanitizers = sanitizer.ruleIDs
        let ledger = SecretLedger()
        var summary = Summary()
        var changed: Set<String> = []
        var hidden: [HiddenCount: Int] = [:]
        for _ in 0..<Self.rounds {
            let mark = ledger.count
            let cassette = try Cassette.load(folder: folder.path)
            summary.unchanged = cassette.interactions.count
            for interaction in cassette.interactions {
                guard let result = try clean(interaction, ledger) else { continue }
                changed.remove(interaction.name)
                changed.insert(result.interaction.name)
                for count in result.hidden {
                    hidden[HiddenCount(rule: count.rule, location: count.location, count: 0), default: 0] += count.count
                }
                for place in result.places where !manifest.secretPlaces.contains(place) {
                    manifest.secretPlaces.append(place)
                }
            }
            if ledger.count == mark { break }
        }
        try forgetTimings()
        if manifest != before { try Files.writeAtomically(ManifestFormat.write(manifest), to: folder.manifest) }
        summary.changed = changed.sorted()
        summary.unchanged -= changed.count
        summary.hidden = hidden.map { HiddenCount(rule: $0.rule, location: $0.location, count: $1) }
            .sorted { ($0.rule, $0.location.description) < ($1.rule, $1.location.description) }
        return summary
    }

    /// Takes out the times of interactions that have another name now.
    private func forgetTimings() throws {
        guard Files.exists(folder.timings) else { return }
        let all = (try? TimingsFormat.read(Files.read(folder.timings), path: folder.timings)) ?? [:]
        let kept = all.filter { Files.exists(folder.interaction($0.key)) }
        if kept.count != all.count { try Files.writeAtomically(TimingsFormat.write(kept), to: folder.timings) }
    }

    /// Writes an interaction again, if something was hidden in it.
    private func clean(_ old: Interaction, _ ledger: SecretLedger) throws -> InteractionSanitizer.Result? {
        let cleaner = InteractionSanitizer(sanitizer: sanitizer, folder: folder)
        let result = try cleaner.sanitized(old, ledger: ledger) { request in
            let operation = OperationName.of(request.body ?? [], fields: request.fields)
            let stem = Names.stem(method: request.method, target: request.target, operation: operation)
            return freeName(stem, matcher.nameDigits(of: request), old)
        }
        guard let result else { return nil }
        for (name, octets) in result.besides { try Files.writeAtomically(octets, to: folder.interaction(name)) }
        let name = result.interaction.name
        try Files.writeAtomically(InteractionFormat.write(result.interaction), to: folder.interaction(name))
        let bodies = Set(result.interaction.bodyFiles.map(\.name))
        var gone = old.bodyFiles.map(\.name).filter { !bodies.contains($0) }
        if name != old.name { gone.append(old.name) }
        for name in gone where Files.exists(folder.interaction(name)) { try Files.remove(folder.interaction(name)) }
        return result
    }

    /// The name for a request whose target has a secret less; the old one if that told nothing.
    private func freeName(_ stem: String, _ digits: String, _ old: Interaction) -> String {
        if Names.family(of: old.name).hasPrefix(stem + ".") { return old.name }
        for length in stride(from: 6, through: digits.utf8.count, by: 2) {
            let name = Names.interaction(stem: stem, digits: String(digits.prefix(length)), ordinal: old.ordinal)
            if !Files.exists(folder.interaction(name)) { return name }
        }
        return old.name
    }
}
