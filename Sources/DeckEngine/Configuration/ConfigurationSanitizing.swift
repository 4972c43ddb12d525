import CassetteKit
import DeckRules

extension ConfigurationReader {
    mutating func readSanitizing(_ node: Node) -> ConfiguredSanitizing {
        let members = object(node, known: Self.sanitizeKeys)
        var sanitizing = ConfiguredSanitizing()
        sanitizing.rules = members["rules"].map { list($0).compactMap { readSanitizerRule($0) } } ?? []
        sanitizing.on = members["on"].map { readIDs($0, of: SanitizerRule.optional, "optional") } ?? []
        sanitizing.off = members["off"].map { readIDs($0, of: SanitizerRule.defaults, "built-in") } ?? []
        sanitizing.secretsFrom = members["secretsFrom"].map { strings($0, as: "an environment variable's name") } ?? []
        sanitizing.secretsFile = members["secretsFile"].flatMap { string($0, as: "a file's name") }
        sanitizing.literals = members["literals"].map { readLiterals($0) } ?? []
        if let node = members["literals"], !sanitizing.literals.isEmpty {
            warn(
                node.path, "secrets stand in a file that is made to be committed",
                advice: "name environment variables under secretsFrom, or an ignored file as secretsFile")
        }
        sanitizing.pathSegments =
            members["pathSegments"].map { list($0).compactMap { reading($0, as: "a path", checkedTemplate) } } ?? []
        if let node = members["keepOnly"] {
            let kept = object(node, known: ["headers", "json"])
            sanitizing.keepOnlyHeaders = kept["headers"].map {
                list($0).compactMap { reading($0, as: "a field's name", checkedFieldName) }
            }
            sanitizing.keepOnlyJSON = kept["json"].map { readPointers($0).map(\.description) }
        }
        return sanitizing
    }

    private mutating func readIDs(_ node: Node, of rules: [SanitizerRule], _ word: String) -> [String] {
        let known = rules.map(\.id)
        let read = { (id: String) throws(RuleError) -> String in
            if known.contains(id) { return id }
            throw RuleError("there is no \(word) rule `\(id)`", advice: suggestion(for: id, among: known))
        }
        return list(node).compactMap { reading($0, as: "a rule's id", read) }
    }

    /// Secrets are shown by their length only.
    private mutating func readLiterals(_ node: Node) -> [String] {
        list(node).compactMap { node in
            guard let secret = string(node, as: "a secret") else { return nil }
            if secret.utf8.count >= Self.shortestLiteral { return secret }
            report(
                node.path, "a secret of \(secret.utf8.count) octets is too short to be looked for",
                advice: "name its place in a rule instead")
            return nil
        }
    }

    /// Shorter values would be found, and hidden, wherever they stand by chance.
    private static let shortestLiteral = 4

    static let sanitizeKeys = [
        "rules", "on", "off", "secretsFrom", "secretsFile", "literals", "pathSegments", "keepOnly",
    ]
    static let sanitizerRuleKeys = [
        "id", "headers", "query", "form", "cookies", "names", "json", "path", "patterns", "action", "value", "except",
    ]

    private mutating func readSanitizerRule(_ node: Node) -> ConfiguredSanitizing.Rule? {
        let members = object(node, known: Self.sanitizerRuleKeys)
        guard let named = members["id"] else {
            if node.value.members != nil { report(node.path, "the rule has no id", advice: "add \"id\": \"NAME\"") }
            return nil
        }
        guard let id = string(named, as: "a rule's id") else { return nil }
        checkName(id, of: "rule", at: named.path)
        var rule = ConfiguredSanitizing.Rule(id: id)
        rule.headers =
            members["headers"].map { list($0).compactMap { reading($0, as: "a field's name", checkedFieldName) } } ?? []
        rule.query = members["query"].map { strings($0, as: "a query item's name") } ?? []
        rule.form = members["form"].map { strings($0, as: "a form field's name") } ?? []
        rule.cookies = members["cookies"].map { strings($0, as: "a cookie's name") } ?? []
        rule.names = members["names"].map { strings($0, as: "a name") } ?? []
        rule.except = members["except"].map { strings($0, as: "a name") } ?? []
        rule.json = members["json"].map { readPointers($0).map(\.description) } ?? []
        rule.path = members["path"].map { list($0).compactMap { reading($0, as: "a path", checkedTemplate) } } ?? []
        rule.patterns =
            members["patterns"].map { list($0).compactMap { reading($0, as: "a regular expression", checkedPattern) } }
            ?? []
        if let action = members["action"] { rule.action = readAction(action, value: members["value"]) }
        if node.value.members?.count == members.count { check(rule, members, at: node) }
        return rule
    }

    private mutating func check(_ rule: ConfiguredSanitizing.Rule, _ members: [String: Node], at node: Node) {
        let places = Set(members.keys).subtracting(["id", "action", "value", "except"])
        if places.isEmpty, !rule.isBuiltIn || members.count == 1 {
            report(
                node.path, "the rule `\(rule.id)` hides nothing",
                advice: "add headers, query, form, cookies, names, json, path or patterns")
        }
        if let except = members["except"], !rule.isBuiltIn {
            report(
                except.path, "only a built-in rule can leave names alone",
                advice: "use the id of one, which `tapedeck sanitizers` lists, or take \"except\" out")
        }
    }
}

extension ConfigurationReader {
    private static let actions = ["placeholder", "link", "remove", "fixed", "keepShape"]

    private mutating func readAction(_ node: Node, value: Node?) -> SanitizerRule.Action? {
        guard let text = string(node, as: "an action") else { return nil }
        switch text {
        case "placeholder": return .placeholder
        case "link": return .link
        case "remove": return .remove
        case "keepShape": return .keepShape
        case "fixed":
            guard let value, let text = string(value, as: "a text") else {
                report(node.path, "the action `fixed` has no value", advice: "add \"value\": \"TEXT\"")
                return nil
            }
            if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
                report(value.path, "a control character can't stand in a field", advice: "write a text of one line")
            }
            return .fixed(text)
        default:
            report(
                node.path, "there is no action `\(text)`", advice: suggestion(for: text, among: Self.actions))
            return nil
        }
    }
}

/// Checks a regular expression.
private func checkedPattern(_ text: String) throws(RuleError) -> OctetPattern {
    do throws(PatternError) {
        return try OctetPattern(text)
    } catch {
        throw RuleError(
            "the regular expression is not taken at octet \(error.offset): \(error.message)",
            advice: "write it with literals, classes, groups, |, * + ? {m,n}, ^ $ \\b")
    }
}

/// Checks a path with at least one `{name}` for a whole segment.
private func checkedTemplate(_ text: String) throws(RuleError) -> String {
    guard text.hasPrefix("/") else {
        throw RuleError("`\(text)` is no path", advice: "begin it with a slash, as in /users/{id}")
    }
    let pattern = try RoutePattern.parse("* \(text)")
    if pattern.parameterNames.isEmpty {
        throw RuleError("`\(text)` names no secret segment", advice: "write {name} for it, as in /users/{id}")
    }
    if pattern.rest != nil || pattern.segments.contains(where: { $0.kind == .mixed }) || text.contains("?") {
        throw RuleError("`\(text)` has more than whole segments", advice: "write {name} for a whole segment only")
    }
    return text
}
