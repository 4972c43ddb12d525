import CassetteKit

/// An item that a resource of the control API takes in its query, or a name in its path.
struct ControlParameter: Sendable {
    enum Kind: Sendable {
        case text
        /// From 0 to `largestNumber`.
        case number
        case truth
        case choice([String])

        /// What a value has to be.
        var words: String {
            switch self {
            case .text: "text"
            case .number: "a number from 0 to \(ControlParameter.largestNumber)"
            case .truth: "true or false"
            case .choice(let words): "one of \(words.joined(separator: ", "))"
            }
        }
    }

    /// The largest number that a query or an assertion may name: more exchanges than any run has.
    static let largestNumber = 1_000_000_000

    var name: String
    var kind: Kind
    var words: String
    /// It stands in the path.
    var isInPath: Bool

    init(_ name: String, _ kind: Kind, _ words: String, inPath: Bool = false) {
        self.name = name
        self.kind = kind
        self.words = words
        isInPath = inPath
    }

    /// Which session is meant.
    static let session = ControlParameter("session", .text, "The session; the default one where it is missing.")

    /// The parameter as OpenAPI has it.
    var value: JSONValue {
        .object([
            JSONMember("name", .text(name)), JSONMember("in", .text(isInPath ? "path" : "query")),
            JSONMember("required", .bool(isInPath)), JSONMember("description", .text(words)),
            JSONMember("schema", .object(schema)),
        ])
    }

    private var schema: [JSONMember] {
        switch kind {
        case .text:
            [JSONMember("type", .text("string"))] + (isInPath ? [JSONMember("minLength", .integer(1))] : [])
        case .number:
            [
                JSONMember("type", .text("integer")), JSONMember("minimum", .integer(0)),
                JSONMember("maximum", .integer(Self.largestNumber)),
            ]
        case .truth: [JSONMember("type", .text("boolean"))]
        case .choice(let words):
            [JSONMember("type", .text("string")), JSONMember("enum", .array(words.map { .text($0) }))]
        }
    }

    /// Whether a request's item is one that the resource takes.
    func takes(_ text: String) -> Bool {
        switch kind {
        case .text: true
        case .number: Int(text).map { (0...Self.largestNumber).contains($0) } ?? false
        case .truth: text == "true" || text == "false"
        case .choice(let words): words.contains(text)
        }
    }
}
