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
                (rule.headers, .fields), (rule.query, .query), (rule.form, .form), (rule.cookies, .cookies),
                (rule.names, [.everywhere, .cookies]),
            ]
            var kinds = names.filter { !$0.0.isEmpty }.map {
                SanitizerRule.Kind.names(SecretNames(exact: $0.0, parts: $0.1))
            }
            if !rule.json.isEmpty { kinds.append(.pointers(rule.json)) }
            if !rule.path.isEmpty { kinds.append(.pathSegments(rule.path)) }
            kinds += rule.patterns.map { .expression($0) }
            extra += kinds.map { SanitizerRule(id: rule.id, kind: $0, action: rule.action ?? .placeholder) }
        }
        let changes = self.rules.filter(\.isBuiltIn).map {
            SanitizerChange(id: $0.id, action: $0.action, except: $0.except)
        }
        if !pathSegments.isEmpty { extra.append(SanitizerRule(id: "pathSegments", kind: .pathSegments(pathSegments))) }
        if let names = keepOnlyHeaders { extra.append(SanitizerRule(id: "keepOnly", kind: .headersBut(names))) }
        if let pointers = keepOnlyJSON { extra.append(SanitizerRule(id: "keepOnly", kind: .jsonBut(pointers))) }
        return SanitizerRules(
            off: Set(off), on: Set(on), changes: changes, extra: extra, literals: literals + secrets,
            secretPlaces: places)
    }
}
