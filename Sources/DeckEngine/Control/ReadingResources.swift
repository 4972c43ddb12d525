import ControlAPI

extension ControlResource {
    /// What a deck is and has, and the documents about it.
    static let reading = [
        ControlResource(
            "GET", ControlPath.health, "health", "Is the deck up, what does it do, what has it counted",
            takes: .session, gives: .document(Health.self, "The deck is up.")
        ) { (deck, request) async throws(Refusal) in
            try ControlAnswer(document: deck.health(in: request.session))
        },
        ControlResource(
            "GET", ControlPath.routes, "routes", "The configured routes, with the variant of each",
            takes: .session, gives: .document(RouteList.self, "The routes in the order of the configuration.")
        ) { (deck, request) async throws(Refusal) in
            try ControlAnswer(document: RouteList(routes: deck.routes(in: request.session)))
        },
        ControlResource(
            "GET", ControlPath.scenarios, "scenarios", "The configured scenarios and which is active",
            takes: .session, gives: .document(ScenarioList.self, "The scenarios in alphabetical order.")
        ) { (deck, request) async throws(Refusal) in
            try ControlAnswer(document: deck.scenarios(in: request.session))
        },
        ControlResource(
            "GET", ControlPath.metrics, "metrics", "Figures in Prometheus' text format",
            gives: Gives(
                mediaType: "text/plain", words: "Exchanges, a histogram of their times, upstream connections.")
        ) { (deck, _) async throws(Refusal) in
            ControlAnswer(status: 200, type: "text/plain; version=0.0.4; charset=utf-8", body: deck.metrics())
        },
        ControlResource(
            "GET", ControlPath.events, "events", "What happens, as it happens (server-sent events)",
            takes: Takes(query: [
                ControlParameter("session", .text, "Only what is about this session; everything where it is missing.")
            ]),
            gives: Gives(
                mediaType: "text/event-stream",
                words: "Events named exchange (ExchangeEvent) and change (ChangeEvent), until the deck stops.")
        ) { (deck, request) async throws(Refusal) in
            if let session = request.session { _ = try deck.core(session) }
            return ControlAnswer(events: deck.eventHub, of: request.session)
        },
        ControlResource(
            "GET", ControlPath.openAPI, "openapi", "This document",
            gives: Gives(mediaType: "application/json", document: "", words: "The description of this API.")
        ) { (_, _) async throws(Refusal) in
            ControlAnswer(status: 200, type: "application/json", body: openAPIDocument)
        },
        ControlResource(
            "GET", ControlPath.schema, "schema", "The JSON Schema of tapedeck.json",
            gives: Gives(mediaType: "application/schema+json", document: "", words: "A JSON Schema.")
        ) { (_, _) async throws(Refusal) in
            ControlAnswer(status: 200, type: "application/schema+json", body: Array(configurationSchema.utf8))
        },
    ]
}
