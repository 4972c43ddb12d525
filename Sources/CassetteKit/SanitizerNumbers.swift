/// Numbers that are secret: others stand for them, for a client reads them as numbers.
extension SanitizerPass {
    /// The number in the place of one that a rule hides; nil if it stays.
    mutating func hideNumber(
        _ octets: Octets, _ range: Range<Int>, rule: Int, name: String, at place: SecretLocation,
        detail: () -> String?
    ) -> [UInt8]? {
        let nought = [UInt8(ascii: "0")]
        if isKey {
            if tables.isTracked(rule) { learn(octets, range) }
            return nought
        }
        let action = tables.action(rule)
        if let changed = SanitizerAction.apply(action, toNumber: octets[range]) {
            guard !changed.elementsEqual(octets[range]) else { return nil }
            count(rule, place)
            return changed
        }
        guard tables.isTracked(rule), case .store(let ledger, let origin) = mode else {
            count(rule, place)
            return nought
        }
        let own = ownName(name, detail)
        guard !SecretPlaceholder.isNumber(octets, range) else { return nil }
        count(rule, place)
        let isOpen = !holdsSecret(name) && !holdsSecret(place.name)
        let tracking: SecretLedger.Tracking = action == .link ? .followed(name) : .everywhere
        return ledger.placeholder(
            for: Array(octets[range]), name: isOpen ? own : tables.id(rule), origin: origin,
            tracking: tracking, order: order, isNumber: true)
    }

    /// A number for a known value whose placeholder may be text.
    func numberInstead(_ octets: Octets, _ range: Range<Int>, _ replacement: [UInt8]) -> [UInt8] {
        if SecretPlaceholder.isNumber(replacement) { return replacement }
        let name = replacement.starts(with: SecretPlaceholder.prefix) ? replacement.dropFirst(9) : replacement[...]
        return SecretPlaceholder.number(String(decoding: name, as: UTF8.self))
    }
}
