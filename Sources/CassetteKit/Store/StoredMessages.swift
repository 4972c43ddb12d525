import HTTPCore

extension RecordedRequest {
    /// The request as a message whose body is decoded.
    ///
    /// - Throws: `FormatError` if the body's file can't be read.
    func message() throws(FormatError) -> RawRequest {
        RawRequest(
            method: method, scheme: scheme, authority: authority, target: target, fields: fields,
            body: try body?.octets(), trailers: trailers)
    }
}

extension RecordedResponse {
    /// The response as a message whose body is decoded.
    ///
    /// - Throws: `FormatError` if the body's file can't be read.
    func message() throws(FormatError) -> RawResponse {
        let octets = try body?.octets() ?? []
        return RawResponse(
            status: status, reason: reason, fields: fields, framing: framing.ofMessage(octets.count), body: octets,
            trailers: trailers,
            informational: informational.map {
                ResponseHead(version: .http11, status: $0.status, reason: $0.reason, fields: $0.fields)
            })
    }
}

extension RecordedResponse.Framing {
    fileprivate func ofMessage(_ count: Int) -> BodyFraming {
        switch self {
        case .length: .length(count)
        case .chunked: .chunked
        case .close: .untilClose
        case .none: .none
        }
    }
}

/// Applies rules to interactions at rest.
struct InteractionSanitizer {
    let sanitizer: Sanitizer
    let folder: CassetteFolder

    struct Result {
        var interaction: Interaction
        var besides: [String: Bytes]
        var content: StableContent
        var hidden: [HiddenCount]
        var places: [SecretPlace]
        /// Whether the path or query changed, by which a file may be named.
        var hasNewTarget: Bool
    }

    /// The interaction without its secrets; nil if nothing was hidden.
    ///
    /// - Parameter name: gives the file's name, from the sanitized request.
    func sanitized(
        _ old: Interaction, track: Int = 0, ledger: SecretLedger, name: (RawRequest) -> String
    ) throws(FormatError) -> Result? {
        let before = try old.request.message()
        let request = sanitizer.request(before, .undone(old.request.body?.coding), ledger: ledger)
        var hidden = request.hidden
        var places = request.newPlaces
        let outcome: InteractionMaker.Outcome
        switch old.outcome {
        case .error(let error): outcome = .error(error)
        case .response(let response):
            let answer = sanitizer.response(
                try response.message(), .undone(response.body?.coding), to: before,
                stem: Names.family(of: old.name), ordinal: old.ordinal, ledger: ledger)
            hidden += answer.hidden
            places += answer.newPlaces
            outcome = .response(answer)
        }
        guard !hidden.isEmpty else { return nil }
        let hasNewTarget = request.message.target != before.target
        let newName = hasNewTarget ? name(request.message) : old.name
        let place = RecorderState.Place(
            track: track, index: 0, name: newName, ordinal: old.ordinal, family: Names.family(of: newName))
        let maker = InteractionMaker(place: place, folder: folder, request: request, outcome: outcome)
        var product = maker.make()
        product.interaction.keep(from: old)
        product.interaction.repeats = old.repeats
        return Result(
            interaction: product.interaction, besides: product.besides, content: maker.content, hidden: hidden,
            places: places, hasNewTarget: hasNewTarget)
    }
}
