/// Which rule a name belongs to, part by part: a rule for a field of some name says nothing about a query item of that name.
struct SanitizerNameTables: Sendable {
    private(set) var fields = SanitizerNames()
    private(set) var query = SanitizerNames()
    private(set) var form = SanitizerNames()
    private(set) var json = SanitizerNames()
    private(set) var text = SanitizerNames()
    private(set) var cookies = SanitizerNames()
    private(set) var hasCookies = false

    /// Adds the names of a rule. The first rule to claim a name in a part keeps it.
    ///
    /// - Parameter exceptions: names that no later rule claims either, wherever this rule would look.
    mutating func add(_ names: SecretNames, rule: Int, exceptions: [String]) {
        if names.parts.contains(.cookies) { hasCookies = true }
        let tables: [(SecretNames.Parts, WritableKeyPath<SanitizerNameTables, SanitizerNames>)] = [
            (.fields, \.fields), (.query, \.query), (.form, \.form), (.json, \.json), (.text, \.text),
            (.cookies, \.cookies),
        ]
        for (part, table) in tables where names.parts.contains(part) {
            for name in exceptions { self[keyPath: table].add(name, rule: SanitizerNames.open, isSuffix: false) }
            for name in names.exact { self[keyPath: table].add(name, rule: rule, isSuffix: false) }
            for name in names.suffixes { self[keyPath: table].add(name, rule: rule, isSuffix: true) }
        }
    }
}
