import CassetteKit
import DeckRules
import HTTPCore

/// A route as read: `route` is nil where its pattern cannot be read.
struct ReadRoute {
    var name: String
    var route: Route?
    var match: ConfiguredMatch
}

extension ConfigurationReader {
    static let routeKeys = [
        "match", "auth", "record", "graphql", "variants", "playback", "ignoreQuery", "ignoreBody", "headers", "body",
        "optional", "restart", "anyPath", "substitute", "clock",
    ]

    mutating func readRoutes(_ node: Node, _ readFile: (String) -> [UInt8]?) -> [ReadRoute] {
        members(node).map { name, node in
            checkName(name, of: "route", at: node.path)
            return readRoute(name, node, readFile)
        }
    }

    private mutating func readRoute(_ name: String, _ node: Node, _ readFile: (String) -> [UInt8]?) -> ReadRoute {
        let members = object(node, known: Self.routeKeys)
        if members["match"] == nil, node.value.members != nil {
            report(node.path, "the route has no pattern", advice: "add \"match\": \"GET /path\"")
        }
        let match = readMatchKeys(members)
        let pattern = members["match"].flatMap { reading($0, as: "a pattern", RoutePattern.parse) }
        var variants: [String: VariantDefinition] = [:]
        for (name, node) in optionalMembers(members["variants"]) {
            checkName(name, of: "variant", at: node.path)
            variants[name] = readVariant(node, readFile)
        }
        let isAuth = members["auth"].flatMap { bool($0) } ?? false
        let isRecorded = members["record"].flatMap { bool($0) } ?? true
        let isOptional = members["optional"].flatMap { bool($0) } ?? false
        let restarts = members["restart"].flatMap { bool($0) } ?? false
        let playback = members["playback"].flatMap { choice($0, as: "playback policy", of: PlaybackPolicy.self) }
        let shared = readShared(members, pattern)
        let times = members["clock"].map { readPointers($0) } ?? []
        let operation = members["graphql"].flatMap { string($0, as: "an operation's name") }
        let route = pattern.map { pattern in
            Route(
                name: name, pattern: pattern, operation: operation, isAuth: isAuth, isRecorded: isRecorded,
                ignoredQuery: match.ignoreQuery.map { normalizePercent($0.utf8) }, isOptional: isOptional,
                restarts: restarts, playback: playback, anyPath: shared.names, substitutes: shared.substitutes,
                clockPointers: times, variants: variants)
        }
        return ReadRoute(name: name, route: route, match: match)
    }

    /// The parameters whose values share one recording; each must stand in the route's path.
    private mutating func readShared(
        _ members: [String: Node], _ pattern: RoutePattern?
    ) -> (names: [String], substitutes: Bool) {
        let known = pattern?.pathParameterNames
        let read = { (name: String) throws(RuleError) -> String in
            guard let known, !known.contains(name) else { return name }
            let advice =
                known.isEmpty
                ? "write {\(name)} for the segment in \"match\"" : suggestion(for: name, among: known)
            throw RuleError("the route's path has no parameter `\(name)`", advice: advice)
        }
        let names = members["anyPath"].map { list($0).compactMap { reading($0, as: "a parameter's name", read) } }
        let substitutes = members["substitute"].flatMap { bool($0) } ?? false
        if substitutes, names == nil, let node = members["substitute"] {
            report(
                node.path, "nothing is substituted without `anyPath`",
                advice: "name the parameters whose values share one recording: \"anyPath\": [\"itemId\"]")
        }
        return (names ?? [], substitutes)
    }

    mutating func readScenarios(_ node: Node) -> [Scenario] {
        var read: [String: (scenario: Scenario, bases: [Node])] = [:]
        let all = members(node)
        for (name, node) in all {
            checkName(name, of: "scenario", at: node.path)
            var scenario = Scenario(name: name)
            var bases: [Node] = []
            for (route, choice) in members(node) {
                if route == "extends" {
                    bases = list(choice)
                } else if let variant = string(choice, as: "a variant's name") {
                    if route == "*" { scenario.star = variant } else { scenario.entries[route] = variant }
                }
            }
            read[name] = (scenario, bases)
        }
        return all.map { extended($0.key, read, []) ?? Scenario(name: $0.key) }
    }

    /// A scenario with what those say that it extends: a later one's word over an earlier one's, its own over all.
    private mutating func extended(
        _ name: String, _ read: [String: (scenario: Scenario, bases: [Node])], _ below: [String]
    ) -> Scenario? {
        guard let (own, bases) = read[name] else { return nil }
        var whole = Scenario(name: name)
        for node in bases {
            guard let base = string(node, as: "a scenario's name") else { continue }
            if base == name || below.contains(base) {
                // Told for each scenario of the circle, and not for those that lead into it.
                if base == below.first ?? name {
                    report(node.path, "the scenario extends itself", advice: "take one `extends` out")
                }
                continue
            }
            guard let scenario = extended(base, read, below + [name]) else {
                if below.isEmpty {
                    report(
                        node.path, "there is no scenario `\(base)`",
                        advice: suggestion(for: base, among: Array(read.keys)))
                }
                continue
            }
            whole.star = scenario.star ?? whole.star
            whole.entries.merge(scenario.entries) { $1 }
        }
        whole.star = own.star ?? whole.star
        whole.entries.merge(own.entries) { $1 }
        return whole
    }

    /// The `"match"` of the whole configuration.
    mutating func readMatch(_ node: Node) -> ConfiguredMatch {
        readMatchKeys(
            object(node, known: ["ignoreQuery", "ignoreBody", "headers", "body", "graphql"]), allowsGraphQL: true)
    }

    private mutating func readMatchKeys(_ members: [String: Node], allowsGraphQL: Bool = false) -> ConfiguredMatch {
        var match = ConfiguredMatch()
        match.ignoreQuery = members["ignoreQuery"].map { strings($0, as: "a query item's name") } ?? []
        match.ignoreBody = members["ignoreBody"].map { readPointers($0).map(\.description) } ?? []
        match.headers =
            members["headers"].map { list($0).compactMap { reading($0, as: "a field's name", checkedFieldName) } } ?? []
        match.body = members["body"].flatMap { choice($0, as: "way to compare bodies", of: ConfiguredMatch.Body.self) }
        if allowsGraphQL {
            match.graphql = members["graphql"].flatMap {
                choice($0, as: "way to compare GraphQL", of: ConfiguredMatch.GraphQL.self)
            }
        }
        return match
    }

    /// JSON pointers, one or a list.
    mutating func readPointers(_ node: Node) -> [EditPointer] {
        list(node).compactMap { node in
            if node.value.text == "" { return try? EditPointer("") }
            return reading(node, as: "a JSON pointer", EditPointer.init)
        }
    }
}

/// Checks a field's name (RFC 9110 §5.1).
func checkedFieldName(_ text: String) throws(RuleError) -> String {
    let isToken = text.utf8.allSatisfy { octet in
        (octet | 0x20) >= 0x61 && (octet | 0x20) <= 0x7a || octet >= 0x30 && octet <= 0x39
            || "!#$%&'*+-.^_`|~".utf8.contains(octet)
    }
    if !isToken || text.isEmpty {
        throw RuleError("`\(text)` is no header field's name", advice: "write it without colon and spaces")
    }
    return text
}
