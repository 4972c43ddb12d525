import HTTPCore

/// What an interaction says in octets, whether it has been written yet or not: what a stable digest is made of.
struct StableContent {
    /// A body before its content coding was applied.
    struct Body {
        var octets: Bytes
        var coding: String?
    }

    struct Answer {
        var status: Int
        var reason: Bytes
        var framing: RecordedResponse.Framing
        var fields: Fields
        var body: Body?
        var trailers: Fields
        var informational: [RecordedHead]
    }

    enum Outcome {
        case answer(Answer)
        case error(status: Int, label: String)
    }

    var method: String
    var scheme: String
    var authority: Authority
    var target: Bytes
    var fields: Fields
    var body: Body?
    var trailers: Fields
    var outcome: Outcome
    /// Writes that came before the request; nil if that does not count.
    var after: Int?
}

extension StableContent {
    /// That of an interaction at rest.
    ///
    /// - Throws: `FormatError` if a body's file can't be read.
    init(_ interaction: Interaction) throws(FormatError) {
        let request = interaction.request
        self.init(
            method: request.method, scheme: request.scheme, authority: request.authority, target: request.target,
            fields: request.fields, body: try Self.body(request.body), trailers: request.trailers,
            outcome: try Self.outcome(interaction.outcome), after: interaction.after)
    }

    private static func body(_ body: RecordedBody?) throws(FormatError) -> Body? {
        guard let body else { return nil }
        return Body(octets: try body.octets(), coding: body.coding)
    }

    private static func outcome(_ outcome: Interaction.Outcome) throws(FormatError) -> Outcome {
        switch outcome {
        case .error(let error): return .error(status: error.status, label: error.label)
        case .response(let response):
            return .answer(
                Answer(
                    status: response.status, reason: response.reason, framing: response.framing,
                    fields: response.fields, body: try body(response.body), trailers: response.trailers,
                    informational: response.informational))
        }
    }
}

extension StableContent.Answer {
    /// The same with other values in fields and body.
    func adapted(_ substitution: ValueSubstitution) -> Self {
        var answer = self
        answer.fields = substitution.fields(fields)
        if let body {
            let type = fields.first("Content-Type").flatMap { MediaType.parse($0) }
            answer.body?.octets = substitution.body(body.octets, type) ?? body.octets
        }
        return answer
    }
}
