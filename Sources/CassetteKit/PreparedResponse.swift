package import HTTPCore

/// A recorded response made ready for the wire: as it was, but for the coding, which the client must accept, and
/// Content-Length, which follows the octets that are sent.
package struct PreparedResponse: Sendable, Equatable {
    /// The fields without those of the connection and without Transfer-Encoding; Date as recorded.
    package var head: ResponseHead
    /// How the body's end is marked. A body that a client of HTTP/1.0 can't read in chunks ends with the connection.
    package var framing: BodyFraming
    /// With its coding, without framing.
    package var body: Bytes
    package var trailers: Fields
    /// Heads with status 103 and the like, to be sent before, though not to a client of HTTP/1.0.
    package var informational: [ResponseHead]

    /// Prepares a response.
    ///
    /// - Parameters:
    ///   - method: the request's method; the answer to HEAD has no body and keeps its recorded Content-Length.
    ///   - codings: what the client takes; a coding that it refuses is taken off, with Content-Encoding.
    /// - Throws: `FormatError` if the body's file can't be read.
    package init(
        _ response: RecordedResponse, method: String, codings: PreparedCodings, codecs: ContentCodecs
    ) throws(FormatError) {
        guard Self.hasBody(response, method: method) else {
            self.init(response, coding: nil, length: nil)
            return
        }
        let octets = try response.body?.octets() ?? []
        guard let coding = Self.coding(of: response, codings) else {
            self.init(response, coding: nil, length: octets.count)
            body = octets
            return
        }
        guard let coded = codecs.encode(coding, octets) else { throw Self.unknown(coding) }
        self.init(response, coding: coding, length: coded.count)
        body = coded
    }

    /// Prepares a response without its body, which is sent from elsewhere.
    ///
    /// - Parameters:
    ///   - coding: the coding that the body is sent with.
    ///   - length: the octets that are sent; nil where the answer has no body.
    package init(_ response: RecordedResponse, coding: String?, length: Int?) {
        var fields = removeHopByHop(response.fields, keepTE: false)
        fields.remove("Trailer")
        informational = response.informational.map {
            ResponseHead(version: .http11, status: $0.status, reason: $0.reason, fields: $0.fields)
        }
        trailers = Fields()
        body = []
        if length != nil, response.body?.coding != nil, coding == nil { fields.remove("Content-Encoding") }
        framing = length.map { Self.framing(response.framing, $0) } ?? .none
        switch framing {
        case .length(let length): Self.setLength(length, &fields)
        case .chunked:
            fields.remove("Content-Length")
            trailers = response.trailers
            if let names = response.fields.first("Trailer") {
                fields.append(name: Array("Trailer".utf8), value: names)
            }
        case .untilClose: fields.remove("Content-Length")
        case .none: break
        }
        head = ResponseHead(version: .http11, status: response.status, reason: response.reason, fields: fields)
    }

    /// Whether the answer to such a request has a body (RFC 9110 §6.4.1).
    package static func hasBody(_ response: RecordedResponse, method: String) -> Bool {
        method != "HEAD" && response.status != 204 && response.status != 304 && response.status >= 200
    }

    /// The coding that a body is sent with to a client that takes these; nil for none.
    package static func coding(of response: RecordedResponse, _ codings: PreparedCodings) -> String? {
        response.body?.coding.flatMap { codings.allows($0) ? $0 : nil }
    }

    /// What is said of a coding that nobody knows.
    package static func unknown(_ coding: String) -> FormatError {
        FormatError(
            message: "the body's coding \(coding) is not known",
            advice: "use gzip, deflate, br or zstd, or take it out together with Content-Encoding")
    }

    /// Everything from the status line to the end of the body, as a client of `version` reads it.
    ///
    /// - Parameters:
    ///   - closes: whether the connection ends behind it; then the head says so.
    ///   - sendsTrailers: whether recorded trailers go out; a client that sent no `TE: trailers` may drop them.
    package func octets(version: HTTPVersion, closes: Bool, sendsTrailers: Bool = true) -> Bytes {
        var head = head
        let isChunked = framing == .chunked && version == .http11
        if isChunked { head.fields.append("Transfer-Encoding", "chunked") }
        if closes || endsWithConnection(version) {
            head.fields.append("Connection", "close")
        } else if version == .http10 {
            head.fields.append("Connection", "keep-alive")
        }
        var octets = Serializer.responseHead(head)
        if isChunked {
            octets += Serializer.chunk(body)
            octets += Serializer.lastChunk(trailers: sendsTrailers ? trailers : Fields())
        } else {
            octets += body
        }
        return octets
    }

    /// Whether the end of the connection marks the end of the body, so that it can't be kept.
    package func endsWithConnection(_ version: HTTPVersion) -> Bool {
        framing == .untilClose || framing == .chunked && version == .http10
    }

    private static func framing(_ recorded: RecordedResponse.Framing, _ count: Int) -> BodyFraming {
        switch recorded {
        case .length, .none: .length(count)
        case .chunked: .chunked
        case .close: .untilClose
        }
    }

    /// One Content-Length, where the first one stood.
    private static func setLength(_ length: Int, _ fields: inout Fields) {
        guard let first = fields.firstIndex(of: "Content-Length") else {
            fields.append("Content-Length", String(length))
            return
        }
        fields.replaceValue(at: first, with: Array(String(length).utf8))
        fields = fields.filtered { $0 == first || !fields.isName("Content-Length", at: $0) }
    }
}
