import CassetteKit
import DeckRules

extension ConfiguredMatch {
    /// These rules as the matcher takes them; what they leave open is as in `base`.
    ///
    /// - Parameter maxBody: larger bodies count by their octets.
    func rules(over base: MatchRules) -> MatchRules {
        var rules = base
        rules.ignoreQuery += ignoreQuery
        rules.ignoreBody += ignoreBody
        rules.headers += headers
        if let body { rules.body = MatchRules.Body(rawValue: body.rawValue) ?? rules.body }
        if let graphql { rules.graphQL = MatchRules.GraphQL(rawValue: graphql.rawValue) ?? rules.graphQL }
        return rules
    }
}

extension ConfiguredSanitizing {
    /// The configured rules as the sanitizer takes them, laid over the defaults.
    ///
    /// - Parameters:
    ///   - secrets: values read from environment and secrets file.
    ///   - places: the cassette's own secret places.
    func rules(secrets: [String], places: [SecretPlace]) -> SanitizerRules {
        var extra: [SanitizerRule] = []
        for rule in self.rules {
            let names: [([String], SecretNames.Parts)] = [
                (rule.headers, .fields), (rule.query, .query), (rule.form, .form), (rule.names, .everywhere),
            ]
            for (list, parts) in names where !list.isEmpty {
                let kind = SanitizerRule.Kind.names(SecretNames(exact: list, parts: parts))
                extra.append(SanitizerRule(id: rule.id, kind: kind, action: rule.action))
            }
            if !rule.json.isEmpty {
                extra.append(SanitizerRule(id: rule.id, kind: .pointers(rule.json), action: rule.action))
            }
            extra += rule.patterns.map { SanitizerRule(id: rule.id, kind: .expression($0)) }
        }
        if !pathSegments.isEmpty { extra.append(SanitizerRule(id: "pathSegments", kind: .pathSegments(pathSegments))) }
        if let names = keepOnlyHeaders { extra.append(SanitizerRule(id: "keepOnly", kind: .headersBut(names))) }
        if let pointers = keepOnlyJSON { extra.append(SanitizerRule(id: "keepOnly", kind: .jsonBut(pointers))) }
        return SanitizerRules(
            off: Set(off), on: Set(on), extra: extra, literals: literals + secrets, secretPlaces: places)
    }
}
