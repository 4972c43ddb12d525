import ControlAPI
import FoundationEssentials
import HTTPCore

/// A request of the control API that is refused: what is wrong and what to do.
struct Refusal: Error, Sendable, Equatable {
    var status: Int
    /// Fixed, without variable parts.
    var type: String
    var detail: String
    var advice: String
    /// Where several things are wrong, each in a sentence.
    var problems: [String]
    /// What goes with the answer besides the document: `Allow`.
    var fields = Fields()

    init(_ status: Int, _ type: String, _ detail: String, _ advice: String, problems: [String] = []) {
        self.status = status
        self.type = type
        self.detail = detail
        self.advice = advice
        self.problems = problems
    }

    static func unknown(_ path: String) -> Refusal {
        Refusal(
            404, "unknown-resource", "There is no resource \(path) for this method.",
            "See /openapi.json, or `tapedeck ctl --help`, for what there is.")
    }
}

/// An answer of the control API.
struct ControlAnswer: Sendable {
    var head: ResponseHead
    var body: Bytes
    /// What is sent as it happens, in place of a body.
    var events: (hub: EventHub, session: String?)?

    /// A document as JSON with sorted keys.
    init(document: some Encodable) throws(Refusal) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(document) else {
            throw Refusal(500, "encoding", "The document could not be written.", "Report this as a defect.")
        }
        self.init(status: 200, type: "application/json", body: Bytes(data) + [0x0A])
    }

    init(refusal: Refusal) {
        let problem = ControlAPI.Problem(
            type: refusal.type, title: reasonPhrase(refusal.status), status: refusal.status, detail: refusal.detail,
            advice: refusal.advice, problems: refusal.problems.isEmpty ? nil : refusal.problems)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let body = (try? encoder.encode(problem)).map { Bytes($0) } ?? []
        self.init(status: refusal.status, type: ControlAPI.Problem.contentType, body: body + [0x0A])
        for index in 0..<refusal.fields.count {
            head.fields.append(name: refusal.fields.name(at: index), value: refusal.fields.value(at: index))
        }
        if refusal.status == 401 { head.fields.append("WWW-Authenticate", "Bearer realm=\"tapedeck control\"") }
    }

    /// A stream of what happens from now on, in one session or in all.
    init(events: EventHub, of session: String?) {
        self.init(status: 200, type: "text/event-stream", body: [])
        self.events = (events, session)
    }

    init(status: Int, type: String, body: Bytes) {
        var fields = Fields()
        fields.append("Content-Type", type)
        fields.append("Cache-Control", "no-store")
        head = ResponseHead(version: .http11, status: status, reason: Bytes(reasonPhrase(status).utf8), fields: fields)
        self.body = body
    }
}
