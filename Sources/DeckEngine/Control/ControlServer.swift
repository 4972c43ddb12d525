import ControlAPI
import FoundationEssentials
import HTTPCore
import Transport

/// The control API on its own listener: checks first, then one handler per resource.
///
/// It answers JSON only, sends no CORS fields, and takes changes only as `application/json`, so that no page in a
/// browser can drive it.
struct ControlServer: Sendable {
    /// The largest request body, in octets.
    static let maxBody = 65_536

    /// The deck that is driven.
    let surface: any ControlSurface
    /// The token that requests must carry; nil needs none.
    let token: String?
    /// The names that the control listener answers to, with port: the check against DNS rebinding.
    let names: Set<String>

    /// Answers one request, which asks for `target` (origin form).
    func answer(_ http: ServerExchange, target: Bytes) async {
        do throws(ConnectionError) {
            let answer: ControlAnswer
            do throws(Refusal) {
                answer = try await respond(http, String(decoding: target, as: UTF8.self))
            } catch {
                answer = ControlAnswer(refusal: error)
            }
            try await http.respond(answer.head, body: answer.body)
        } catch {
            return  // The client has left; there is nobody to tell.
        }
    }

    private func respond(_ http: ServerExchange, _ target: String) async throws(Refusal) -> ControlAnswer {
        try checkHost(http)
        try checkToken(http)
        let path = String(target.prefix { $0 != "?" })
        let method = http.head.method
        if method == "GET" || method == "HEAD" { return try await read(path) }
        guard ["PUT", "POST", "DELETE"].contains(method) else {
            throw Refusal(405, "method", "\(method) is not used here.", "Use GET, PUT or POST.")
        }
        guard let type = http.head.fields.first("Content-Type").flatMap(MediaType.parse),
            type.type == "application", type.subtype == "json"
        else {
            throw Refusal(
                415, "media-type", "Changes are taken as application/json only.",
                "Send the field Content-Type: application/json.")
        }
        let body: Bytes
        do throws(ConnectionError) {
            body = try await http.readWholeBody(limit: Self.maxBody)
        } catch {
            throw Refusal(413, "too-large", "The body is larger than \(Self.maxBody) octets.", "Send a smaller one.")
        }
        return try await change(method, path, body)
    }

    private func read(_ path: String) async throws(Refusal) -> ControlAnswer {
        switch path {
        case ControlPath.health: try ControlAnswer(document: surface.health())
        case ControlPath.routes: try ControlAnswer(document: RouteList(routes: surface.routes()))
        case ControlPath.scenarios: try ControlAnswer(document: surface.scenarios())
        default: throw Refusal.unknown(path)
        }
    }

    private func change(_ method: String, _ path: String, _ body: Bytes) async throws(Refusal) -> ControlAnswer {
        switch (method, path) {
        case ("PUT", ControlPath.scenario):
            return try ControlAnswer(document: surface.choose(scenario: decode(ScenarioChoice.self, body).scenario))
        case ("PUT", ControlPath.latency):
            return try ControlAnswer(document: surface.set(latency: decode(LatencyChoice.self, body)))
        case ("PUT", ControlPath.offline):
            return try ControlAnswer(document: surface.set(offline: decode(OfflineChoice.self, body)))
        case ("POST", ControlPath.stop):
            return try ControlAnswer(document: await surface.stop())
        case ("PUT", _):
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 4, parts[0].isEmpty, parts[1] == "routes", parts[3] == "variant" else {
                throw Refusal.unknown(path)
            }
            let name = String(decoding: percentDecode(parts[2].utf8, plusIsSpace: false), as: UTF8.self)
            let choice = try decode(VariantChoice.self, body)
            return try ControlAnswer(document: surface.choose(variant: choice.variant, ofRoute: name))
        default:
            throw Refusal.unknown(path)
        }
    }

    private func decode<Document: Decodable>(_ type: Document.Type, _ body: Bytes) throws(Refusal) -> Document {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw Refusal(
                400, "document", "The body is not the JSON document that this resource takes (\(type)).",
                "See `tapedeck ctl --help` for the same by command.")
        }
    }

    private func checkHost(_ http: ServerExchange) throws(Refusal) {
        let host: String
        if case .absolute(_, let authority, _, _) = http.target {
            host = authority.text
        } else {
            host = http.head.fields.text("Host")?.lowercased() ?? ""
        }
        guard names.contains(host) else {
            throw Refusal(
                403, "host", "The Host field does not name this control listener.",
                "Use the address that tapedeck printed at start.")
        }
    }

    private func checkToken(_ http: ServerExchange) throws(Refusal) {
        guard let token else { return }
        let given = http.head.fields.first("Authorization").map(Bytes.init) ?? []
        guard constantTimeEqual(given, Bytes("Bearer \(token)".utf8)) else {
            throw Refusal(
                401, "token", "The control token is missing or wrong.",
                "Give --control-token, or set TAPEDECK_CONTROL_TOKEN.")
        }
    }

    /// Compares without telling by its time where the octets differ.
    private func constantTimeEqual(_ a: Bytes, _ b: Bytes) -> Bool {
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
