import HTTPCore

/// A recorded request near one that was not found.
package struct Nearest: Sendable {
    /// The interaction's file name.
    package var name: String
    package var method: String
    package var url: String
    /// The sum of the differences' weights; smaller is nearer.
    package var distance: Int
    /// At most `NearestSearch.differencesLimit`.
    package var differences: [NearestDifference]
    /// How many more there are, as far as they were looked for.
    package var further: Int
    /// The rules under which the request would have hit this interaction; nil if no rule can do that.
    package var rules: MatchRules?

    /// The command under which the request would have hit this interaction, where only the host is another.
    func command(_ cassette: String) -> String? {
        guard differences.map(\.place) == [.host], further == 0 else { return nil }
        let end = url.dropFirst("https://".count).firstIndex { $0 == "/" || $0 == "?" } ?? url.endIndex
        return "tapedeck replay --upstream \(url[..<end]) \(cassette)"
    }
}

/// How long, and how far, a search for the nearest goes.
package struct NearestLimits: Sendable {
    /// Interactions that are looked at.
    package var count = 200_000
    /// How long the search goes on; what is nearest so far is told then.
    package var time = Duration.milliseconds(250)
    /// Nanoseconds since some moment.
    package var now: @Sendable () -> UInt64

    /// - Parameter now: a clock; one that stands still leaves the search its count alone.
    package init(now: @Sendable @escaping () -> UInt64 = { 0 }) { self.now = now }
}

/// What a search found.
package struct NearestFound: Sendable {
    /// Nearest first.
    package var nearest: [Nearest]
    /// How many interactions were looked at; fewer than there are where a limit ended the search.
    package var lookedAt: Int
}

/// Finds the recorded requests that are nearest to one that was not found. Takes time in proportion to the cassette, up to its
/// limits, so it runs on a miss only, off the loops.
///
/// Host differs 64, method 32, a path segment 16, a body as a whole 8, a query item 4, a form or header field 2, a place in
/// JSON 1; equal distances are ordered by file name.
package struct NearestSearch: Sendable {
    package static let count = 3
    package static let differencesLimit = 8
    /// Only so many are compared by their bodies.
    private static let candidates = 24
    /// The clock is asked after so many.
    private static let turn = 64

    private let matcher: Matcher
    private let limits: NearestLimits

    package init(matcher: Matcher, limits: NearestLimits = NearestLimits()) {
        self.matcher = matcher
        self.limits = limits
    }

    /// A request sanitized for comparing.
    private struct View {
        var method: String
        var host: String
        var segments: [Bytes]
        var query: [QueryItem]
        var fields: Fields
    }

    /// An interaction that may be among the nearest.
    private struct Candidate {
        var interaction: Interaction
        var differences: [NearestDifference]
        var distance: Int

        func comesBefore(_ other: Candidate) -> Bool {
            (distance, interaction.name) < (other.distance, other.interaction.name)
        }
    }

    /// The nearest interactions; the matcher's rules hold.
    ///
    /// - Parameters:
    ///   - request: sanitized, so that nothing that is shown holds a secret.
    ///   - original: the same as it came, against which the rules that would make it match are tried.
    package func nearest(
        to request: RawRequest, in interactions: [Interaction], original: RawRequest
    ) -> NearestFound {
        let end = limits.now() + UInt64(max(0, limits.time / .nanoseconds(1)))
        let (candidates, lookedAt) = candidates(for: request, in: interactions, until: end)
        var seen: Set<MatchKey> = []
        let body = self.body(request)
        let type = Self.type(request.fields)
        var found: [Nearest] = []
        for candidate in candidates {
            // Answers to equal requests are one recorded request.
            guard let key = try? matcher.key(of: candidate.interaction.request), seen.insert(key).inserted else {
                continue
            }
            var differences = candidate.differences
            if matcher.rules.body != .ignore, let recorded = self.body(candidate.interaction.request) {
                let recordedType = Self.type(candidate.interaction.request.fields)
                differences += NearestBody.differences(body, type, recorded, recordedType).filter { !isIgnored($0) }
            }
            found.append(nearest(candidate.interaction, differences, original))
            if found.count >= Self.count, limits.now() > end { break }
        }
        found.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return NearestFound(nearest: Array(found.prefix(Self.count)), lookedAt: lookedAt)
    }

    /// The nearest by what stands in their heads, nearest first, and how many were looked at.
    private func candidates(
        for request: RawRequest, in interactions: [Interaction], until end: UInt64
    ) -> (candidates: [Candidate], lookedAt: Int) {
        let wanted = view(request.method, request.scheme, request.authority, request.target, request.fields)
        var best: [Candidate] = []
        var lookedAt = 0
        for interaction in interactions.prefix(limits.count) {
            if lookedAt % Self.turn == 0, lookedAt > 0, limits.now() > end { break }
            lookedAt += 1
            let recorded = interaction.request
            let view = view(recorded.method, recorded.scheme, recorded.authority, recorded.target, recorded.fields)
            let differences = head(wanted, view)
            let candidate = Candidate(
                interaction: interaction, differences: differences, distance: Self.distance(differences))
            if best.count == Self.candidates, let last = best.last, !candidate.comesBefore(last) { continue }
            best.insert(candidate, at: best.firstIndex { candidate.comesBefore($0) } ?? best.count)
            if best.count > Self.candidates { best.removeLast() }
        }
        return (best, lookedAt)
    }

    private func nearest(
        _ interaction: Interaction, _ differences: [NearestDifference], _ request: RawRequest
    ) -> Nearest {
        let recorded = interaction.request
        return Nearest(
            name: interaction.name, method: recorded.method, url: show(recorded), distance: Self.distance(differences),
            differences: Array(differences.prefix(Self.differencesLimit)),
            further: max(0, differences.count - Self.differencesLimit),
            rules: rules(for: differences, request, recorded))
    }

    private static func distance(_ differences: [NearestDifference]) -> Int {
        differences.reduce(0) { $0 + $1.weight }
    }

    private static func type(_ fields: Fields) -> MediaType? {
        fields.first("Content-Type").flatMap { MediaType.parse($0) }
    }

    private func view(
        _ method: String, _ scheme: String, _ authority: Authority, _ target: Bytes, _ fields: Fields
    ) -> View {
        var pass = SanitizerPass(tables: matcher.sanitizer.tables, mode: .key, side: .request)
        pass.select(method: method, path: Sanitizer.path(target))
        let target = pass.target(target)
        let path = Sanitizer.path(target)
        return View(
            method: method, host: "\(scheme)://\(authority.host):\(authority.port(defaultFor: scheme))",
            segments: path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map {
                normalizePercent($0)
            },
            query: splitQuery(target.dropFirst(path.count + 1)),
            fields: matcher.rules.headers.isEmpty ? Fields() : pass.fields(fields))
    }

    private func head(_ request: View, _ recorded: View) -> [NearestDifference] {
        var found: [NearestDifference] = []
        func add(_ place: NearestDifference.Place, _ request: String?, _ recorded: String?) {
            found.append(NearestDifference(place: place, request: request, recorded: recorded))
        }
        if request.method != recorded.method { add(.method, request.method, recorded.method) }
        if request.host != recorded.host { add(.host, request.host, recorded.host) }
        for index in 0..<min(max(request.segments.count, recorded.segments.count), 64) {
            let left = index < request.segments.count ? request.segments[index] : nil
            let right = index < recorded.segments.count ? recorded.segments[index] : nil
            if left != right {
                add(.pathSegment(index + 1), left.map { NearestText.show($0) }, right.map { NearestText.show($0) })
            }
        }
        for item in NearestItems.differences(request.query, recorded.query, plusIsSpace: false)
        where !matcher.rules.ignoreQuery.contains(item.name) {
            add(.query(item.name), item.request, item.recorded)
        }
        for name in matcher.rules.headers {
            let left = Self.values(request.fields, name)
            let right = Self.values(recorded.fields, name)
            if left != right { add(.header(name), left, right) }
        }
        return found
    }

    private static func values(_ fields: Fields, _ name: String) -> String? {
        let wanted = name.lowercased()
        let values = (0..<fields.count).filter {
            String(decoding: fields.name(at: $0), as: UTF8.self).lowercased() == wanted
        }.map { NearestText.show(fields.value(at: $0)) }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    private func isIgnored(_ difference: NearestDifference) -> Bool {
        guard case .json(let pointer) = difference.place else { return false }
        let place = JSONPointer.components(pointer)
        return matcher.rules.ignoreBody.map(JSONPointer.components).contains { rule in
            rule.count <= place.count && !rule.isEmpty
                && zip(rule, place).allSatisfy { $0 == [UInt8(ascii: "*")] || $0 == $1 }
        }
    }

    private func body(_ request: RawRequest) -> Bytes {
        let body = matcher.sanitizer.bodyForKey(of: request)
        return keyed(body, request.method, request.target, request.fields)
    }

    private func body(_ request: RecordedRequest) -> Bytes? {
        guard let body = request.body else { return [] }
        guard let octets = try? body.octets() else { return nil }
        return keyed(octets, request.method, request.target, request.fields)
    }

    private func keyed(_ body: Bytes, _ method: String, _ target: Bytes, _ fields: Fields) -> Bytes {
        var pass = SanitizerPass(tables: matcher.sanitizer.tables, mode: .key, side: .request)
        pass.select(method: method, path: Sanitizer.path(target))
        return pass.body(body, Self.type(fields))
    }

    private func show(_ request: RecordedRequest) -> String {
        var pass = SanitizerPass(tables: matcher.sanitizer.tables, mode: .key, side: .request)
        pass.select(method: request.method, path: Sanitizer.path(request.target))
        return "\(request.scheme)://\(request.authority.text)" + NearestText.show(pass.target(request.target))
    }

    /// The matcher's rules and those that take the differences away, if under them the keys are equal.
    private func rules(
        for differences: [NearestDifference], _ request: RawRequest, _ recorded: RecordedRequest
    ) -> MatchRules? {
        var rules = matcher.rules
        for difference in differences {
            switch difference.place {
            case .query(let name): rules.ignoreQuery.append(name)
            case .json(let pointer) where !pointer.isEmpty: rules.ignoreBody.append(JSONPointer.pattern(pointer))
            case .form(let name): rules.ignoreBody.append("/" + JSONPointer.escape(name.utf8))
            case .header(let name): rules.headers.removeAll { $0 == name }
            case .body, .json: rules.body = .ignore
            case .method, .host, .pathSegment: return nil
            }
        }
        rules.ignoreBody = rules.ignoreBody.unique()
        let other = Matcher(sanitizer: matcher.sanitizer, rules: rules)
        if let key = try? other.key(of: recorded), key == other.key(of: request) { return rules }
        rules.body = .ignore
        let loose = Matcher(sanitizer: matcher.sanitizer, rules: rules)
        guard let key = try? loose.key(of: recorded), key == loose.key(of: request) else { return nil }
        rules.ignoreBody = matcher.rules.ignoreBody
        return rules
    }
}
