/// The keys of interactions that have match rules of their own: a request is tried against them beside its usual key.
///
/// A set of rules costs one more hash for each request of the interaction's method; cassettes without own rules pay nothing.
package struct OwnMatchKeys: Sendable {
    private struct Entry: Sendable {
        var match: InteractionMatch
        /// The rules that the interaction's match lies over.
        var base: MatchRules
        var matcher: Matcher
        var salt: UInt64
        var keys: Set<MatchKey> = []
    }

    /// By method, those that ask for more first.
    private var entries: [String: [Entry]] = [:]
    /// The keys of interactions without rules of their own.
    private var plain: Set<MatchKey> = []

    /// No interaction has rules of its own.
    package init() {}

    /// - Parameter matcher: what holds for an interaction's request without its own rules.
    /// - Throws: `FormatError` if a request's body that lies beside can't be read.
    package init(
        _ interactions: [Interaction], matcher: (RecordedRequest) -> Matcher
    ) throws(FormatError) {
        guard interactions.contains(where: { $0.match != nil }) else { return }
        var salt: UInt64 = 0
        for interaction in interactions {
            guard let match = interaction.ownMatch else {
                plain.insert(try matcher(interaction.request).key(of: interaction.request))
                continue
            }
            let (method, base) = (interaction.request.method, matcher(interaction.request))
            var list = entries[method] ?? []
            let index: Int
            if let known = list.firstIndex(where: { $0.match == match && $0.base == base.rules }) {
                index = known
            } else {
                salt += 1
                let own = Matcher(sanitizer: base.sanitizer, rules: match.rules(over: base.rules))
                index = match.isStricter ? 0 : list.count
                list.insert(Entry(match: match, base: base.rules, matcher: own, salt: salt), at: index)
            }
            let key = try list[index].matcher.key(of: interaction.request).salted(list[index].salt)
            list[index].keys.insert(key)
            entries[method] = list
        }
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// The key under which an interaction with rules of its own stands; nil if it has none.
    package func key(of interaction: Interaction, base: Matcher) throws(FormatError) -> MatchKey? {
        guard let match = interaction.ownMatch,
            let entry = entries[interaction.request.method]?.first(where: { $0.match == match && $0.base == base.rules }
            )
        else { return nil }
        return try entry.matcher.key(of: interaction.request).salted(entry.salt)
    }

    /// The key under which a request finds its interaction: that of rules that ask for more, else the usual one if
    /// something stands there, else that of rules that let something go, else the usual one.
    package func key(method: String, base: Matcher, usual: MatchKey, _ key: (Matcher) -> MatchKey) -> MatchKey {
        guard let list = entries[method] else { return usual }
        for entry in list where entry.base == base.rules {
            if !entry.match.isStricter, plain.contains(usual) { return usual }
            let own = key(entry.matcher).salted(entry.salt)
            if entry.keys.contains(own) { return own }
        }
        return usual
    }
}

extension MatchKey {
    /// A key that no other set of rules gives.
    fileprivate func salted(_ salt: UInt64) -> MatchKey {
        MatchKey(high: high ^ (salt &* 0x9E37_79B9_7F4A_7C15), low: low)
    }
}
