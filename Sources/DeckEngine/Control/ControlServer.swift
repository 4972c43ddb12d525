import ControlAPI
import HTTPCore
import Transport

/// The control API on its own listener: checks first, then the resource's row of the table (`ControlResource`).
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
            if let events = answer.events, http.head.method != "HEAD" {
                try await http.begin(answer.head, .chunked)
                try await events.hub.stream(to: http, of: events.session)
            } else {
                try await http.respond(answer.head, body: answer.body)
            }
        } catch {
            return  // The client has left; there is nobody to tell.
        }
    }

    private func respond(_ http: ServerExchange, _ target: String) async throws(Refusal) -> ControlAnswer {
        try checkHost(http)
        try checkToken(http)
        let path = String(target.prefix { $0 != "?" })
        let method = http.head.method == "HEAD" ? "GET" : http.head.method
        let (resource, names) = try find(method, path)
        var request = ControlRequest(names: names, query: ControlRequest.query(of: target))
        try resource.check(query: request.query)
        if method == "PUT" || method == "POST" || http.framing != .none && http.framing != .length(0) {
            try checkMediaType(http)
        }
        request.body = try await body(of: http)
        return try await resource.action(surface, request)
    }

    private func find(_ method: String, _ path: String) throws(Refusal) -> (ControlResource, [String: String]) {
        var allowed: [String] = []
        for resource in ControlResource.all {
            guard let names = resource.names(in: path) else { continue }
            if resource.method == method { return (resource, names) }
            allowed.append(resource.method)
        }
        guard !allowed.isEmpty else { throw Refusal.unknown(path) }
        let methods = allowed.joined(separator: ", ")
        var refusal = Refusal(405, "method", "\(method) is not used on \(path).", "Use \(methods).")
        refusal.fields.append("Allow", methods)
        throw refusal
    }

    private func checkMediaType(_ http: ServerExchange) throws(Refusal) {
        guard let type = http.head.fields.first("Content-Type").flatMap(MediaType.parse),
            type.type == "application", type.subtype == "json"
        else {
            throw Refusal(
                415, "media-type", "Changes are taken as application/json only.",
                "Send the field Content-Type: application/json.")
        }
    }

    private func body(of http: ServerExchange) async throws(Refusal) -> Bytes {
        do throws(ConnectionError) {
            return try await http.readWholeBody(limit: Self.maxBody)
        } catch {
            if case .malformed = error {
                throw Refusal(400, "malformed", "The body is not what its head says.", "Send it with Content-Length.")
            }
            http.closesAfter = true
            throw Refusal(413, "too-large", "The body is larger than \(Self.maxBody) octets.", "Send a smaller one.")
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
