import HTTPCore

/// A body as the format writes it: `{"json"|"text"|"base64"|"file": …, "layout": …, "coding": …}`.
enum BodyFormat {
    static func write(_ body: RecordedBody) -> JSONValue {
        var members: [JSONMember] = []
        switch body.content {
        case .json(let value, let layout):
            members.append(JSONMember("json", value))
            members.append(JSONMember("layout", .text(layout.description)))
        case .text(let octets):
            members.append(JSONMember("text", .array(lines(octets).map { .text(String(decoding: $0, as: UTF8.self)) })))
        case .base64(let octets):
            members.append(JSONMember("base64", .text(Base64Text.encode(octets))))
        case .file(let file):
            members.append(JSONMember("file", .text(file.name)))
        }
        if let coding = body.coding { members.append(JSONMember("coding", .text(coding))) }
        return .object(members + body.unknown)
    }

    /// Reads a body. `folder` is where a file beside lies.
    static func read(_ value: JSONValue, folder: String) throws(ShapeProblem) -> RecordedBody {
        var object = try ObjectReader(value, "the body")
        let forms = ["json", "text", "base64", "file"].filter { object.has($0) }
        guard forms.count == 1 else {
            throw ShapeProblem(message: "a body must have exactly one of \"json\", \"text\", \"base64\" and \"file\"")
        }
        let content: RecordedBody.Content
        if let json = try object.take("json", { value throws(ShapeProblem) in value }) {
            content = .json(json, try object.take("layout", layout) ?? .compact)
        } else if let text = try object.take("text", text) {
            content = .text(text)
        } else if let octets = try object.take("base64", Shape.base64) {
            content = .base64(octets)
        } else {
            content = .file(BodyFile(name: try object.require("file", fileName), folder: folder))
        }
        let coding = try object.take("coding", coding)
        return RecordedBody(content, coding: coding, unknown: object.unknown)
    }

    /// One of the codings that a body is stored without.
    private static func coding(_ value: JSONValue) throws(ShapeProblem) -> String {
        let name = try Shape.text(value)
        guard ["gzip", "x-gzip", "deflate", "br", "zstd"].contains(name.lowercased()) else {
            throw ShapeProblem(
                message: "the body's coding \"\(name)\" is not known",
                advice: "Use gzip, deflate, br or zstd, or take it out together with Content-Encoding")
        }
        return name
    }

    private static func layout(_ value: JSONValue) throws(ShapeProblem) -> JSONLayout {
        guard let layout = JSONLayout(name: try Shape.text(value)) else {
            let names = JSONLayout.Style.allCases.map(\.rawValue).joined(separator: ", ")
            throw ShapeProblem(
                message: "the layout is unknown", advice: "Use one of \(names), with or without +lf behind it")
        }
        return layout
    }

    /// An array of lines, or one string for those who write by hand.
    private static func text(_ value: JSONValue) throws(ShapeProblem) -> Bytes {
        if case .string(let string) = value { return string.octets }
        return try Shape.array(value) { value throws(ShapeProblem) in
            guard case .string(let string) = value else { throw Shape.wrong(value, "a string") }
            return string.octets
        }.reduce(into: Bytes()) { $0 += $1 }
    }

    private static func fileName(_ value: JSONValue) throws(ShapeProblem) -> String {
        let name = try Shape.text(value)
        guard Names.isBodyName(name) else {
            throw ShapeProblem(
                message: "the name of a body's file may hold a-z, 0-9, dot, hyphen and underscore, and no folder",
                advice: "Put the file beside the interaction and name it so")
        }
        return name
    }

    /// The lines of a text, each with its line feed; the last one may have none.
    static func lines(_ octets: Bytes) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        while start < octets.count {
            let end = octets[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? octets.count
            lines.append(octets[start..<end])
            start = end
        }
        return lines
    }
}
