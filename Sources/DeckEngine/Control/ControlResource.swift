import ControlAPI
import DeckRules
import HTTPCore

/// One resource of the control API under one method: what it takes, what it gives, what it refuses, and what it does.
///
/// The description of the API is made from these rows, so that a new one is described when it is there.
struct ControlResource: Sendable {
    typealias Action = @Sendable (any ControlSurface, ControlRequest) async throws(Refusal) -> ControlAnswer

    /// What a request brings.
    struct Takes: Sendable {
        /// A body's document: its type's name, empty for an object of any kind.
        struct Body: Sendable {
            var document: String
            var isRequired = true
        }

        var query: [ControlParameter] = []
        var body: Body?

        static let nothing = Takes()
        static let session = Takes(query: [.session])

        /// A document, and the session that it is for.
        static func document(_ type: Any.Type) -> Takes {
            Takes(query: [.session], body: Body(document: String(describing: type)))
        }

        /// An object that needs no members, for the session that it is for.
        static let object = Takes(query: [.session], body: Body(document: ""))
    }

    /// What a success brings.
    struct Gives: Sendable {
        var mediaType: String
        /// The type's name, empty for an object of any kind; nil for text.
        var document: String?
        var words: String

        static func document(_ type: Any.Type, _ words: String) -> Gives {
            Gives(mediaType: "application/json", document: String(describing: type), words: words)
        }
    }

    let method: String
    /// The path with a name in braces for a segment that varies, as the OpenAPI document has it.
    let path: String
    /// The operation's name in the OpenAPI document.
    let name: String
    let summary: String
    let takes: Takes
    let gives: Gives
    /// Statuses of refusals besides those that follow from what it takes.
    let refuses: [Int]
    let action: Action

    init(
        _ method: String, _ path: String, _ name: String, _ summary: String, takes: Takes = .nothing, gives: Gives,
        refuses: [Int] = [], _ action: @escaping Action
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.summary = summary
        self.takes = takes
        self.gives = gives
        self.refuses = refuses
        self.action = action
    }

    /// The name in the path, if there is one.
    var nameInPath: String? {
        path.split(separator: "/").first { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// The statuses of all refusals, in order.
    var refusals: [Int] {
        var statuses: Set<Int> = [400, 401, 403, 413]
        if nameInPath != nil || takes.query.contains(where: { $0.name == "session" }) { statuses.insert(404) }
        if takes.body != nil { statuses.insert(415) }
        return statuses.union(refuses).sorted()
    }

    /// What stands in place of the path's names, decoded; nil where it is another path.
    func names(in path: String) -> [String: String]? {
        let pattern = self.path.split(separator: "/", omittingEmptySubsequences: false)
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard pattern.count == parts.count else { return nil }
        var names: [String: String] = [:]
        for (wanted, part) in zip(pattern, parts) {
            if wanted.hasPrefix("{") {
                if part.isEmpty { return nil }
                names[String(wanted.dropFirst().dropLast())] = ControlRequest.decoded(part)
            } else if wanted != part {
                return nil
            }
        }
        return names
    }

    /// Checks the items of the query that it takes; others mean nothing.
    func check(query: [String: String]) throws(Refusal) {
        for parameter in takes.query {
            guard let text = query[parameter.name], !parameter.takes(text) else { continue }
            throw Refusal(
                400, "query", "\(parameter.name)=\(text) is not \(parameter.kind.words).",
                "See /openapi.json for what the query takes.")
        }
    }

    /// The table of the control API: a row for each resource and method.
    static let all: [ControlResource] = reading + choosing + doing + sessions + seen
}

extension Refusal {
    /// What a status of a refusal means in all resources.
    static func meaning(of status: Int) -> String {
        switch status {
        case 400: "What was sent is malformed."
        case 401: "The control token is missing or wrong."
        case 403: "The Host field does not name this listener."
        case 404: "There is no session, or none of what the request names."
        case 409: "It does not go with what the deck is or has."
        case 413: "The body is larger than \(ControlServer.maxBody) octets."
        case 415: "The body is not application/json."
        case 422: "The configuration can't be taken; the one before still holds."
        case 429: "There are as many as there can be."
        default: reasonPhrase(status)
        }
    }
}
