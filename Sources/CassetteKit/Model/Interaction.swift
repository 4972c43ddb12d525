/// One recorded request with its response, as one file of a cassette holds it.
package struct Interaction: Sendable, Equatable {
    /// What the request got.
    package enum Outcome: Sendable, Equatable {
        case response(RecordedResponse)
        case error(RecordedError)
    }

    /// The file's name without folder, for example `get-api-items.5f0c1a.1.json`.
    package var name: String
    /// The place among equal requests, from 1; gaps are legal.
    package var ordinal: Int
    package var request: RecordedRequest
    package var outcome: Outcome
    /// How many answers in a row this one stands for, at least 1.
    package var repeats: Int
    /// Whether a run that never meets this interaction is fine.
    package var optional: Bool
    package var note: String?
    /// A match rule for this interaction alone, as written.
    package var match: JSONValue?
    /// Writes that came before the request in its recording, for the policy `followWrites`; nil where nobody counted.
    package var after: Int?
    /// Keys that this version does not know, kept on rewrite.
    package var unknown: [JSONMember]

    package init(
        name: String, ordinal: Int = 1, request: RecordedRequest, outcome: Outcome, repeats: Int = 1,
        optional: Bool = false, note: String? = nil, match: JSONValue? = nil, after: Int? = nil,
        unknown: [JSONMember] = []
    ) {
        self.name = name
        self.ordinal = ordinal
        self.request = request
        self.outcome = outcome
        self.repeats = repeats
        self.optional = optional
        self.note = note
        self.match = match
        self.after = after
        self.unknown = unknown
    }

    /// The response; nil where an error was recorded.
    package var response: RecordedResponse? {
        if case .response(let response) = outcome { response } else { nil }
    }
}

extension Interaction {
    /// The files beside that this interaction needs.
    package var bodyFiles: [BodyFile] {
        [request.body, response?.body].compactMap { body in
            if case .file(let file)? = body?.content { file } else { nil }
        }
    }
}

extension Interaction {
    /// The places of keys that this version does not know, as JSON paths; their values may be secret and are not told.
    package var unknownKeys: [String] {
        var paths = unknown.map { JSONPath().key($0.key.text) }
        let request = JSONPath().key("request")
        paths += self.request.unknown.map { request.key($0.key.text) }
        paths += (self.request.body?.unknown ?? []).map { request.key("body").key($0.key.text) }
        switch outcome {
        case .response(let response):
            let path = JSONPath().key("response")
            paths += response.unknown.map { path.key($0.key.text) }
            paths += (response.body?.unknown ?? []).map { path.key("body").key($0.key.text) }
        case .error(let error):
            paths += error.unknown.map { JSONPath().key("error").key($0.key.text) }
        }
        return paths.map(\.description)
    }
}
