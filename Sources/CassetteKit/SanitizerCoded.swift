import HTTPCore

/// A body as the rules look at it: decoded, or as far as it can be.
struct ReadableBody {
    /// What stands behind the octets that the rules look at.
    enum Origin {
        /// The octets are the body, with this coding undone, if there was one.
        case plain(coding: String?)
        /// The octets are all that a coded body holds that is not one well-formed stream of this coding.
        case members(Bytes, coding: String)
        /// The octets are a gzip file's contents: the body says of no coding.
        case file(Bytes)
        /// The octets are what could be read of the body.
        case fragment(Bytes)
        /// Nothing could be read, since too much would come out.
        case unreadable
    }

    var octets: Bytes
    var origin: Origin

    /// Whether the octets are the body itself, so that sanitizing them sanitizes it.
    var isPlain: Bool {
        if case .plain = origin { true } else { false }
    }
}

/// How the body of a message to be sanitized is coded.
enum BodyCodings: Sendable {
    /// As Content-Encoding says.
    case asSent
    /// Not any more: this coding was undone, if there was one.
    case undone(String?)
}

extension Sanitizer {
    /// The content codings of a body with these fields, in the order in which they were applied, in lower case.
    static func codings(_ fields: Fields) -> [String] {
        fields.all("Content-Encoding").flatMap { $0.split(separator: UInt8(ascii: ",")) }.map {
            String(decoding: $0.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self).lowercased()
        }.filter { !$0.isEmpty && $0 != "identity" }
    }

    /// What the rules are to look at.
    func readable(_ body: Bytes, _ fields: Fields, _ codings: BodyCodings) -> ReadableBody {
        if case .undone(let coding) = codings { return ReadableBody(octets: body, origin: .plain(coding: coding)) }
        let plain = ReadableBody(octets: body, origin: .plain(coding: nil))
        if body.isEmpty { return plain }
        let list = Self.codings(fields)
        guard let last = list.last else { return file(body) ?? plain }
        if list.count == 1 {
            if let octets = codecs.decode(last, body) {
                return ReadableBody(octets: octets, origin: .plain(coding: last))
            }
            // A label that is wrong or unknown hides nothing from whoever looks at the octets.
            if last != "gzip", last != "x-gzip", let file = file(body) { return file }
            guard let salvaged = codecs.salvage(last, body) else { return plain }
            if salvaged.octets.isEmpty { return ReadableBody(octets: [], origin: .unreadable) }
            return ReadableBody(
                octets: salvaged.octets,
                origin: salvaged.isWhole ? .members(body, coding: last) : .fragment(body))
        }
        return layers(body, list) ?? plain
    }

    /// A body with several codings, each undone as far as possible; nil if the outermost can't be.
    private func layers(_ body: Bytes, _ codings: [String]) -> ReadableBody? {
        var octets = body
        for coding in codings.reversed() {
            if let decoded = codecs.decode(coding, octets) {
                octets = decoded
            } else if let salvaged = codecs.salvage(coding, octets) {
                octets = salvaged.octets
                if octets.isEmpty { return ReadableBody(octets: [], origin: .unreadable) }
            } else {
                break
            }
        }
        return octets == body ? nil : ReadableBody(octets: octets, origin: .fragment(body))
    }

    /// A gzip file (RFC 1952 §2.3.1).
    private func file(_ body: Bytes) -> ReadableBody? {
        guard body.count > 2, body[0] == 0x1F, body[1] == 0x8B else { return nil }
        if let octets = codecs.decode("gzip", body) { return ReadableBody(octets: octets, origin: .file(body)) }
        guard let salvaged = codecs.salvage("gzip", body) else { return nil }
        if salvaged.octets.isEmpty { return ReadableBody(octets: [], origin: .unreadable) }
        return ReadableBody(octets: salvaged.octets, origin: salvaged.isWhole ? .file(body) : .fragment(body))
    }

    /// The body to be stored, and its coding: where something was hidden in octets that can't be coded again, the body
    /// is replaced whole.
    func storable(_ read: ReadableBody, sanitized octets: Bytes) -> (body: Bytes, coding: String?) {
        let isClean = octets == read.octets
        switch read.origin {
        case .plain(let coding): return (octets, coding)
        case .members(let body, let coding): return isClean ? (body, nil) : (octets, coding)
        case .file(let body): return (isClean ? body : codecs.encode("gzip", octets) ?? SecretPlaceholder.body, nil)
        case .fragment(let body): return (isClean ? body : SecretPlaceholder.body, nil)
        case .unreadable: return (SecretPlaceholder.body, nil)
        }
    }

    /// The decoded body that a request's key is made of. What can't be coded again is stored in one of several ways, and
    /// the key is that of what is stored.
    func bodyForKey(of request: RawRequest) -> Bytes {
        let read = readable(request.body ?? [], request.fields, .asSent)
        return read.isPlain ? read.octets : self.request(request, ledger: SecretLedger()).message.body ?? []
    }
}
