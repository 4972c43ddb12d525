/// The rules of a run, made ready: each kind in the form in which it is looked up.
final class SanitizerTables: Sendable {
    let rules: [SanitizerRule]
    let names: SanitizerNameTables
    let credentials: SanitizerNames
    /// Whether any rule takes out what holds a value.
    let removes: Bool
    let cookies: Int?
    let userinfo: Int?
    let digests: Int?
    let shapes: [SecretShape: Int]
    let patterns: PatternRules
    let expressions: [(pattern: OctetPattern, rule: Int)]
    let keptHeaders: (names: Set<String>, rule: Int)?
    let keptJSON: (pointers: [[[UInt8]]], rule: Int)?
    /// Reads what the rules left.
    let scanner: SecretScanner
    let shapeStarts = SecretShape.starts
    let literals: SecretIndex
    let literalsRule: Int
    let pointers: [(pointer: [[UInt8]], rule: Int)]
    let templates: [(template: SecretPlace, rule: Int)]
    let places: [SecretPlace]
    /// Names that stand beside an authorization code.
    let companions: SanitizerNames

    /// The rules for what shows by its form that it is personal; looked up at every word.
    struct PatternRules: Sendable {
        private var rules = [Int?](repeating: nil, count: SecretPattern.allCases.count)

        subscript(_ pattern: SecretPattern) -> Int? {
            get { rules[pattern.place] }
            set { rules[pattern.place] = newValue }
        }
    }

    /// The rule of values that were found because they are known, that of `places`, and that of the scanner.
    var trackedRule: Int { rules.count }
    var placesRule: Int { rules.count + 1 }
    var scanRule: Int { rules.count + 2 }

    static let trackedID = "known-secrets"
    static let placesID = "secret-places"
    static let scanID = "found by scan"

    init(_ given: SanitizerRules) {
        let kinds = SanitizerKinds(given)
        var companions = SanitizerNames()
        for name in SanitizerRule.oauthCompanions { companions.add(name, rule: 0, isSuffix: false) }
        rules = given.rules
        names = kinds.names
        credentials = kinds.credentials
        self.companions = companions
        cookies = kinds.cookies
        removes = given.rules.contains { $0.action == .remove }
        userinfo = kinds.userinfo
        digests = kinds.digests
        shapes = kinds.shapes
        patterns = kinds.patterns
        expressions = kinds.expressions
        keptHeaders = kinds.keptHeaders
        keptJSON = kinds.keptJSON
        scanner = SecretScanner(leaving: Set(SanitizerRule.defaults.map(\.id)).subtracting(given.rules.map(\.id)))
        literals = SecretSpellings.index(of: kinds.literals)
        literalsRule = kinds.literalsRule
        pointers = kinds.pointers
        templates = kinds.templates
        places = given.secretPlaces
    }

    func action(_ rule: Int) -> SanitizerRule.Action { rule < rules.count ? rules[rule].action : .placeholder }

    /// Whether values that a rule hides are searched for elsewhere.
    func isTracked(_ rule: Int) -> Bool {
        rule != keptHeaders?.rule && rule != keptJSON?.rule
    }

    func id(_ rule: Int) -> String {
        if rule < rules.count { return rules[rule].id }
        if rule == scanRule { return Self.scanID }
        return rule == trackedRule ? Self.trackedID : Self.placesID
    }

    /// What a rule of names says beside the names.
    func secretNames(_ rule: Int) -> SecretNames? {
        guard rule < rules.count, case .names(let names) = rules[rule].kind else { return nil }
        return names
    }
}

/// JSON pointers (RFC 6901), with `*` for any member or element.
enum JSONPointer {
    /// A pointer with `*` for array indices.
    static func pattern(_ pointer: String) -> String {
        pointer.split(separator: "/", omittingEmptySubsequences: false).map { part in
            !part.isEmpty && part.utf8.allSatisfy { $0 &- 0x30 < 10 } ? "*" : String(part)
        }.joined(separator: "/")
    }

    /// The reference tokens, decoded; none for the whole document.
    static func components(_ text: String) -> [[UInt8]] {
        guard text.hasPrefix("/") else { return [] }
        return text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            component in
            var decoded: [UInt8] = []
            var isTilde = false
            for octet in component {
                switch (isTilde, octet) {
                case (false, UInt8(ascii: "~")): isTilde = true
                case (true, UInt8(ascii: "0")):
                    decoded.append(UInt8(ascii: "~"))
                    isTilde = false
                case (true, UInt8(ascii: "1")):
                    decoded.append(UInt8(ascii: "/"))
                    isTilde = false
                default:
                    decoded.append(octet)
                    isTilde = false
                }
            }
            return decoded
        }
    }

    /// A member's name as a reference token.
    static func escape(_ name: some Sequence<UInt8>) -> String {
        var octets: [UInt8] = []
        for octet in name {
            switch octet {
            case UInt8(ascii: "~"): octets += [UInt8(ascii: "~"), UInt8(ascii: "0")]
            case UInt8(ascii: "/"): octets += [UInt8(ascii: "~"), UInt8(ascii: "1")]
            default: octets.append(octet)
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
