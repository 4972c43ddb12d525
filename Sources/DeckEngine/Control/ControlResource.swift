import ControlAPI
import DeckRules

/// One resource of the control API under one method, and what it does.
struct ControlResource: Sendable {
    typealias Action = @Sendable (any ControlSurface, ControlRequest) async throws(Refusal) -> ControlAnswer

    let method: String
    /// The path with a name in braces for a segment that varies, as the OpenAPI document has it.
    let path: String
    let action: Action

    init(_ method: String, _ path: String, _ action: @escaping Action) {
        self.method = method
        self.path = path
        self.action = action
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
}

extension ControlResource {
    /// The table of the control API: a row for each resource and method.
    static let all: [ControlResource] = reading + choosing + doing + sessions

    private static let reading = [
        ControlResource("GET", ControlPath.health) { (deck, request) async throws(Refusal) in
            try ControlAnswer(document: deck.health(in: request.session))
        },
        ControlResource("GET", ControlPath.routes) { (deck, request) async throws(Refusal) in
            try ControlAnswer(document: RouteList(routes: deck.routes(in: request.session)))
        },
        ControlResource("GET", ControlPath.scenarios) { (deck, request) async throws(Refusal) in
            try ControlAnswer(document: deck.scenarios(in: request.session))
        },
        ControlResource("GET", ControlPath.metrics) { (deck, _) async throws(Refusal) in
            ControlAnswer(status: 200, type: "text/plain; version=0.0.4; charset=utf-8", body: deck.metrics())
        },
        ControlResource("GET", ControlPath.events) { (deck, _) async throws(Refusal) in
            ControlAnswer(events: deck.eventHub)
        },
        ControlResource("GET", ControlPath.openAPI) { (_, _) async throws(Refusal) in
            ControlAnswer(status: 200, type: "application/json", body: Array(openAPIDocument.utf8))
        },
        ControlResource("GET", ControlPath.schema) { (_, _) async throws(Refusal) in
            ControlAnswer(status: 200, type: "application/schema+json", body: Array(configurationSchema.utf8))
        },
    ]

    private static let choosing = [
        ControlResource("PUT", ControlPath.scenario) { (deck, request) async throws(Refusal) in
            let choice = try request.document(ScenarioChoice.self)
            return try ControlAnswer(document: deck.choose(scenario: choice.scenario, in: request.session))
        },
        ControlResource("PUT", "/routes/{name}/variant") { (deck, request) async throws(Refusal) in
            let choice = try request.document(VariantChoice.self)
            return try ControlAnswer(
                document: deck.choose(
                    variant: choice.variant, ofRoute: request.names["name"] ?? "", in: request.session))
        },
        ControlResource("PUT", ControlPath.latency) { (deck, request) async throws(Refusal) in
            try ControlAnswer(document: deck.set(latency: request.document(LatencyChoice.self), in: request.session))
        },
        ControlResource("PUT", ControlPath.offline) { (deck, request) async throws(Refusal) in
            try ControlAnswer(document: deck.set(offline: request.document(OfflineChoice.self), in: request.session))
        },
    ]

    private static let doing = [
        ControlResource("POST", ControlPath.reset) { (deck, request) async throws(Refusal) in
            try request.checkObject()
            return try ControlAnswer(document: deck.reset(in: request.session))
        },
        ControlResource("POST", ControlPath.expireToken) { (deck, request) async throws(Refusal) in
            try request.checkObject()
            return try ControlAnswer(document: deck.expireToken(in: request.session))
        },
        ControlResource("POST", ControlPath.reload) { (deck, request) async throws(Refusal) in
            try request.checkObject()
            return try ControlAnswer(document: await deck.reload())
        },
        ControlResource("POST", ControlPath.stop) { (deck, request) async throws(Refusal) in
            try request.checkObject()
            return try ControlAnswer(document: await deck.stop())
        },
    ]
}
