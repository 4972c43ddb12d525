import HTTPCore

/// A response, or the error in its place, as the format writes it.
enum ResponseFormat {
    static func write(_ response: RecordedResponse) -> JSONValue {
        var members = [
            JSONMember("status", .integer(response.status)),
            JSONMember("reason", Shape.value(response.reason)),
            JSONMember("headers", FieldsFormat.write(response.fields)),
            JSONMember("framing", .text(response.framing.rawValue)),
        ]
        if let body = response.body { members.append(JSONMember("body", BodyFormat.write(body))) }
        if !response.trailers.isEmpty { members.append(JSONMember("trailers", FieldsFormat.write(response.trailers))) }
        if !response.informational.isEmpty {
            members.append(JSONMember("informational", .array(response.informational.map(write))))
        }
        return .object(members + response.unknown)
    }

    static func read(_ value: JSONValue, folder: String) throws(ShapeProblem) -> RecordedResponse {
        var object = try ObjectReader(value, "the response")
        let head = try head(&object, statuses: 200...999)
        let framing = try object.take("framing", framing) ?? .length
        let body = try object.take("body") { value throws(ShapeProblem) in
            try BodyFormat.read(value, folder: folder)
        }
        let trailers = try object.take("trailers", FieldsFormat.read) ?? Fields()
        let informational = try object.take("informational") { value throws(ShapeProblem) in
            try Shape.array(value, of: Self.informational)
        }
        return RecordedResponse(
            status: head.status, reason: head.reason, fields: head.fields, framing: framing, body: body,
            trailers: trailers, informational: informational ?? [], unknown: object.unknown)
    }

    static func write(_ error: RecordedError) -> JSONValue {
        .object(
            [
                JSONMember("status", .integer(error.status)),
                JSONMember("label", .text(error.label)),
                JSONMember("message", .text(error.message)),
            ] + error.unknown)
    }

    static func readError(_ value: JSONValue) throws(ShapeProblem) -> RecordedError {
        var object = try ObjectReader(value, "the error")
        let status = try object.require("status") { value throws(ShapeProblem) in try Shape.integer(value, 500...599) }
        let label = try object.require("label", Shape.text)
        let message = try object.take("message", Shape.text) ?? ""
        return RecordedError(status: status, label: label, message: message, unknown: object.unknown)
    }

    private static func write(_ head: RecordedHead) -> JSONValue {
        .object([
            JSONMember("status", .integer(head.status)),
            JSONMember("reason", Shape.value(head.reason)),
            JSONMember("headers", FieldsFormat.write(head.fields)),
        ])
    }

    private static func informational(_ value: JSONValue) throws(ShapeProblem) -> RecordedHead {
        var object = try ObjectReader(value, "the informational response")
        let head = try head(&object, statuses: 100...199)
        // The connection speaks another protocol after a 101 (RFC 9110 §15.2.2).
        guard head.status != 101 else {
            throw ShapeProblem(
                path: [.key("status")], message: "101 is no interim response",
                advice: "take it out; what follows a 101 is not HTTP")
        }
        return head
    }

    private static func head(
        _ object: inout ObjectReader, statuses: ClosedRange<Int>
    ) throws(ShapeProblem) -> RecordedHead {
        let status = try object.require("status") { value throws(ShapeProblem) in try Shape.integer(value, statuses) }
        let reason = try object.take("reason", reason) ?? Bytes(reasonPhrase(status).utf8)
        let fields = try object.take("headers", FieldsFormat.read) ?? Fields()
        return RecordedHead(status: status, reason: reason, fields: fields)
    }

    /// A reason phrase holds no line end (RFC 9112 §4).
    private static func reason(_ value: JSONValue) throws(ShapeProblem) -> Bytes {
        let octets = try Shape.octets(value)
        guard octets.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw ShapeProblem(message: "the reason holds a control character")
        }
        return octets
    }

    private static func framing(_ value: JSONValue) throws(ShapeProblem) -> RecordedResponse.Framing {
        guard let framing = RecordedResponse.Framing(rawValue: try Shape.text(value)) else {
            let names = RecordedResponse.Framing.allCases.map(\.rawValue).joined(separator: ", ")
            throw ShapeProblem(message: "the framing is unknown", advice: "Use one of \(names)")
        }
        return framing
    }
}
