import HTTPCore

/// Computes match keys: sanitizes a request so that secrets count by their rule alone, writes it in canonical form, and
/// hashes that.
///
/// The canonical form: version, method, scheme with host and port, path, query items by name, then the body in a form that
/// its media type chooses, then the fields that rules name. Each part has a tag and a length.
package struct Matcher: Sendable {
    typealias Item = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?)

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
        let body = sanitizer.bodyForKey(of: request)
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
        form.append(.method, method.utf8)
        let port = origin.authority.port(defaultFor: origin.scheme)
        form.append(.authority, origin.scheme.utf8)
        form.append(.authority, origin.authority.host.utf8)
        form.append(.authority, [UInt8(truncatingIfNeeded: port >> 8), UInt8(truncatingIfNeeded: port)])
        let type = body.isEmpty || rules.body == .ignore ? nil : Sanitizer.type(fields)
        var clean = (target: target, body: rules.body == .ignore ? [] : body)
        repeat {
            clean.target = pass.target(clean.target)
            clean.body = pass.body(clean.body, type)
        } while pass.relearn()
        self.target(clean.target, &form)
        if !clean.body.isEmpty { self.body(clean.body, type, &form) }
        if !self.fields.isEmpty { append(pass.fields(fields), &form) }
        return form
    }

    private func target(_ target: Bytes, _ form: inout MatchForm) {
        let question = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
        let path = target[..<question]
        if path.contains(UInt8(ascii: "%")) {
            form.append(.path, normalizePercent(path))
        } else {
            form.append(.path, path)
        }
        guard question + 1 < target.count else { return }
        var query = target[(question + 1)...]
        // What separates items stays escaped, so that the query can be normalized as a whole.
        if query.contains(UInt8(ascii: "%")) { query = normalizePercent(query)[...] }
        let items = Self.items(query)
        if let folded = MatchGraphQL.items(items, rules.graphQL) {
            append(folded.map { ($0.name[...], $0.value.map { $0[...] }) }, ignoring: ignoredQuery, &form)
        } else {
            append(items, ignoring: ignoredQuery, &form)
        }
    }

    private static func items(_ query: ArraySlice<UInt8>) -> [Item] {
        var items: [Item] = []
        items.reserveCapacity(8)
        var start = query.startIndex
        while start <= query.endIndex {
            var end = start
            var equals: Int?
            while end < query.endIndex, query[end] != UInt8(ascii: "&") {
                if equals == nil, query[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            items.append((query[start..<(equals ?? end)], equals.map { query[($0 + 1)..<end] }))
            start = end + 1
        }
        return items
    }

    /// Items ordered by name; those with one name keep their order.
    private func append(_ items: [Item], ignoring ignored: Set<Bytes>, _ form: inout MatchForm) {
        var kept = items
        if !ignored.isEmpty { kept.removeAll { ignored.contains(percentDecode($0.name, plusIsSpace: true)) } }
        let isSorted = zip(kept, kept.dropFirst()).allSatisfy { !$1.name.lexicographicallyPrecedes($0.name) }
        if !isSorted {
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
                form.append(.value, Self.canonical(fields.value(at: index), of: name))
            }
        }
    }

    /// A field's value; media types in Accept and Content-Type count without case, white space, and the parameters that
    /// say how rather than what: charset, boundary, q.
    private static func canonical(_ value: ArraySlice<UInt8>, of name: String) -> Bytes {
        guard name == "accept" || name == "content-type" else { return Bytes(value) }
        let members = value.split(separator: UInt8(ascii: ",")).map { member -> String in
            guard let type = MediaType.parse(member) else { return String(decoding: member, as: UTF8.self) }
            let parameters = type.parameters.map { ($0.0.lowercased(), $0.1) }
                .filter { !["charset", "boundary", "q"].contains($0.0) }.sorted { $0 < $1 }
            return "\(type.type)/\(type.subtype)" + parameters.map { ";\($0.0)=\($0.1)" }.joined()
        }
        return Bytes(members.joined(separator: ",").utf8)
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
        append(kept.map { ($0.name[...], $0.value.map { $0[...] }) }, ignoring: [], &form)
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
