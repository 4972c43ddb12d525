import HTTPCore

/// Computes match keys: sanitizes a request so that secrets count by their rule alone, writes it in canonical form, and
/// hashes that.
///
/// The canonical form: version, method, scheme with host and port, path, query items by name, then the body in a form that
/// its media type chooses, then the fields that rules name. Each part has a tag and a length.
package struct Matcher: Sendable {
    package let rules: MatchRules
    let sanitizer: Sanitizer
    private let ignoredQuery: Set<[UInt8]>
    private let ignoredBody: [[[UInt8]]]
    private let fields: [String]

    package init(sanitizer: Sanitizer, rules: MatchRules = MatchRules()) {
        self.rules = rules
        self.sanitizer = sanitizer
        ignoredQuery = Set(rules.ignoreQuery.map { Array($0.utf8) })
        ignoredBody = rules.ignoreBody.map(JSONPointer.components)
        fields = Set(rules.headers.map { $0.lowercased() }).sorted()
    }

    /// The key of a request in flight.
    package func key(of request: RawRequest) -> MatchKey {
        MatchKey(digest: form(request).digest)
    }

    /// The key of a request at rest, equal to that of the request it was made from.
    ///
    /// - Throws: `FormatError` if the body's file can't be read.
    package func key(of request: RecordedRequest) throws(FormatError) -> MatchKey {
        MatchKey(digest: try form(request).digest)
    }

    /// 64 hexadecimal digits, the first of which go into a file's name; from the built-in form, without match rules.
    package func nameDigits(of request: RawRequest) -> String {
        let digest = Matcher(sanitizer: sanitizer).form(request).digest
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    func form(_ request: RawRequest) -> MatchForm {
        var body = request.body ?? []
        if !body.isEmpty, let coding = Sanitizer.coding(request.fields),
            let decoded = sanitizer.codecs.decode(coding, body)
        {
            body = decoded
        }
        let origin = (request.scheme, request.authority)
        return form(request.method, origin, request.target, request.fields, body)
    }

    func form(_ request: RecordedRequest) throws(FormatError) -> MatchForm {
        let body = try request.body?.octets() ?? []
        return form(request.method, (request.scheme, request.authority), request.target, request.fields, body)
    }

    private func form(
        _ method: String, _ origin: (scheme: String, authority: Authority), _ target: Bytes, _ fields: Fields,
        _ body: Bytes
    ) -> MatchForm {
        var pass = SanitizerPass(tables: sanitizer.tables, mode: .key, side: .request)
        pass.select(method: method, path: Sanitizer.path(target))
        var form = MatchForm(reserving: 192 + target.count)
        form.append(.version, [1])
        form.append(.method, Array(method.utf8))
        let port = origin.authority.port(defaultFor: origin.scheme)
        form.append(.authority, Array("\(origin.scheme)://\(origin.authority.host):\(port)".utf8))
        self.target(pass.target(target), &form)
        if rules.body != .ignore, !body.isEmpty {
            let type = fields.first("Content-Type").flatMap { MediaType.parse($0) }
            self.body(pass.body(body, type), type, &form)
        }
        if !self.fields.isEmpty { append(pass.fields(fields), &form) }
        return form
    }

    private func target(_ target: Bytes, _ form: inout MatchForm) {
        let question = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
        form.append(.path, normalizePercent(target[..<question]))
        guard question + 1 < target.count else { return }
        let items = splitQuery(target[(question + 1)...]).map { item in
            (name: normalizePercent(item.name), value: item.value.map { normalizePercent($0) })
        }
        append(MatchGraphQL.items(items, rules.graphQL) ?? items, ignoring: ignoredQuery, &form)
    }

    /// Items ordered by name; those with one name keep their order.
    private func append(
        _ items: [(name: Bytes, value: Bytes?)], ignoring ignored: Set<Bytes>, _ form: inout MatchForm
    ) {
        var kept = items
        if !ignored.isEmpty { kept.removeAll { ignored.contains(percentDecode($0.name, plusIsSpace: true)) } }
        if kept.count > 1 {
            let order = kept.indices.sorted { left, right in
                if kept[left].name == kept[right].name { return left < right }
                return kept[left].name.lexicographicallyPrecedes(kept[right].name)
            }
            kept = order.map { kept[$0] }
        }
        for item in kept {
            form.append(.item, item.name)
            if let value = item.value { form.append(.value, value) }
        }
    }

    private func append(_ fields: Fields, _ form: inout MatchForm) {
        for name in self.fields {
            form.append(.field, Array(name.utf8))
            for index in 0..<fields.count
            where String(decoding: fields.name(at: index), as: UTF8.self).lowercased() == name {
                form.append(.value, fields.value(at: index))
            }
        }
    }

    private func body(_ body: Bytes, _ type: MediaType?, _ form: inout MatchForm) {
        guard rules.body == .canonical, body.count <= rules.maxBody, let type else {
            return form.append(.octets, body)
        }
        if type.isJSON, let json = canonicalJSON(body) { return form.append(.json, json) }
        if type.isForm { return self.form(body, &form) }
        if type.isMultipart, let boundary = type.parameter("boundary"), parts(body, boundary, &form) { return }
        if type.subtype == "graphql" { return form.append(.graphQL, MatchGraphQL.folded(body)) }
        form.append(.octets, body)
    }

    private func canonicalJSON(_ body: Bytes) -> Bytes? {
        body.withUnsafeBufferPointer { MatchJSON.canonical($0, ignoring: ignoredBody, graphQL: rules.graphQL) }
    }

    private func form(_ body: Bytes, _ form: inout MatchForm) {
        form.append(.form, [])
        let items = splitQuery(body).map { item in
            (
                name: percentDecode(item.name, plusIsSpace: true),
                value: item.value.map { percentDecode($0, plusIsSpace: true) }
            )
        }
        let ignored = Set(ignoredBody.compactMap { $0.count == 1 ? $0[0] : nil })
        var kept = items
        if !ignored.isEmpty { kept.removeAll { ignored.contains($0.name) } }
        append(kept, ignoring: [], &form)
    }

    /// The parts of a multipart body: name, file name, type and contents; the boundary does not count.
    private func parts(_ body: Bytes, _ boundary: String, _ form: inout MatchForm) -> Bool {
        body.withUnsafeBufferPointer { octets in
            guard let multipart = MultipartBody(octets, 0..<octets.count, boundary: boundary) else { return false }
            let ignored = Set(ignoredBody.compactMap { $0.count == 1 ? $0[0] : nil })
            for part in multipart.parts {
                let fields = MultipartBody.fields(octets, part.head)
                if !ignored.isEmpty, ignored.contains(MultipartBody.name(fields)) { continue }
                form.append(.part, fields.first("Content-Disposition") ?? [])
                form.append(.field, fields.first("Content-Type") ?? [])
                form.append(.octets, octets[part.content])
            }
            return true
        }
    }
}

extension MatchGraphQL {
    /// The items of a GraphQL request by GET with the document folded and the JSON items by value; nil if they are none.
    static func items(
        _ items: [(name: Bytes, value: Bytes?)], _ rule: MatchRules.GraphQL
    ) -> [(name: Bytes, value: Bytes?)]? {
        let names: [(name: Bytes, isDocument: Bool)] = [
            (Array("query".utf8), true), (Array("variables".utf8), false), (Array("extensions".utf8), false),
        ]
        guard items.contains(where: { item in names.contains { $0.name == item.name } }) else { return nil }
        var result = items
        var isGraphQL = false
        var hasHash = false
        for index in items.indices {
            guard let entry = names.first(where: { $0.name == items[index].name }), let value = items[index].value
            else {
                continue
            }
            let decoded = percentDecode(value, plusIsSpace: true)
            if entry.isDocument {
                guard isDocument(decoded) else { return nil }
                isGraphQL = true
                result[index].value = folded(decoded)
            } else if let json = decoded.withUnsafeBufferPointer({ MatchJSON.canonical($0, ignoring: []) }) {
                result[index].value = json
                if entry.name == names[2].name, decoded.contains(text: "\"sha256Hash\"") { hasHash = true }
            }
        }
        guard isGraphQL || hasHash else { return nil }
        if hasHash || rule == .operation { result.removeAll { $0.name == names[0].name } }
        return result
    }
}

extension [UInt8] {
    /// Whether a text stands somewhere in the octets.
    fileprivate func contains(text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard count >= wanted.count else { return false }
        return (0...(count - wanted.count)).contains { start in
            self[start] == wanted[0] && self[start..<(start + wanted.count)].elementsEqual(wanted)
        }
    }
}
