/// What an interaction's `match` says: rules for this interaction alone, laid over those that hold for its request.
package struct InteractionMatch: Sendable, Hashable {
    package var ignoreQuery: [String] = []
    package var ignoreBody: [String] = []
    package var headers: [String] = []
    /// Nil leaves what holds for the request.
    package var body: MatchRules.Body?
    /// Nil leaves what holds for the request.
    package var graphQL: MatchRules.GraphQL?

    package init() {}

    /// Reads the value as an interaction's file has it.
    ///
    /// - Throws: `ShapeProblem` for a value of the wrong kind and for a rule that is not known.
    init(_ value: JSONValue) throws(ShapeProblem) {
        var object = try ObjectReader(value, "the match rule")
        ignoreQuery = try object.take("ignoreQuery", Self.texts) ?? []
        ignoreBody = try object.take("ignoreBody", Self.pointers) ?? []
        headers = try object.take("headers", Self.texts) ?? []
        body = try object.take("body") { value throws(ShapeProblem) in try Self.word(value, of: MatchRules.Body.self) }
        graphQL = try object.take("graphql") { value throws(ShapeProblem) in
            try Self.word(value, of: MatchRules.GraphQL.self)
        }
        if let unknown = object.unknown.first {
            throw ShapeProblem(
                path: [.key(unknown.key.text)], message: "there is no match rule of this name",
                advice: "Use ignoreQuery, ignoreBody, headers, body or graphql")
        }
    }

    /// The rules that hold for the interaction.
    package func rules(over base: MatchRules) -> MatchRules {
        var rules = base
        rules.ignoreQuery += ignoreQuery
        rules.ignoreBody += ignoreBody
        rules.headers += headers
        rules.body = body ?? rules.body
        rules.graphQL = graphQL ?? rules.graphQL
        return rules
    }

    /// Whether it asks for more and lets nothing go, so that it is tried before the rules for all.
    package var isStricter: Bool {
        !headers.isEmpty && ignoreQuery.isEmpty && ignoreBody.isEmpty && body == nil && graphQL == nil
    }

    private static func texts(_ value: JSONValue) throws(ShapeProblem) -> [String] {
        if case .string(let text) = value { return [text.text] }
        return try Shape.array(value, of: Shape.text)
    }

    private static func pointers(_ value: JSONValue) throws(ShapeProblem) -> [String] {
        let pointers = try texts(value)
        guard pointers.allSatisfy({ $0.hasPrefix("/") }) else {
            throw ShapeProblem(message: "a JSON pointer begins with a slash", advice: "Write one as /items/*/id")
        }
        return pointers
    }

    private static func word<Word: RawRepresentable & CaseIterable>(
        _ value: JSONValue, of type: Word.Type
    ) throws(ShapeProblem) -> Word where Word.RawValue == String {
        let text = try Shape.text(value)
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw ShapeProblem(message: "the word \"\(text)\" means nothing here", advice: "Use one of \(words)")
    }
}

extension Interaction {
    /// The rules for this interaction alone; nil where it has none.
    package var ownMatch: InteractionMatch? { match.flatMap { try? InteractionMatch($0) } }
}
