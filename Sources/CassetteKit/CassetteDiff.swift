import HTTPCore

/// What is different between two recordings of the same thing, for who reviews them: by request, status, field and JSON
/// value. What is volatile by nature (dates, request ids) is left out.
package struct CassetteDiff: Sendable {
    /// One request's answers in both cassettes.
    package struct Change: Sendable, Equatable {
        /// The file's name in the second cassette, in the first where it is gone.
        package var name: String
        package var method: String
        package var url: String
        /// A line each: `status: 200 → 404`.
        package var differences: [String]
    }

    /// Recorded in the second cassette alone.
    package var new: [Change] = []
    /// Recorded in the first cassette alone.
    package var gone: [Change] = []
    package var changed: [Change] = []
    package var same = 0

    package var isEmpty: Bool { new.isEmpty && gone.isEmpty && changed.isEmpty }

    /// Differences in one body that are told.
    private static let limit = 60

    /// Pairs interactions by match key and order, and compares each pair.
    ///
    /// - Parameter key: how requests are told apart; nil takes the built-in way.
    /// - Throws: `FormatError` if a body's file can't be read.
    package init(
        _ first: [Interaction], _ second: [Interaction], volatile: VolatileRules = VolatileRules(),
        key: ((Interaction) throws(FormatError) -> MatchKey)? = nil
    ) throws(FormatError) {
        let matcher = Matcher(sanitizer: Sanitizer())
        let usual = { (interaction: Interaction) throws(FormatError) in try matcher.key(of: interaction.request) }
        let keyed = key ?? usual
        var rest: [MatchKey: [Interaction]] = [:]
        for interaction in first { rest[try keyed(interaction), default: []].append(interaction) }
        for interaction in second {
            let key = try keyed(interaction)
            guard var list = rest[key], !list.isEmpty else {
                new.append(Self.change(interaction, []))
                continue
            }
            let before = list.removeFirst()
            rest[key] = list
            let differences = try Self.differences(before, interaction, volatile)
            if differences.isEmpty { same += 1 } else { changed.append(Self.change(interaction, differences)) }
        }
        let left = Set(rest.values.joined().map(\.name))
        gone = first.filter { left.contains($0.name) }.map { Self.change($0, []) }
    }

    private static func change(_ interaction: Interaction, _ differences: [String]) -> Change {
        Change(
            name: interaction.name, method: interaction.request.method,
            url: NearestText.show(interaction.request.url), differences: differences)
    }

    private static func differences(
        _ old: Interaction, _ new: Interaction, _ volatile: VolatileRules
    ) throws(FormatError) -> [String] {
        var found: [String] = []
        if old.repeats != new.repeats { found.append("repeat: \(old.repeats) → \(new.repeats)") }
        if old.optional != new.optional { found.append("optional: \(old.optional) → \(new.optional)") }
        if old.match != new.match { found.append("match rule changed") }
        if let before = old.after, let after = new.after, before != after {
            found.append("after: \(before) → \(after) writes")
        }
        found += fields(old.request.fields, new.request.fields, volatile).map { "request field \($0)" }
        switch (old.outcome, new.outcome) {
        case (.error(let before), .error(let after)):
            if before.label != after.label { found.append("error: \(before.label) → \(after.label)") }
        case (.response(let before), .response(let after)):
            found += try differences(before, after, volatile)
        case (.error(let before), .response(let after)):
            found.append("error \(before.label) → status \(after.status)")
        case (.response(let before), .error(let after)):
            found.append("status \(before.status) → error \(after.label)")
        }
        return found
    }

    private static func differences(
        _ old: RecordedResponse, _ new: RecordedResponse, _ volatile: VolatileRules
    ) throws(FormatError) -> [String] {
        var found: [String] = []
        if old.status != new.status { found.append("status: \(old.status) → \(new.status)") }
        if old.framing != new.framing { found.append("framing: \(old.framing.rawValue) → \(new.framing.rawValue)") }
        found += self.fields(old.fields, new.fields, volatile).map { "field \($0)" }
        found += self.fields(old.trailers, new.trailers, volatile).map { "trailer \($0)" }
        if old.body?.coding != new.body?.coding {
            found.append("coding: \(old.body?.coding ?? "none") → \(new.body?.coding ?? "none")")
        }
        let (before, after) = (try old.body?.octets() ?? [], try new.body?.octets() ?? [])
        let types = [old.fields, new.fields].map { $0.first("Content-Type").flatMap { MediaType.parse($0) } }
        let places = NearestBody.differences(after, types[1], before, types[0], limit: limit)
        for difference in places where !isVolatile(difference.place, volatile) {
            found.append("\(difference.place): " + arrow(difference.recorded, difference.request))
        }
        if places.count == limit { found.append("body: and more, which tapedeck show --body shows") }
        return found
    }

    private static func isVolatile(_ place: NearestDifference.Place, _ rules: VolatileRules) -> Bool {
        guard case .json(let pointer) = place else { return false }
        let place = JSONPointer.components(pointer)
        return rules.pointers.map(JSONPointer.components).contains { rule in
            !rule.isEmpty && rule.count <= place.count
                && zip(rule, place).allSatisfy { $0 == [UInt8(ascii: "*")] || $0 == $1 }
        }
    }

    private static func fields(_ old: Fields, _ new: Fields, _ volatile: VolatileRules) -> [String] {
        let (before, after) = (values(old), values(new))
        return Set(before.keys).union(after.keys).subtracting(volatile.fields).sorted().compactMap { name in
            if let one = before[name], let other = after[name], one.stable == other.stable { return nil }
            let spelling = after[name]?.name ?? before[name]?.name ?? name
            return "\(spelling): " + arrow(before[name]?.shown, after[name]?.shown)
        }
    }

    /// The values of fields by name in lower case; the names of placeholders do not count.
    private static func values(_ fields: Fields) -> [String: (name: String, shown: String, stable: String)] {
        var found: [String: (name: String, shown: String, stable: String)] = [:]
        for index in 0..<fields.count {
            let name = String(decoding: fields.name(at: index), as: UTF8.self)
            let value = String(decoding: fields.value(at: index), as: UTF8.self)
            let before = found[name.lowercased()]
            let stable = SecretPlaceholder.nameless(value)
            found[name.lowercased()] = (
                before?.name ?? name, NearestText.show((before.map { $0.shown + ", " } ?? "") + value),
                (before.map { $0.stable + ", " } ?? "") + stable
            )
        }
        return found
    }

    private static func arrow(_ old: String?, _ new: String?) -> String {
        switch (old, new) {
        case (let old?, let new?): "\(old) → \(new)"
        case (let old?, nil): "\(old) → gone"
        case (nil, let new?): "new, \(new)"
        case (nil, nil): "changed"
        }
    }
}
