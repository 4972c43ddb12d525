import HTTPCore

/// Makes what is compared and what is written from sanitized messages.
struct InteractionMaker {
    enum Outcome {
        case response(Sanitized<RawResponse>)
        case error(RecordedError)
    }

    /// An interaction and the octets of its bodies' files by name.
    struct Product {
        var interaction: Interaction
        var besides: [String: Bytes]
    }

    let place: RecorderState.Place
    let folder: CassetteFolder
    private let request: Sanitized<RawRequest>
    private let requestFields: Fields
    private let outcome: Outcome
    private let responseFields: Fields

    init(place: RecorderState.Place, folder: CassetteFolder, request: Sanitized<RawRequest>, outcome: Outcome) {
        self.place = place
        self.folder = folder
        self.request = request
        self.outcome = outcome
        requestFields = StoredFields.request(request.message.fields)
        if case .response(let response) = outcome {
            responseFields = StoredFields.response(response.message.fields, framing: response.message.framing)
        } else {
            responseFields = Fields()
        }
    }

    /// What the digest is made of, without choosing a form for anything.
    var content: StableContent {
        let message = request.message
        return StableContent(
            method: message.method, scheme: message.scheme, authority: message.authority, target: message.target,
            fields: requestFields, body: content(message.body ?? [], request.coding), trailers: message.trailers,
            outcome: contentOfOutcome, after: place.after)
    }

    private var contentOfOutcome: StableContent.Outcome {
        switch outcome {
        case .error(let error): return .error(status: error.status, label: error.label)
        case .response(let response):
            let message = response.message
            return .answer(
                StableContent.Answer(
                    status: message.status, reason: message.reason, framing: Self.framing(message.framing),
                    fields: responseFields, body: content(message.body, response.coding), trailers: message.trailers,
                    informational: message.informational.map(Self.head)))
        }
    }

    private func content(_ octets: Bytes, _ coding: String?) -> StableContent.Body? {
        octets.isEmpty && coding == nil ? nil : StableContent.Body(octets: octets, coding: coding)
    }

    /// The interaction as it is to be written.
    func make() -> Product {
        var besides: [String: Bytes] = [:]
        let message = request.message
        let recorded = RecordedRequest(
            method: message.method, scheme: message.scheme, authority: message.authority, target: message.target,
            fields: requestFields, body: body(message.body ?? [], request.coding, message.fields, &besides),
            trailers: message.trailers)
        let interaction = Interaction(
            name: place.name, ordinal: place.ordinal, request: recorded, outcome: recordedOutcome(&besides),
            after: place.after)
        return Product(interaction: interaction, besides: besides)
    }

    private func recordedOutcome(_ besides: inout [String: Bytes]) -> Interaction.Outcome {
        switch outcome {
        case .error(let error): return .error(error)
        case .response(let response):
            let message = response.message
            return .response(
                RecordedResponse(
                    status: message.status, reason: message.reason, fields: responseFields,
                    framing: Self.framing(message.framing),
                    body: body(message.body, response.coding, message.fields, &besides), trailers: message.trailers,
                    informational: message.informational.map(Self.head)))
        }
    }

    private func body(
        _ octets: Bytes, _ coding: String?, _ fields: Fields, _ besides: inout [String: Bytes]
    ) -> RecordedBody? {
        let chosen = BodyChoice.choose(
            octets, coding: coding, fields: fields, interaction: place.name, folder: folder.interactions)
        if case .file(let file)? = chosen?.body.content { besides[file.name] = chosen?.beside }
        return chosen?.body
    }

    private static func head(_ head: ResponseHead) -> RecordedHead {
        RecordedHead(status: head.status, reason: head.reason, fields: removeHopByHop(head.fields, keepTE: false))
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
        after = after ?? old.after
        unknown = old.unknown
        request.unknown = old.request.unknown
        if case .response(var response) = outcome, let before = old.response {
            response.unknown = before.unknown
            outcome = .response(response)
        }
    }
}
