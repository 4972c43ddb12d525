package import CassetteKit
package import HTTPCore

/// A whole answer that is about to be delivered.
package struct Answer: Sendable, Equatable {
    /// 103 and the like, sent before the head.
    package var informational: [ResponseHead] = []
    package var head: ResponseHead
    package var framing: BodyFraming
    package var body: Bytes
    package var trailers = Fields()

    package init(head: ResponseHead, framing: BodyFraming? = nil, body: Bytes) {
        self.head = head
        self.framing = framing ?? .length(body.count)
        self.body = body
    }

    /// A recorded answer for a client that takes these codings; none given means identity.
    ///
    /// - Throws: `FormatError` if a body that lies beside can't be read.
    package init(_ interaction: Interaction, codings: PreparedCodings, codecs: ContentCodecs) throws(FormatError) {
        switch interaction.outcome {
        case .response(let response):
            let prepared = try PreparedResponse(
                response, method: interaction.request.method, codings: codings.orAny(for: interaction), codecs: codecs)
            self.init(head: prepared.head, framing: prepared.framing, body: prepared.body)
            informational = prepared.informational
            trailers = prepared.trailers
        case .error(let error):
            self.init(Problem(status: error.status, label: error.label, detail: error.message))
        }
    }

    package init(_ problem: Problem) {
        self.init(head: problem.head, body: problem.body)
    }

    /// An answer to what no cassette can have.
    init(miss problem: Problem) {
        self.init(problem)
        head.reason = Bytes(problem.title.utf8)
        head.fields.append("Tapedeck-Miss", "1")
    }

    /// What a fault that cuts an answer cuts where nothing was recorded.
    package static let filler = Answer(
        head: ResponseHead(
            version: .http11, status: 200, reason: Bytes("OK".utf8),
            fields: Fields([("Content-Type", "application/json")])),
        body: Bytes(#"{"filler": "this answer is cut on purpose, before its end"}"#.utf8))

    /// Whether an answer with this status can have a body to cut or spoil (RFC 9110 §6.4.1).
    package var mayHaveBody: Bool { head.status >= 200 && head.status != 204 && head.status != 304 }

    /// The first half of the body, at least one octet of it if it has any.
    package var firstHalf: Bytes { Bytes(body.prefix(max(min(1, body.count), body.count / 2))) }
}

extension Answer {
    /// Puts the request's own values in; the body keeps its coding and its length follows.
    mutating func adapt(_ substitution: ValueSubstitution, _ codecs: ContentCodecs) {
        let type = head.fields.first("Content-Type").flatMap { MediaType.parse($0) }
        let coding = head.fields.text("Content-Encoding")
        head.fields = substitution.fields(head.fields)
        trailers = substitution.fields(trailers)
        guard let plain = coding.map({ codecs.decode($0, body) }) ?? body,
            let changed = substitution.body(plain, type),
            let coded = coding.map({ codecs.encode($0, changed) }) ?? changed
        else { return }
        body = coded
        guard case .length = framing else { return }
        framing = .length(coded.count)
        head.fields.set("Content-Length", String(coded.count))
    }
}

extension PreparedCodings {
    /// A client that names no codings gets what one that named none got while recording (RFC 9110 §12.5.3).
    func orAny(for interaction: Interaction) -> PreparedCodings {
        isAbsent && !interaction.request.fields.contains("Accept-Encoding") ? .any : self
    }
}
