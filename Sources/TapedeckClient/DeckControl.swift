public import ControlAPI
import Dispatch
import HTTPCore
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The control API of a running deck.
///
/// Every call is one request with one deadline; where a session can be named, nil means the default one. What the deck refuses is thrown as `TapedeckError` with code `refused`.
public struct DeckControl: Sendable {
    /// The control API's base URL, `http://HOST:PORT`.
    public let url: String
    private let client: WireClient
    private let token: String?

    /// - Parameters:
    ///   - url: the control address that the deck printed, `http://HOST:PORT`; `http://` may be left out.
    ///   - token: the deck's control token, if it has one.
    ///   - timeout: the longest time that one call may take.
    /// - Throws: `invalidAddress`.
    public init(_ url: String, token: String? = nil, timeout: Duration = .seconds(30)) throws(TapedeckError) {
        let place = url.hasPrefix("http://") ? String(url.dropFirst(7)) : url
        let authority = try? Authority.parse((place.hasSuffix("/") ? String(place.dropLast()) : place).utf8)
        guard let authority, !authority.host.isEmpty else {
            throw TapedeckError(
                .invalidAddress, "\"\(url)\" is no control address", advice: "it looks like http://localhost:4751")
        }
        self.url = "http://" + authority.text
        self.token = token
        client = WireClient(
            host: authority.host.filter { $0 != "[" && $0 != "]" }, port: authority.port(defaultFor: "http"),
            timeout: timeout)
    }

    /// What the deck does and has counted.
    public func health(session: String? = nil) async throws(TapedeckError) -> Health {
        try await call("GET", place(ControlPath.health, session))
    }

    /// Returns once the deck takes requests, asking again and again until then.
    ///
    /// - Parameter limit: how long to go on asking.
    /// - Throws: what the last attempt threw when the time is up; `unexpectedAnswer` and `refused` at once.
    public func waitUntilReady(for limit: Duration = .seconds(30)) async throws(TapedeckError) -> Health {
        let end = ContinuousClock.now + limit
        while true {
            do throws(TapedeckError) {
                return try await health()
            } catch {
                let isTemporary = error.code == .notRunning || error.code == .timedOut
                guard isTemporary, ContinuousClock.now < end else { throw error }
            }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { continuation.resume() }
            }
        }
    }

    /// The configured routes, with the variant of each.
    public func routes(session: String? = nil) async throws(TapedeckError) -> [RouteState] {
        let list: RouteList = try await call("GET", place(ControlPath.routes, session))
        return list.routes
    }

    /// The configured scenarios and which is active.
    public func scenarios(session: String? = nil) async throws(TapedeckError) -> ScenarioList {
        try await call("GET", place(ControlPath.scenarios, session))
    }

    /// Makes a scenario the active one; nil means none.
    ///
    /// - Parameter atOnce: whether delayed answers go out and held connections are closed now; else exchanges under way end as
    ///   they began.
    @discardableResult
    public func choose(
        scenario: String?, atOnce: Bool = false, session: String? = nil
    ) async throws(TapedeckError) -> ScenarioList {
        try await call(
            "PUT", place(ControlPath.scenario, session),
            ScenarioChoice(scenario: scenario, atOnce: atOnce ? true : nil))
    }

    /// Chooses the variant of a route; nil gives the route back to the active scenario.
    @discardableResult
    public func choose(
        variant: String?, ofRoute route: String, session: String? = nil
    ) async throws(TapedeckError) -> RouteState {
        try await call("PUT", place(ControlPath.variant(ofRoute: route), session), VariantChoice(variant: variant))
    }

    /// Sets the added delay of all answers: `none`, `recorded`, or a duration such as `750ms`.
    @discardableResult
    public func set(latency: String, session: String? = nil) async throws(TapedeckError) -> LatencyChoice {
        try await call("PUT", place(ControlPath.latency, session), LatencyChoice(latency: latency))
    }

    /// Answers every exchange as if there were no network, or no longer.
    @discardableResult
    public func set(offline: Bool, session: String? = nil) async throws(TapedeckError) -> OfflineChoice {
        try await call("PUT", place(ControlPath.offline, session), OfflineChoice(offline: offline))
    }

    /// Begins the session anew: choices, faults' counters and cursors as at start, an empty journal. What was counted stays.
    @discardableResult
    public func reset(session: String? = nil) async throws(TapedeckError) -> Health {
        try await call("POST", place(ControlPath.reset, session), [String: String]())
    }

    /// Lets the access token expire: the next exchange of a route that does not sign in gets one 401.
    @discardableResult
    public func expireToken(session: String? = nil) async throws(TapedeckError) -> ExpiryReport {
        try await call("POST", place(ControlPath.expireToken, session), [String: String]())
    }

    /// Lets the deck read its configuration again; a bad one changes nothing and is refused with all its problems.
    @discardableResult
    public func reload() async throws(TapedeckError) -> ReloadReport {
        try await call("POST", ControlPath.reload, [String: String]())
    }

    /// The deck's figures in Prometheus' text format.
    public func metrics() async throws(TapedeckError) -> [UInt8] { try await document(ControlPath.metrics) }

    /// The description of the control API (OpenAPI 3.1).
    public func openAPI() async throws(TapedeckError) -> [UInt8] { try await document(ControlPath.openAPI) }

    /// The JSON Schema of `tapedeck.json`.
    public func configurationSchema() async throws(TapedeckError) -> [UInt8] {
        try await document(ControlPath.schema)
    }

    /// Hands over what happens in the deck, as it happens, until the deck stops.
    ///
    /// - Parameters:
    ///   - session: only what is about this session; nil for everything.
    ///   - take: called on a thread of its own; false ends it, with the next event or after a quarter of a minute.
    public func events(
        session: String? = nil, _ take: @escaping @Sendable (DeckEvent) -> Bool
    ) async throws(TapedeckError) {
        let lines = Mutex(EventLines())
        let endless = WireClient(host: client.host, port: client.port, timeout: .seconds(86_000))
        let response: WireResponse?
        do throws(WireError) {
            response = try await endless.stream(request("GET", place(ControlPath.events, session))) { piece in
                lines.withLock { $0.take(piece) }.allSatisfy { take($0) }
            }
        } catch {
            throw unreachable(error)
        }
        if let response, response.head.status != 200 { throw refused(response) }
    }

    /// Drains and stops the deck, and returns its verdict.
    @discardableResult
    public func stop() async throws(TapedeckError) -> StopReport {
        try await call("POST", ControlPath.stop, [String: String]())
    }

    /// A resource for a session.
    private func place(_ path: String, _ session: String?) -> String { ControlPath.query(path, [("session", session)]) }

    func call<Answer: Decodable>(
        _ method: String, _ path: String, _ document: (any Encodable)? = nil
    ) async throws(TapedeckError) -> Answer {
        var body: [UInt8]?
        if let document { body = try encode(document) }
        return try await call(method, path, body: body)
    }

    /// - Parameter body: a document as it is sent.
    func call<Answer: Decodable>(
        _ method: String, _ path: String, body: [UInt8]?
    ) async throws(TapedeckError) -> Answer {
        var request = request(method, path)
        if let body {
            request.fields.append("Content-Type", "application/json")
            request.body = body
        }
        let response: WireResponse
        do throws(WireError) {
            response = try await client.perform(request)
        } catch {
            throw unreachable(error)
        }
        guard response.head.status == 200 else {
            throw refused(response)
        }
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(response.body))
        } catch {
            throw TapedeckError(
                .unexpectedAnswer, "what \(url)\(path) answered is not understood",
                advice: "is this a deck of another version? See tapedeck version")
        }
    }

    private func request(_ method: String, _ path: String) -> WireRequest {
        var request = WireRequest(method, path)
        request.fields.append("Accept", "application/json")
        if let token {
            request.fields.append("Authorization", "Bearer \(token)")
        }
        return request
    }

    /// A document as it is.
    private func document(_ path: String) async throws(TapedeckError) -> [UInt8] {
        let response: WireResponse
        do throws(WireError) {
            response = try await client.perform(request("GET", path))
        } catch {
            throw unreachable(error)
        }
        guard response.head.status == 200 else { throw refused(response) }
        return response.body
    }

    private func encode(_ document: any Encodable) throws(TapedeckError) -> [UInt8] {
        do {
            return [UInt8](try JSONEncoder().encode(document))
        } catch {
            throw TapedeckError(.invalidAddress, "the request cannot be written as JSON")
        }
    }

    private func unreachable(_ error: WireError) -> TapedeckError {
        switch error {
        case .refused, .unknownHost:
            TapedeckError(
                .notRunning, "nothing listens at \(url)",
                advice: "start tapedeck, or give --control its control address")
        case .timedOut:
            TapedeckError(.timedOut, "no answer from \(url) in time", advice: "is this a deck's control address?")
        default:
            TapedeckError(
                .unexpectedAnswer, "\(url): \(error.description)", advice: "is this a deck's control address?")
        }
    }

    private func refused(_ response: WireResponse) -> TapedeckError {
        guard let problem = try? JSONDecoder().decode(Problem.self, from: Data(response.body)) else {
            return TapedeckError(
                .unexpectedAnswer, "\(url) answered with status \(response.head.status)",
                advice: "is this a deck's control address?")
        }
        return TapedeckError(.refused, problem.detail ?? problem.title, advice: problem.advice)
    }
}
