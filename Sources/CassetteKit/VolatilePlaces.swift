import HTTPCore

/// What differs between two recordings of the same flow against the same backend.
package struct VolatilePlaces: Sendable {
    /// Two requests that are the same but for what differs at each run.
    package struct Pair: Sendable {
        package var first: RecordedRequest
        package var second: RecordedRequest
        /// Names of query items.
        package var query: [String] = []
        /// JSON pointers into the body, `/name` for a form field.
        package var body: [String] = []
        /// Numbers of path segments, from 1.
        package var segments: [Int] = []
    }

    /// Names of fields, of responses and requests.
    package private(set) var headers: [String] = []
    /// JSON pointers into the bodies of responses, `*` for any element.
    package private(set) var json: [String] = []
    /// Requests that no rule makes equal yet.
    package private(set) var pairs: [Pair] = []
    /// What no rule can say, a sentence each.
    package private(set) var unexplained: [String] = []

    private let known: VolatileRules
    private let knownPointers: [[Bytes]]

    package var isEmpty: Bool { headers.isEmpty && json.isEmpty && pairs.isEmpty }

    /// Compares two recordings.
    ///
    /// - Parameters:
    ///   - key: how requests are told apart today.
    ///   - volatile: what is known to differ already.
    ///   - isAdapted: whether answers get the values of a request's path, so that these explain what differs in them.
    /// - Throws: `FormatError` if a body's file can't be read.
    package init(
        _ first: [Interaction], _ second: [Interaction], volatile: VolatileRules,
        key: (Interaction) throws(FormatError) -> MatchKey, isAdapted: (Interaction) -> Bool = { _ in false }
    ) throws(FormatError) {
        known = volatile
        knownPointers = volatile.pointers.map(JSONPointer.components)
        var rest: [MatchKey: [Interaction]] = [:]
        for interaction in second { rest[try key(interaction), default: []].append(interaction) }
        var alone: [Interaction] = []
        for interaction in first {
            let key = try key(interaction)
            if var list = rest[key], !list.isEmpty {
                let partner = list.removeFirst()
                let values = isAdapted(interaction) ? Self.values(interaction.request, partner.request) : []
                try compare(interaction, partner, values: values)
                rest[key] = list
            } else {
                alone.append(interaction)
            }
        }
        let left = Set(rest.values.joined().map(\.name))
        try pair(alone, second.filter { left.contains($0.name) })
    }

    // MARK: Requests

    private mutating func pair(_ first: [Interaction], _ second: [Interaction]) throws(FormatError) {
        var rest = second
        for interaction in first {
            var best: (index: Int, pair: Pair, distance: Int)?
            for (index, candidate) in rest.enumerated() {
                guard let (pair, distance) = try Self.pair(interaction.request, candidate.request) else { continue }
                if best.map({ distance < $0.distance }) ?? true { best = (index, pair, distance) }
            }
            guard let best else {
                unexplained.append("\(Self.line(interaction)) came in the first run only")
                continue
            }
            let partner = rest.remove(at: best.index)
            pairs.append(best.pair)
            try compare(interaction, partner, values: Self.values(best.pair.first, best.pair.second))
        }
        unexplained += rest.map { "\(Self.line($0)) came in the second run only" }
    }

    /// How two requests differ, and how far; nil if they are not the same request at all.
    private static func pair(
        _ first: RecordedRequest, _ second: RecordedRequest
    ) throws(FormatError) -> (Pair, distance: Int)? {
        let (left, right) = (segments(first), segments(second))
        guard first.method == second.method, first.scheme == second.scheme, first.authority == second.authority,
            left.count == right.count
        else { return nil }
        var pair = Pair(first: first, second: second)
        pair.segments = left.indices.filter { left[$0] != right[$0] }.map { $0 + 1 }
        // A path of which nothing stays is another path.
        guard pair.segments.isEmpty || pair.segments.count < left.count, pair.segments.count <= 2 else { return nil }
        let items = NearestItems.differences(query(first), query(second), plusIsSpace: false)
        pair.query = items.map(\.name)
        let types = [first, second].map { Sanitizer.type($0.fields) }
        let bodies = (try first.body?.octets() ?? [], try second.body?.octets() ?? [])
        for difference in NearestBody.differences(bodies.0, types[0], bodies.1, types[1]) {
            switch difference.place {
            case .json(let pointer) where !pointer.isEmpty: pair.body.append(JSONPointer.pattern(pointer))
            case .form(let name): pair.body.append("/" + JSONPointer.escape(name.utf8))
            default: return nil
            }
        }
        pair.body = pair.body.unique()
        return (pair, 16 * pair.segments.count + 4 * pair.query.count + pair.body.count)
    }

    private static func segments(_ request: RecordedRequest) -> [Bytes] {
        Sanitizer.path(request.target).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
            .map { Bytes($0) }
    }

    private static func query(_ request: RecordedRequest) -> [QueryItem] {
        splitQuery(request.target.dropFirst(Sanitizer.path(request.target).count + 1))
    }

    /// The texts that differ in the paths of a pair: where they stand in the answers, the path explains it.
    private static func values(
        _ first: RecordedRequest, _ second: RecordedRequest
    ) -> [(first: String, second: String)] {
        zip(segments(first), segments(second)).filter { $0 != $1 }.map { one, other in
            (
                String(decoding: percentDecode(one, plusIsSpace: false), as: UTF8.self),
                String(decoding: percentDecode(other, plusIsSpace: false), as: UTF8.self)
            )
        }
    }

    // MARK: Answers

    private mutating func compare(
        _ old: Interaction, _ new: Interaction, values: [(first: String, second: String)]
    ) throws(FormatError) {
        note(fields: old.request.fields, new.request.fields, values)
        guard let before = old.response, let after = new.response else {
            if old.outcome != new.outcome { unexplained.append("\(Self.line(old)) had an answer in one run only") }
            return
        }
        if before.status != after.status {
            unexplained.append("\(Self.line(old)) was answered with \(before.status), then with \(after.status)")
        }
        note(fields: before.fields, after.fields, values)
        let bodies = (try before.body?.octets() ?? [], try after.body?.octets() ?? [])
        guard bodies.0 != bodies.1 else { return }
        guard let left = try? JSONText.parse(bodies.0), let right = try? JSONText.parse(bodies.1) else {
            let isExplained =
                Self.nameless(bodies.0, values.map(\.first)) == Self.nameless(bodies.1, values.map(\.second))
            if !isExplained {
                unexplained.append("the body of \(Self.line(old)) is another each time, and it is no JSON")
            }
            return
        }
        var found = VolatileJSON(values: values)
        found.compare(left, right, [])
        for pointer in found.pointers where !isKnown(pointer) {
            let text = pointer.map { "/" + JSONPointer.escape($0) }.joined()
            if text.isEmpty {
                unexplained.append("the whole body of \(Self.line(old)) is another each time")
            } else if !json.contains(text) {
                json.append(text)
            }
        }
    }

    private func isKnown(_ pointer: [Bytes]) -> Bool {
        let any = [UInt8(ascii: "*")]
        return knownPointers.contains { rule in
            rule.count <= pointer.count && zip(rule, pointer).allSatisfy { $0 == any || $0 == $1 }
        }
    }

    /// Notes the fields whose values differ by more than what hides a secret.
    private mutating func note(fields old: Fields, _ new: Fields, _ values: [(first: String, second: String)]) {
        let (before, after) = (Self.named(old, values.map(\.first)), Self.named(new, values.map(\.second)))
        for (name, value) in before.sorted(by: { $0.key < $1.key }) where after[name]?.values != value.values {
            note(field: value.spelling, name)
        }
        for (name, value) in after.sorted(by: { $0.key < $1.key }) where before[name] == nil {
            note(field: value.spelling, name)
        }
    }

    private mutating func note(field spelling: String, _ name: String) {
        let isKnown = known.fields.contains(name) || headers.contains { $0.lowercased() == name }
        if !isKnown { headers.append(spelling) }
    }

    private static func named(_ fields: Fields, _ values: [String]) -> [String: (spelling: String, values: [Bytes])] {
        var named: [String: (spelling: String, values: [Bytes])] = [:]
        for index in 0..<fields.count {
            let spelling = String(decoding: fields.name(at: index), as: UTF8.self)
            let value = nameless(Bytes(fields.value(at: index)), values)
            named[spelling.lowercased(), default: (spelling, [])].values.append(value)
        }
        return named
    }

    /// Octets without the names of placeholders and the values that a path explains.
    static func nameless(_ octets: Bytes, _ values: [String]) -> Bytes {
        var text = SecretPlaceholder.nameless(String(decoding: octets, as: UTF8.self))
        for value in values where !value.isEmpty { text = text.replacing(value, with: "{}") }
        return Bytes(text.utf8)
    }

    private static func line(_ interaction: Interaction) -> String {
        "\(interaction.request.method) \(NearestText.show(interaction.request.target))"
    }
}

/// Where two JSON values differ.
private struct VolatileJSON {
    /// More places than this are no places: the value around them differs.
    private static let mostMembers = 32

    /// Texts of which a difference is explained.
    let values: [(first: String, second: String)]
    /// `*` for the elements of arrays; each once.
    private(set) var pointers: [[Bytes]] = []

    init(values: [(first: String, second: String)]) { self.values = values }

    mutating func compare(_ left: JSONValue, _ right: JSONValue, _ pointer: [Bytes]) {
        switch (left, right) {
        case (.object(let left), .object(let right)):
            let known = right.reduce(into: [Bytes: JSONValue]()) { $0[$1.key.octets] = $1.value }
            let names = Set(left.map(\.key.octets))
            let lone = left.filter { known[$0.key.octets] == nil } + right.filter { !names.contains($0.key.octets) }
            // Objects that share few names are maps from ids.
            guard lone.count <= Self.mostMembers else { return note(pointer) }
            for member in left {
                if let value = known[member.key.octets] { compare(member.value, value, pointer + [member.key.octets]) }
            }
            for member in lone { note(pointer + [member.key.octets]) }
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return note(pointer) }
            for (one, other) in zip(left, right) { compare(one, other, pointer + [[UInt8(ascii: "*")]]) }
        default:
            if !isEqual(left, right) { note(pointer) }
        }
    }

    private mutating func note(_ pointer: [Bytes]) {
        if !pointers.contains(pointer) { pointers.append(pointer) }
    }

    private func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        if left == right { return true }
        switch (left, right) {
        case (.string(let one), .string(let other)):
            return VolatilePlaces.nameless(one.octets, values.map(\.first))
                == VolatilePlaces.nameless(other.octets, values.map(\.second))
        case (.number(let one), .number(let other)):
            return values.contains { $0.first == one && $0.second == other }
                || JSONEquality.areEqual(Bytes(one.utf8), Bytes(other.utf8))
        default: return false
        }
    }
}
