import HTTPCore

/// The rules that hold: the defaults that are not switched off, the configured ones, and the cassette's own places.
package struct SanitizerRules: Sendable {
    package var rules: [SanitizerRule]
    package var secretPlaces: [SecretPlace]
    /// Names that built-in rules leave alone, by the rules' ids.
    package var exceptions: [String: [String]] = [:]

    /// - Parameters:
    ///   - off: ids of default rules that are not wanted.
    ///   - on: ids of optional rules that are wanted.
    ///   - changes: what is other about built-in rules.
    ///   - extra: rules of the configuration.
    ///   - literals: values that are secret wherever they stand; those under four octets are not searched for.
    package init(
        off: Set<String> = [], on: Set<String> = [], changes: [SanitizerChange] = [], extra: [SanitizerRule] = [],
        literals: [String] = [], secretPlaces: [SecretPlace] = []
    ) {
        rules = SanitizerRule.defaults.filter { !off.contains($0.id) }
        rules += SanitizerRule.optional.filter { on.contains($0.id) }
        for change in changes {
            exceptions[change.id, default: []] += change.except
            guard let action = change.action, let index = rules.firstIndex(where: { $0.id == change.id }) else {
                continue
            }
            rules[index].action = action
        }
        rules += extra
        if !literals.isEmpty { rules.append(SanitizerRule(id: "literals", kind: .literals(literals))) }
        self.secretPlaces = secretPlaces
    }

    /// The rules' ids, in order.
    package var ids: [String] { rules.map(\.id) }
}

/// How often a rule hid something at a place.
package struct HiddenCount: Sendable, Hashable {
    /// The rule's id.
    package var rule: String
    package var location: SecretLocation
    package var count: Int
}

/// A message without its secrets, and what was hidden.
package struct Sanitized<Message: Sendable>: Sendable {
    /// The body is decoded: before `coding` was applied.
    package var message: Message
    /// The content coding that was undone, in lower case; nil if there was none or it could not be undone.
    package var coding: String?
    /// By rule and place, in order of their names.
    package var hidden: [HiddenCount]
    /// Places where a known secret was found though no rule names them; to be kept with the cassette.
    package var newPlaces: [SecretPlace]
}

/// Takes secrets out of messages.
///
/// Pure but for the ledger, which remembers the run's secrets. Time grows in proportion to the message.
package struct Sanitizer: Sendable {
    let tables: SanitizerTables
    let codecs: ContentCodecs

    package init(rules: SanitizerRules = SanitizerRules(), codecs: ContentCodecs = .none) {
        tables = SanitizerTables(rules)
        self.codecs = codecs
    }

    /// The ids of the rules that hold, in order.
    package var ruleIDs: [String] { tables.rules.map(\.id) }

    /// A request without its secrets. Sanitizing what is sanitized changes nothing.
    package func request(_ request: RawRequest, ledger: SecretLedger) -> Sanitized<RawRequest> {
        self.request(request, .asSent, ledger: ledger)
    }

    /// - Parameter order: the request's place in the order of requests; 0 where there is none.
    func request(
        _ request: RawRequest, _ codings: BodyCodings, order: Int = 0, ledger: SecretLedger
    ) -> Sanitized<RawRequest> {
        var pass = SanitizerPass(tables: tables, mode: .store(ledger, .client), side: .request)
        pass.order = order
        let path = Self.path(request.target)
        pass.select(method: request.method, path: path)
        var result = request
        let read = readable(request.body ?? [], request.fields, codings)
        let type = Self.type(request.fields)
        var body = read.octets
        repeat {
            result.target = pass.target(result.target)
            result.fields = pass.fields(result.fields)
            result.trailers = pass.fields(result.trailers, part: .trailer)
            body = pass.body(body, type)
        } while pass.relearn()
        let stored = storable(read, sanitized: body)
        if request.body != nil { result.body = stored.body }
        if isChanged(read, body) { follow(stored, &result.fields, &result.trailers, &pass) }
        return finished(result, stored.coding, pass, request.method, path)
    }

    /// A response without its secrets.
    ///
    /// - Parameters:
    ///   - request: the request that it answers, unsanitized.
    ///   - stem: the request's name with its digits, for the placeholders of secrets that the answer hands out.
    package func response(
        _ response: RawResponse, to request: RawRequest, stem: String, ordinal: Int, ledger: SecretLedger
    ) -> Sanitized<RawResponse> {
        self.response(response, .asSent, to: request, stem: stem, ordinal: ordinal, ledger: ledger)
    }

    func response(
        _ response: RawResponse, _ codings: BodyCodings, to request: RawRequest, stem: String, ordinal: Int,
        order: Int = 0, ledger: SecretLedger
    ) -> Sanitized<RawResponse> {
        let origin = SecretOrigin.answer(stem: stem, ordinal: ordinal)
        var pass = SanitizerPass(tables: tables, mode: .store(ledger, origin), side: .response)
        pass.order = order
        let path = Self.path(request.target)
        pass.select(method: request.method, path: path)
        var result = response
        let read = readable(response.body, response.fields, codings)
        let type = Self.type(response.fields)
        result.body = read.octets
        repeat {
            result.fields = pass.fields(result.fields)
            result.trailers = pass.fields(result.trailers, part: .trailer)
            for index in result.informational.indices {
                result.informational[index].fields = pass.fields(result.informational[index].fields)
            }
            result.reason = pass.value(result.reason)
            result.body = pass.body(result.body, type)
        } while pass.relearn()
        let stored = storable(read, sanitized: result.body)
        if isChanged(read, result.body) { follow(stored, &result.fields, &result.trailers, &pass) }
        result.body = stored.body
        return finished(result, stored.coding, pass, request.method, path)
    }

    /// The path of a target, without query.
    static func path(_ target: Bytes) -> Bytes {
        Array(target.prefix { $0 != UInt8(ascii: "?") })
    }

    static func type(_ fields: Fields) -> MediaType? {
        fields.first("Content-Type").flatMap { MediaType.parse($0) }
    }

    private func isChanged(_ read: ReadableBody, _ octets: Bytes) -> Bool {
        if case .unreadable = read.origin { return true }
        return octets != read.octets
    }

    /// Content-Length and digests follow a body that was changed, so that they tell nothing about the secret.
    private func follow(
        _ stored: (body: Bytes, coding: String?), _ fields: inout Fields, _ trailers: inout Fields,
        _ pass: inout SanitizerPass
    ) {
        let coded = stored.coding.flatMap { codecs.encode($0, stored.body) } ?? stored.body
        if let index = fields.firstIndex(of: "Content-Length") {
            fields.replaceValue(at: index, with: Array(String(coded.count).utf8))
        }
        fields = pass.digests(fields, of: coded)
        trailers = pass.digests(trailers, part: .trailer, of: coded)
    }

    private func finished<Message: Sendable>(
        _ message: Message, _ coding: String?, _ pass: SanitizerPass, _ method: String, _ path: Bytes
    ) -> Sanitized<Message> {
        guard !pass.counts.isEmpty else {
            return Sanitized(message: message, coding: coding, hidden: [], newPlaces: [])
        }
        let (counts, unnamed) = pass.report()
        let hidden = counts.map {
            HiddenCount(rule: tables.id($0.key.rule), location: $0.key.location, count: $0.value)
        }.sorted { ($0.rule, $0.location.description) < ($1.rule, $1.location.description) }
        var places: [SecretPlace] = []
        if !unnamed.isEmpty || !pass.unnamedSegments.isEmpty {
            let template = SecretPlace.template(
                path: path, clean: cleanPath(method, path, pass.mode), secret: pass.unnamedSegments)
            if !pass.unnamedSegments.isEmpty {
                let location = SecretLocation(side: .request, part: .path)
                places.append(SecretPlace(method: method, path: template, location: location))
            }
            places += unnamed.sorted { $0.description < $1.description }.map {
                SecretPlace(method: method, path: template, location: $0)
            }
        }
        return Sanitized(message: message, coding: coding, hidden: hidden, newPlaces: places)
    }

    /// A path without its secrets, whichever side of the exchange is looked at.
    private func cleanPath(_ method: String, _ path: Bytes, _ mode: SanitizerPass.Mode) -> Bytes {
        var pass = SanitizerPass(tables: tables, mode: mode, side: .request)
        pass.select(method: method, path: path)
        return pass.target(path)
    }
}
