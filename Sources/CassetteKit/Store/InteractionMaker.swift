import HTTPCore

/// Makes interactions from sanitized messages.
struct InteractionMaker {
    /// An interaction and the octets of its bodies' files.
    struct Answer {
        var interaction: Interaction
        /// By file name.
        var besides: [String: Bytes] = [:]
    }

    let setup: RecorderSetup
    let place: RecorderState.Place
    let request: Sanitized<RawRequest>

    func make(_ response: Sanitized<RawResponse>) -> Answer {
        var besides: [String: Bytes] = [:]
        let message = response.message
        let recorded = RecordedResponse(
            status: message.status, reason: message.reason,
            fields: StoredFields.response(message.fields, framing: message.framing),
            framing: Self.framing(message.framing),
            body: body(message.body, response.coding, message.fields, &besides), trailers: message.trailers,
            informational: message.informational.map {
                RecordedHead(status: $0.status, reason: $0.reason, fields: removeHopByHop($0.fields, keepTE: false))
            })
        return answer(.response(recorded), &besides)
    }

    func make(_ error: RecordedError) -> Answer {
        var besides: [String: Bytes] = [:]
        return answer(.error(error), &besides)
    }

    private func answer(_ outcome: Interaction.Outcome, _ besides: inout [String: Bytes]) -> Answer {
        let message = request.message
        let recorded = RecordedRequest(
            method: message.method, scheme: message.scheme, authority: message.authority, target: message.target,
            fields: StoredFields.request(message.fields),
            body: message.body.flatMap { body($0, request.coding, message.fields, &besides) },
            trailers: message.trailers)
        let interaction = Interaction(name: place.name, ordinal: place.ordinal, request: recorded, outcome: outcome)
        return Answer(interaction: interaction, besides: besides)
    }

    private func body(
        _ octets: Bytes, _ coding: String?, _ fields: Fields, _ besides: inout [String: Bytes]
    ) -> RecordedBody? {
        let chosen = BodyChoice.choose(
            octets, coding: coding, fields: fields, interaction: place.name, folder: setup.folder.interactions)
        if case .file(let file)? = chosen?.body.content { besides[file.name] = chosen?.beside }
        return chosen?.body
    }

    private static func framing(_ framing: BodyFraming) -> RecordedResponse.Framing {
        switch framing {
        case .none: .none
        case .length: .length
        case .chunked: .chunked
        case .untilClose: .close
        }
    }
}

extension Interaction {
    /// Takes over what people wrote into an earlier version, and what this program does not know.
    mutating func keep(from old: Interaction) {
        note = old.note
        match = old.match
        optional = old.optional
        unknown = old.unknown
        request.unknown = old.request.unknown
        if case .response(var response) = outcome, let before = old.response {
            response.unknown = before.unknown
            outcome = .response(response)
        }
    }
}
