/// One pass over one message: what was found so far, and how a secret is replaced.
struct SanitizerPass {
    enum Mode: Sendable {
        /// Secrets become placeholders, which the run's ledger keeps.
        case store(SecretLedger, SecretOrigin)
        /// Secrets become their rule's id alone, placeholders too: for match keys.
        case key
    }

    typealias Octets = UnsafeBufferPointer<UInt8>

    let tables: SanitizerTables
    let mode: Mode
    let side: SecretLocation.Side
    /// The run's known secrets when the pass began.
    var tracked: SecretIndex
    /// The place of the message's request in the order of requests; 0 where there is none.
    var order = 0
    /// The stems of placeholders that held a secret when it began.
    let renames: [StemRename]
    /// Places in JSON by a hash of their pointers.
    var places: [UInt64: SecretLocation] = [:]
    /// Names that were looked at, and whether they hold a secret.
    private var looked: [String: Bool] = [:]
    /// How often each name was met in the message so far.
    private var met: [String: Int] = [:]
    private(set) var counts: [Found: Int] = [:]
    private var rounds = 0
    /// In a key: the secrets found so far.
    private var learned: SecretIndex?
    /// Places that held a known secret whole though no rule names them.
    private(set) var unnamed: Set<SecretLocation> = []
    /// Segments of the path that held one.
    var unnamedSegments: Set<Int> = []
    /// What the cassette's own places and path templates say about this request.
    var local = Local()
    /// Set when searching took too long: then the text counts as secret whole.
    var gaveUp = false
    /// Set when JSON was nested too deep to be read.
    var isTooDeep = false

    struct Found: Hashable {
        var rule: Int
        var location: SecretLocation
    }

    struct Local {
        var segments: [Int: Int] = [:]
        var items: [SecretLocation: Int] = [:]
        var pointers: [(pointer: [[UInt8]], rule: Int)] = []
    }

    /// More different places than this are counted as one.
    private static let placesLimit = 256

    init(tables: SanitizerTables, mode: Mode, side: SecretLocation.Side) {
        self.tables = tables
        self.mode = mode
        self.side = side
        switch mode {
        case .store(let ledger, _):
            tracked = ledger.index()
            renames = ledger.renames
        case .key:
            tracked = .none
            renames = []
        }
        local.pointers = tables.pointers
    }

    var isKey: Bool {
        if case .key = mode { true } else { false }
    }

    /// Takes up the places that hold for this request. `path` is without query; without a method those of every method hold.
    mutating func select(method: String?, path: [UInt8]) {
        for (template, rule) in tables.templates {
            for segment in template.match(method: method, path: path) ?? [] { local.segments[segment] = rule }
        }
        for place in tables.places where place.location.side == side {
            guard let segments = place.match(method: method, path: path) else { continue }
            switch place.location.part {
            case .path: for segment in segments { local.segments[segment] = tables.placesRule }
            case .json:
                local.pointers.append((JSONPointer.components(place.location.name), tables.placesRule))
            default: local.items[place.location] = tables.placesRule
            }
        }
    }

    func location(_ part: SecretLocation.Part, _ name: String = "") -> SecretLocation {
        SecretLocation(side: side, part: part, name: name)
    }

    func location(_ part: SecretLocation.Part, _ name: some Collection<UInt8>) -> SecretLocation {
        SecretLocation(side: side, part: part, name: String(decoding: name.prefix(128), as: UTF8.self))
    }

    mutating func count(_ rule: Int, _ location: SecretLocation) {
        let found = Found(rule: rule, location: location)
        if counts.count >= Self.placesLimit, counts[found] == nil {
            counts[Found(rule: rule, location: SecretLocation(side: side, part: .text, name: "…")), default: 0] += 1
        } else {
            counts[found, default: 0] += 1
        }
    }

    mutating func noteUnnamed(_ location: SecretLocation) {
        if unnamed.count < Self.placesLimit { unnamed.insert(location) }
    }

    /// Whether a name holds a secret itself, so that it must not be shown.
    func hasSecret(_ name: String) -> Bool {
        var probe = SanitizerPass(tables: tables, mode: .key, side: side)
        probe.tracked = tracked
        return Array(name.utf8).withUnsafeBufferPointer { !probe.text($0, 0..<$0.count, location(.text)).isEmpty }
    }

    /// Remembers a secret of a message whose key is computed, to be searched for in the rest of it.
    mutating func learn(_ value: Octets, _ range: Range<Int>, as replacement: [UInt8] = SecretPlaceholder.unnamed) {
        guard range.count >= SecretLedger.trackedLength, !SecretPlaceholder.isIn(value, range) else { return }
        if learned == nil { learned = SecretIndex(window: SecretLedger.trackedLength) }
        guard var index = learned else { return }
        learned = nil
        SecretSpellings.add(Array(value[range]), replacement: replacement, to: &index)
        learned = index
    }

    /// As `hasSecret`, which is answered once for each name.
    mutating func holdsSecret(_ name: String) -> Bool {
        if let known = looked[name] { return known }
        let holds = hasSecret(name)
        looked[name] = holds
        return holds
    }

    /// A name that no other place of this message has: the place's own where it is the first of that name, else one with
    /// what tells the place from the others.
    mutating func ownName(_ name: String, _ detail: () -> String?) -> String {
        guard case .store(_, .answer) = mode else { return name }
        let count = (met[name] ?? 0) + 1
        met[name] = count
        return count == 1 ? name : detail() ?? "\(name)-\(count)"
    }

    /// Takes up the secrets that this pass itself has found; false if there are none that were not known. The message
    /// is then gone through once more: what is secret at one place is secret at every other.
    ///
    /// Twice at most, for other messages may teach the ledger more at any time.
    mutating func relearn() -> Bool {
        rounds += 1
        guard rounds <= 2 else { return false }
        switch mode {
        case .key:
            guard let learned else { return false }
            tracked = learned
            self.learned = nil
            return true
        case .store(let ledger, _):
            let index = ledger.index()
            guard index.version != tracked.version else { return false }
            tracked = index
            met = [:]
            looked = [:]
            return true
        }
    }

    /// What was found, with places whose own names hold secrets left out or named without them.
    func report() -> (counts: [Found: Int], unnamed: Set<SecretLocation>) {
        var clean: [Found: Int] = [:]
        for (found, count) in counts {
            var found = found
            if hasSecret(found.location.name) { found.location.name = "…" }
            clean[found, default: 0] += count
        }
        return (clean, unnamed.filter { !hasSecret($0.name) })
    }

    /// What was found so far, to go back to where a reading fails.
    struct Findings {
        fileprivate var counts: [Found: Int]
        fileprivate var met: [String: Int]
    }

    var findings: Findings { Findings(counts: counts, met: met) }

    mutating func forget(since saved: Findings) { (counts, met) = (saved.counts, saved.met) }

    /// Whether a value is one that the rule hides.
    func isSecret(_ value: Octets, _ range: Range<Int>, _ condition: SecretNames.Condition) -> Bool {
        if SecretPlaceholder.begins(value, range) { return true }
        switch condition {
        case .any, .oauth: return true
        case .digits: return (3...10).contains(range.count) && value[range].allSatisfy { $0 &- 0x30 < 10 }
        case .keyShaped:
            guard range.count >= 16 else { return false }
            var hasDigit = false
            var hasLetter = false
            for octet in value[range] {
                guard octet > 0x20, octet < 0x7F else { return false }
                if octet &- 0x30 < 10 { hasDigit = true }
                if (octet | 0x20) &- 0x61 < 26 { hasLetter = true }
            }
            return hasDigit && hasLetter
        }
    }
}
