package import HTTPCore

/// What is said about a request that is not in the cassette: what came, what is near, and what to type next. Holds no
/// secret.
package struct MissReport: Sendable {
    package static let title = "No Recorded Interaction"
    /// What lets a request be answered more often than it was recorded.
    private var playsAgain: String {
        let rule = #""playback": "repeatLast""#
        return playbackRoute.map { #""routes.\#($0)": {\#(rule)}"# } ?? rule
    }

    package var method: String
    /// Absolute, sanitized.
    package var url: String
    package var nearest: [Nearest]
    /// How many interactions were looked at, where that was not all of them.
    package var lookedAt: Int?
    /// The rules that held.
    package var rules: MatchRules
    /// The route whose rules held, and the rules of all; nil where no route has taken the request.
    package var route: (name: String, common: MatchRules)?
    /// The command that would record the request; starts with `tapedeck`.
    package var command: String
    package var status: Int
    /// The cassette's path as a shell takes it.
    private var cassette: String
    /// How often the request's answers were played, where that is why there is none left; nil for a request that is not
    /// recorded.
    package var playedTimes: Int?
    /// The route whose own policy that is; nil where it is the policy for all.
    package var playbackRoute: String?

    /// Reports a miss.
    ///
    /// - Parameters:
    ///   - cassette: the cassette's path, for the command; nil if there is none.
    ///   - status: what the client gets.
    ///   - limits: how far the search for the nearest goes.
    package init(
        _ request: RawRequest, interactions: [Interaction], matcher: Matcher, cassette: String?, status: Int = 599,
        limits: NearestLimits = NearestLimits()
    ) {
        // The second time what the first time found is known, so that it is hidden wherever it stands.
        let ledger = SecretLedger()
        let once = matcher.sanitizer.request(request, ledger: ledger)
        let clean = once.hidden.isEmpty ? once.message : matcher.sanitizer.request(request, ledger: ledger).message
        let origin = "\(request.scheme)://\(request.authority.text)"
        method = NearestText.show(request.method)
        url = origin + NearestText.show(clean.target)
        let found = NearestSearch(matcher: matcher, limits: limits).nearest(
            to: clean, in: interactions, original: request)
        nearest = found.nearest
        lookedAt = found.lookedAt < interactions.count ? found.lookedAt : nil
        rules = matcher.rules
        self.cassette = Self.quoted(cassette ?? "CASSETTE")
        command = "tapedeck record --mode new --upstream \(origin) \(self.cassette)"
        self.status = status
    }

    /// One sentence.
    package var detail: String {
        if let playedTimes {
            let times = playedTimes == 1 ? "once" : "\(playedTimes) times"
            return "\(method) \(url) was already played \(times), and the playback policy is \"error\""
        }
        guard let first = nearest.first else { return "\(method) \(url) is not recorded, and nothing else is" }
        return "\(method) \(url) is not recorded; the nearest is \(first.name)"
    }

    /// For the log: one line.
    package var logLine: String {
        guard let first = nearest.first else { return "miss \(method) \(url): nothing is recorded" }
        let places = first.differences.prefix(3).map(\.description).joined(separator: "; ")
        return "miss \(method) \(url): nearest \(first.name), \(places)"
    }

    /// What would make the request hit an interaction, as it stands in `tapedeck.json`: under a route's name where one has
    /// taken the request; nil if no rule can do that.
    package func fix(_ nearest: Nearest) -> String? {
        guard let wanted = nearest.rules else { return nil }
        // What a route says is added to what holds for all, so it can't take a field away that counts for all.
        if let route, route.common.headers.allSatisfy(wanted.headers.contains) {
            let inner = Self.members(wanted, beyond: rules, over: route.common)
            return inner.isEmpty ? nil : Self.spell(JSONMember("routes.\(route.name)", .object(inner)))
        }
        let members = Self.members(wanted, beyond: rules, over: MatchRules())
        return members.isEmpty ? nil : Self.spell(JSONMember("match", .object(members)))
    }

    private static func members(
        _ wanted: MatchRules, beyond rules: MatchRules, over base: MatchRules
    ) -> [JSONMember] {
        var members: [JSONMember] = []
        func add(_ name: String, _ list: KeyPath<MatchRules, [String]>) {
            guard wanted[keyPath: list] != rules[keyPath: list] else { return }
            let own = wanted[keyPath: list].filter { !base[keyPath: list].contains($0) }
            members.append(JSONMember(name, .array(own.map { .text($0) })))
        }
        add("ignoreQuery", \.ignoreQuery)
        add("ignoreBody", \.ignoreBody)
        add("headers", \.headers)
        if wanted.body != rules.body { members.append(JSONMember("body", .text(wanted.body.rawValue))) }
        return members
    }

    private static func spell(_ member: JSONMember) -> String {
        "\"\(member.key.raw)\": "
            + String(decoding: JSONText.write(member.value, layout: JSONLayout(.spaced)), as: UTF8.self)
    }

    /// For people, ending with a line end.
    package var text: String {
        var lines = ["\(status) \(Self.title)", "", "\(method) \(url)", ""]
        if playedTimes != nil { lines += [detail + ".", "To play it again: \(playsAgain) in tapedeck.json", ""] }
        if nearest.isEmpty {
            lines.append("Nothing is recorded.")
        } else {
            lines.append("Nearest:")
            for (index, entry) in nearest.enumerated() { lines += self.lines(entry, index + 1) }
        }
        if let lookedAt { lines.append("(of the first \(lookedAt) interactions: the search was ended)") }
        lines += ["", "To record it: \(command)", ""]
        return lines.joined(separator: "\n")
    }

    private func lines(_ entry: Nearest, _ number: Int) -> [String] {
        var lines = ["\(number). \(entry.name)", "   \(entry.method) \(entry.url)"]
        lines += entry.differences.map { "   - \($0)" }
        if entry.further > 0 { lines.append("   - and \(entry.further) more") }
        if let fix = fix(entry) { lines.append("   To match it: \(fix) in tapedeck.json") }
        if let command = entry.command(cassette) { lines.append("   To match it: \(command)") }
        return lines
    }

    /// Problem details (RFC 9457), ending with a line end.
    package var problem: Bytes {
        let value = JSONValue.object(
            [
                JSONMember("title", .text(Self.title)),
                JSONMember("status", .integer(status)),
                JSONMember("detail", .text(detail)),
                JSONMember("request", .object([JSONMember("method", .text(method)), JSONMember("url", .text(url))])),
                JSONMember("nearest", .array(nearest.map(problem))),
                JSONMember("command", .text(command)),
            ] + (playedTimes == nil ? [] : [JSONMember("rule", .text(playsAgain))])
                + (lookedAt.map { [JSONMember("lookedAt", .integer($0))] } ?? []))
        return JSONText.write(value, layout: JSONLayout(.indent2, lf: true))
    }

    private func problem(_ entry: Nearest) -> JSONValue {
        var members = [
            JSONMember("interaction", .text(entry.name)),
            JSONMember("method", .text(entry.method)),
            JSONMember("url", .text(entry.url)),
            JSONMember("distance", .integer(entry.distance)),
            JSONMember("differences", .array(entry.differences.map(Self.problem))),
        ]
        if entry.further > 0 { members.append(JSONMember("further", .integer(entry.further))) }
        if let fix = fix(entry) { members.append(JSONMember("rule", .text(fix))) }
        if let command = entry.command(cassette) { members.append(JSONMember("command", .text(command))) }
        return .object(members)
    }

    private static func problem(_ difference: NearestDifference) -> JSONValue {
        .object([
            JSONMember("place", .text(difference.place.description)),
            JSONMember("request", difference.request.map { .text($0) } ?? .null),
            JSONMember("recorded", difference.recorded.map { .text($0) } ?? .null),
        ])
    }

    /// A path as a shell takes it.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy {
            SecretPlaceholder.isNameOctet($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "~")
        }
        return isPlain && !path.isEmpty ? path : "'" + path.replacing("'", with: #"'\''"#) + "'"
    }
}

extension MissReport {
    /// The answer to the client: problem details, or text where Accept has no room for JSON. Not to be cached.
    package func response(accept: [ArraySlice<UInt8>]) -> (head: ResponseHead, body: Bytes) {
        let isJSON = Self.takesJSON(accept)
        var fields = Fields()
        fields.append("Content-Type", isJSON ? "application/problem+json" : "text/plain; charset=utf-8")
        fields.append("Cache-Control", "no-store")
        fields.append("Tapedeck-Miss", "1")
        let head = ResponseHead(version: .http11, status: status, reason: Array(Self.title.utf8), fields: fields)
        return (head, isJSON ? problem : Array(text.utf8))
    }

    /// Whether Accept fields take JSON; no field takes everything (RFC 9110 §12.5.1).
    static func takesJSON(_ accept: [ArraySlice<UInt8>]) -> Bool {
        guard !accept.isEmpty else { return true }
        for value in accept {
            for member in value.split(separator: UInt8(ascii: ",")) {
                guard let range = MediaType.parse(member) else { continue }
                if let weight = range.parameter("q"), !weight.utf8.contains(where: { (0x31...0x39).contains($0) }) {
                    continue
                }
                if range.isJSON || range.subtype == "*" && (range.type == "*" || range.type == "application") {
                    return true
                }
            }
        }
        return false
    }
}
