package import HTTPCore
import SystemIO

/// Writes what is recorded into one cassette; there is one recorder per cassette at a time, across processes.
///
/// Every method may be called from any thread. `store` and `finish` block on files; `begin` sanitizes and hashes the
/// request and touches no file.
package final class CassetteRecorder: Sendable {
    /// How requests are told apart: as replay will.
    package struct Keys: Sendable {
        package var request: @Sendable (RawRequest) -> MatchKey
        package var recorded: @Sendable (Interaction) throws(FormatError) -> MatchKey

        /// Gives the traits of a request by method and target.
        package var traits: @Sendable (String, Bytes) -> RecordedTraits

        package init(
            request: @Sendable @escaping (RawRequest) -> MatchKey,
            recorded: @Sendable @escaping (Interaction) throws(FormatError) -> MatchKey,
            traits: @Sendable @escaping (_ method: String, _ target: Bytes) -> RecordedTraits
        ) {
            self.request = request
            self.recorded = recorded
            self.traits = traits
        }

        /// One matcher for all requests.
        package init(_ matcher: Matcher) {
            self.init(
                request: { matcher.key(of: $0) },
                recorded: { (interaction) throws(FormatError) in try matcher.key(of: interaction.request) },
                traits: { RecordedTraits(rules: matcher.rules, target: $1) })
        }
    }

    /// A request that has come whole and waits for its answer.
    package struct Ticket: Sendable {
        var place: RecorderState.Place
        let raw: RawRequest
        var sanitized: Sanitized<RawRequest>
        /// How many secrets were known when the request was sanitized.
        var mark: Int
        /// What else was known then: names of placeholders change too.
        var version: Int
        /// The request's place in the order of requests.
        let order: Int

        /// The file that the answer will have if it needs one of its own.
        package var name: String { place.name }
    }

    /// What became of an answer.
    package enum StoreOutcome: Sendable, Equatable {
        /// The cassette holds it already; no file was touched.
        case unchanged
        /// It equals the answer before it, and will be counted there.
        case folded
        /// It was written to the file of this name.
        case written(String)
    }

    /// The cassette as it was when the recording began.
    package let cassette: Cassette
    let setup: RecorderSetup
    let lock: FileLock
    /// Changed by every thread under the lock, a few lines at a time; files are written outside.
    let state: Locked<RecorderState>
    let ledger = SecretLedger()
    /// Which files hold which words; changed like `state`.
    let words = Locked(WordIndex())
    /// One thread at a time writes again what was written before a secret was known.
    let mending = Locked(Mended())

    init(cassette: Cassette, setup: RecorderSetup, lock: FileLock, state: RecorderState) {
        self.cassette = cassette
        self.setup = setup
        self.lock = lock
        self.state = Locked(state)
    }

    /// Gives a request its place among the equal ones; call it in the order in which requests end.
    package func begin(_ request: RawRequest) -> Ticket {
        let (mark, version, order) = (ledger.count, ledger.version, ledger.nextOrder())
        let sanitized = setup.sanitizer.request(request, .asSent, order: order, ledger: ledger)
        let key = setup.keys.request(sanitized.message)
        let isKnown = state.withLock { $0.isKnown(key) }
        let naming = isKnown ? nil : naming(sanitized.message)
        let isWrite = setup.notesWrites && WriteRequests.isWrite(request)
        let notesWrites = setup.notesWrites
        let place = state.withLock { state in
            let after = notesWrites ? state.writes : nil
            if isWrite { state.writes += 1 }
            return state.place(key, naming: naming, after: after)
        }
        return Ticket(
            place: place, raw: request, sanitized: sanitized, mark: mark, version: version, order: order)
    }

    /// Sanitizes an answer and writes it, unless the cassette holds it already.
    ///
    /// - Throws: `RecorderError` or `FormatError`; the ticket is then abandoned.
    package func store(_ ticket: Ticket, _ response: RawResponse) throws -> StoreOutcome {
        var ticket = refreshed(ticket)
        let mark = ticket.mark
        let sanitized = setup.sanitizer.response(
            response, .asSent, to: ticket.raw, stem: ticket.place.family, ordinal: ticket.place.ordinal,
            order: ticket.order, ledger: ledger)
        // What the answer hands out may stand in the request too.
        ticket = refreshed(ticket)
        let outcome = try store(
            ticket, .response(sanitized), hidden: ticket.sanitized.hidden + sanitized.hidden,
            places: ticket.sanitized.newPlaces + sanitized.newPlaces, since: mark)
        if case .written(let name) = outcome {
            state.withLock { $0.timings[name] = response.timings }
        }
        return outcome
    }

    /// Writes that the upstream gave no answer. The message of the error must hold no secret.
    package func store(_ ticket: Ticket, error: RecordedError) throws -> StoreOutcome {
        let ticket = refreshed(ticket)
        return try store(
            ticket, .error(error), hidden: ticket.sanitized.hidden, places: ticket.sanitized.newPlaces,
            since: ticket.mark)
    }

    /// The ticket with the request sanitized once more if secrets became known since, which answers of other exchanges
    /// hand out at any time.
    private func refreshed(_ ticket: Ticket) -> Ticket {
        let (mark, version) = (ledger.count, ledger.version)
        guard version != ticket.version else { return ticket }
        var ticket = ticket
        let target = ticket.sanitized.message.target
        ticket.sanitized = setup.sanitizer.request(ticket.raw, .asSent, order: ticket.order, ledger: ledger)
        (ticket.mark, ticket.version) = (mark, version)
        let request = ticket.sanitized.message
        if request.target != target {
            ticket.place.name = freeName(
                for: request, track: ticket.place.track, ordinal: ticket.place.ordinal, now: ticket.place.name)
            ticket.place.family = Names.family(of: ticket.place.name)
        }
        return ticket
    }

    /// Gives a place up; the exchange is not stored.
    package func abandon(_ ticket: Ticket) {
        state.withLock { $0.abandon(ticket.place) }
    }

    /// Notes that an interaction was replayed, so that it does not count as not seen.
    ///
    /// - Parameter isWrite: whether the request counts as a write for those that follow.
    package func replayed(_ name: String, isWrite: Bool = false) {
        state.withLock { state in
            state.replayed.insert(name)
            if isWrite { state.writes += 1 }
        }
    }

    private func store(
        _ ticket: Ticket, _ outcome: InteractionMaker.Outcome, hidden: [HiddenCount], places: [SecretPlace],
        since mark: Int
    ) throws -> StoreOutcome {
        do {
            guard !state.withLock({ $0.isFinished }) else { throw RecorderError.finished }
            try keep(places)
            let maker = InteractionMaker(
                place: ticket.place, folder: setup.folder, request: ticket.sanitized, outcome: outcome)
            let content = maker.content
            let digest = setup.digest(of: content)
            let known = try knownDigest(ticket.place)
            let decision = state.withLock { state in
                state.count(hidden)
                return state.decide(ticket.place, digest: digest, known: known)
            }
            switch decision {
            case .unchanged:
                let file = state.withLock { $0.existing(at: ticket.place)?.interaction.name } ?? ticket.place.name
                index(content, ticket.place, file: file)
                try mend(since: mark)
                return .unchanged
            case .folded:
                try mend(since: mark)
                return .folded
            case .write(let replaced):
                var product = maker.make()
                if let replaced { product.interaction.keep(from: replaced) }
                try setup.write(product.interaction, besides: product.besides)
                let bodies = product.interaction.bodyFiles.map(\.name)
                state.withLock { $0.wrote(ticket.place, digest: digest, bodies: bodies) }
                index(content, ticket.place, file: ticket.place.name)
                try mend(since: mark)
                return .written(ticket.place.name)
            }
        } catch {
            abandon(ticket)
            throw error
        }
    }

    /// The digest of the interaction that stands at a place, which is computed when first needed.
    private func knownDigest(_ place: RecorderState.Place) throws(FormatError) -> StableDigest.Value? {
        guard let existing = state.withLock({ $0.existing(at: place) }) else { return nil }
        if let digest = existing.digest { return digest }
        return try setup.digest(of: existing.interaction)
    }

    /// Writes new secret places at once: an interaction that needs them must not be alone after a crash.
    func keep(_ places: [SecretPlace]) throws(RecorderError) {
        guard !places.isEmpty else { return }
        let manifest = state.withLock { $0.add(places: places) ? $0.manifest : nil }
        if let manifest { try setup.write(manifest) }
    }

    func naming(_ request: RawRequest) -> (stem: String, digits: String) {
        let operation = OperationName.of(request.body ?? [], fields: request.fields)
        let target = SecretPlaceholder.shortened(request.target)
        let stem = Names.stem(method: request.method, target: target, operation: operation)
        return (stem, setup.matcher.nameDigits(of: request))
    }
}
