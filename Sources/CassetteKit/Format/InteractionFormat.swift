package import HTTPCore

/// An interaction as one file of the cassette.
package enum InteractionFormat {
    /// Lists that always have one element a line.
    private static let brokenKeys: Set<String> = ["headers", "trailers", "informational"]

    /// The file's octets.
    package static func write(_ interaction: Interaction) -> Bytes {
        JSONReviewWriter.write(value(interaction), brokenKeys: brokenKeys, brokenLevels: 2)
    }

    private static func value(_ interaction: Interaction) -> JSONValue {
        var members: [JSONMember] = []
        if let note = interaction.note { members.append(JSONMember("note", .text(note))) }
        if let match = interaction.match { members.append(JSONMember("match", match)) }
        if interaction.optional { members.append(JSONMember("optional", .bool(true))) }
        if let after = interaction.after { members.append(JSONMember("after", .integer(after))) }
        members.append(JSONMember("request", RequestFormat.write(interaction.request)))
        switch interaction.outcome {
        case .response(let response): members.append(JSONMember("response", ResponseFormat.write(response)))
        case .error(let error): members.append(JSONMember("error", ResponseFormat.write(error)))
        }
        if interaction.repeats > 1 { members.append(JSONMember("repeat", .integer(interaction.repeats))) }
        return .object(members + interaction.unknown)
    }

    /// Reads a file's octets.
    ///
    /// - Parameters:
    ///   - name: The file's name without folder.
    ///   - folder: The folder it lies in, for messages and for bodies beside.
    /// - Throws: `FormatError` with file, line, column and JSON path of the first defect.
    package static func read(_ octets: Bytes, name: String, folder: String) throws(FormatError) -> Interaction {
        let path = "\(folder)/\(name)"
        let document: JSONValue
        do throws(FormatError) {
            document = try JSONText.parse(octets)
        } catch {
            var error = error
            error.file = path
            throw error
        }
        do throws(ShapeProblem) {
            return try read(document, name: name, folder: folder)
        } catch {
            throw error.located(file: path, octets: octets)
        }
    }

    private static func read(
        _ document: JSONValue, name: String, folder: String
    ) throws(ShapeProblem) -> Interaction {
        var object = try ObjectReader(document, "the interaction")
        let request = try object.require("request") { value throws(ShapeProblem) in
            try RequestFormat.read(value, folder: folder)
        }
        let response = try object.take("response") { value throws(ShapeProblem) in
            try ResponseFormat.read(value, folder: folder)
        }
        let error = try object.take("error", ResponseFormat.readError)
        let outcome: Interaction.Outcome
        switch (response, error) {
        case (let response?, nil): outcome = .response(response)
        case (nil, let error?): outcome = .error(error)
        default: throw ShapeProblem(message: "an interaction must have either a \"response\" or an \"error\"")
        }
        let repeats = try object.take("repeat") { value throws(ShapeProblem) in
            try Shape.integer(value, 1...1_000_000)
        }
        let optional = try object.take("optional", Shape.bool) ?? false
        let note = try object.take("note", Shape.text)
        let match = try object.take("match") { value throws(ShapeProblem) in
            _ = try InteractionMatch(value)
            return value
        }
        let after = try object.take("after") { value throws(ShapeProblem) in
            try Shape.integer(value, 0...1_000_000)
        }
        return Interaction(
            name: name, ordinal: Names.ordinal(of: name), request: request, outcome: outcome, repeats: repeats ?? 1,
            optional: optional, note: note, match: match, after: after, unknown: object.unknown)
    }
}
