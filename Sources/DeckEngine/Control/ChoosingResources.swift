import ControlAPI

extension ControlResource {
    /// What clients get from now on.
    static let choosing = [
        ControlResource(
            "PUT", ControlPath.scenario, "chooseScenario", "Make a scenario the active one, or none",
            takes: .document(ScenarioChoice.self),
            gives: .document(ScenarioList.self, "It acts on the next exchange.")
        ) { (deck, request) async throws(Refusal) in
            let choice = try request.document(ScenarioChoice.self)
            return try ControlAnswer(
                document: await deck.choose(
                    scenario: choice.scenario, atOnce: choice.atOnce == true, in: request.session))
        },
        ControlResource(
            "PUT", "/routes/{name}/variant", "chooseVariant", "Choose the variant of one route",
            takes: .document(VariantChoice.self), gives: .document(RouteState.self, "It acts on the next exchange.")
        ) { (deck, request) async throws(Refusal) in
            let choice = try request.document(VariantChoice.self)
            return try ControlAnswer(
                document: await deck.choose(
                    variant: choice.variant, ofRoute: request.names["name"] ?? "", in: request.session))
        },
        ControlResource(
            "PUT", ControlPath.latency, "setLatency", "Delay every answer",
            takes: .document(LatencyChoice.self), gives: .document(LatencyChoice.self, "It acts on the next exchange.")
        ) { (deck, request) async throws(Refusal) in
            try ControlAnswer(
                document: await deck.set(latency: request.document(LatencyChoice.self), in: request.session))
        },
        ControlResource(
            "PUT", ControlPath.offline, "setOffline", "Answer as if there were no network, or no longer",
            takes: .document(OfflineChoice.self), gives: .document(OfflineChoice.self, "It acts on the next exchange.")
        ) { (deck, request) async throws(Refusal) in
            try ControlAnswer(
                document: await deck.set(offline: request.document(OfflineChoice.self), in: request.session))
        },
    ]

    /// What the deck does once.
    static let doing = [
        ControlResource(
            "POST", ControlPath.reset, "reset",
            "Begin the session anew: choices, fault counters and cursors as at start, an empty journal; counts stay",
            takes: .object, gives: .document(Health.self, "The session is as at start, but for what it has counted.")
        ) { (deck, request) async throws(Refusal) in
            try request.checkObject()
            return try ControlAnswer(document: await deck.reset(in: request.session))
        },
        ControlResource(
            "POST", ControlPath.expireToken, "expireToken",
            "Give the next exchange of a route that does not sign in one 401",
            takes: .object, gives: .document(ExpiryReport.self, "It acts on the next exchange.")
        ) { (deck, request) async throws(Refusal) in
            try request.checkObject()
            return try ControlAnswer(document: await deck.expireToken(in: request.session))
        },
        ControlResource(
            "POST", ControlPath.reload, "reload", "Read the configuration again: whole, or not at all",
            takes: Takes(body: Takes.Body(document: "")),
            gives: .document(ReloadReport.self, "It acts on new exchanges; sessions keep their cursors."),
            refuses: [422]
        ) { (deck, request) async throws(Refusal) in
            try request.checkObject()
            return try ControlAnswer(document: await deck.reload())
        },
        ControlResource(
            "POST", ControlPath.stop, "stop", "Drain, flush, stop, and say whether the run passed",
            takes: Takes(body: Takes.Body(document: "")), gives: .document(StopReport.self, "The deck has stopped.")
        ) { (deck, request) async throws(Refusal) in
            try request.checkObject()
            return try ControlAnswer(document: await deck.stop())
        },
    ]
}
