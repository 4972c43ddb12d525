/// What stands in a secret's place.
extension SanitizerPass {
    /// What stands in the place of a value that a rule names; nil if it stays: it is empty or a placeholder already.
    ///
    /// - Parameters:
    ///   - name: the place's name.
    ///   - isTracked: whether the value is worth searching for elsewhere.
    ///   - detail: what tells the place from others of this name in the message.
    mutating func hide(
        _ value: Octets, _ range: Range<Int>, rule: Int, name: String, at location: SecretLocation,
        isTracked: Bool = true, detail: () -> String? = { nil }
    ) -> [UInt8]? {
        guard !range.isEmpty else { return nil }
        let isTracked = isTracked && tables.isTracked(rule)
        let action = tables.action(rule)
        guard action.isPlaceholder else {
            return change(value, range, action, rule, name, at: location, isTracked: isTracked)
        }
        guard case .store(let ledger, let origin) = mode else {
            if isTracked { learn(value, range) }
            return SecretPlaceholder.prefix + Array(tables.id(rule).utf8)
        }
        let own = ownName(name, detail)
        if SecretPlaceholder.begins(value, range) {
            let renamed = renames.isEmpty ? nil : SecretPlaceholder.renamed(value[range], renames)
            if renamed != nil { count(tables.trackedRule, location) }
            return renamed
        }
        count(rule, location)
        // What tells places apart is made of the names in the pointer.
        let isOpen = !holdsSecret(name) && !holdsSecret(location.name)
        let tracking = tracking(action, name, isTracked && !SecretPlaceholder.isIn(value, range))
        return ledger.placeholder(
            for: Array(value[range]), name: isOpen ? own : tables.id(rule), origin: origin, tracking: tracking,
            order: order)
    }

    /// What stands in the place of a value by an action that gives no placeholder; nil if it is that already.
    private mutating func change(
        _ value: Octets, _ range: Range<Int>, _ action: SanitizerRule.Action, _ rule: Int, _ name: String,
        at location: SecretLocation, isTracked: Bool
    ) -> [UInt8]? {
        let changed = SanitizerAction.apply(action, to: value[range])
        if isTracked { note(value, range, changed, action, name) }
        if isKey {
            return action == .remove ? changed : SecretPlaceholder.prefix + Array(tables.id(rule).utf8)
        }
        guard !changed.elementsEqual(value[range]) else { return nil }
        count(rule, location)
        return changed
    }

    /// Makes a value known that an action changed: elsewhere the same stands for it, or a placeholder where it was taken out.
    private mutating func note(
        _ value: Octets, _ range: Range<Int>, _ changed: [UInt8], _ action: SanitizerRule.Action, _ name: String
    ) {
        guard range.count >= SecretLedger.trackedLength, !changed.elementsEqual(value[range]),
            !SecretPlaceholder.isIn(value, range)
        else { return }
        guard case .store(let ledger, let origin) = mode else {
            return learn(value, range, as: action == .remove ? SecretPlaceholder.unnamed : changed)
        }
        let octets = Array(value[range])
        guard action == .remove else { return ledger.know(octets, as: changed) }
        let safe = holdsSecret(name) ? "secret" : name
        _ = ledger.placeholder(for: octets, name: safe, origin: origin, tracking: .everywhere, order: order)
    }

    private func tracking(_ action: SanitizerRule.Action, _ name: String, _ isTracked: Bool) -> SecretLedger.Tracking {
        guard isTracked else { return .not }
        return action == .link ? .followed(name) : .everywhere
    }

    /// Whether what holds the value is to be taken out as a whole, which is counted then.
    mutating func takesOut(
        _ value: Octets, _ range: Range<Int>, rule: Int, name: String, at location: SecretLocation
    ) -> Bool {
        guard tables.removes, tables.action(rule) == .remove else { return false }
        if tables.isTracked(rule) { note(value, range, [], .remove, name) }
        if !isKey { count(rule, location) }
        return true
    }

    /// What stands in the place of a value found by its shape or because it is known.
    ///
    /// - Parameter known: what stands for it everywhere.
    mutating func hideFree(
        _ value: Octets, _ range: Range<Int>, rule: Int, known: [UInt8]?, at location: SecretLocation
    ) -> [UInt8] {
        let action = tables.action(rule)
        guard case .store(let ledger, let origin) = mode else {
            return freeInKey(value, range, action, known)
        }
        if let known {
            count(rule, location)
            return known
        }
        guard action.isPlaceholder else {
            let changed = SanitizerAction.apply(action, to: value[range])
            guard !changed.elementsEqual(value[range]) else { return changed }
            count(rule, location)
            note(value, range, changed, action, tables.id(rule))
            return changed
        }
        count(rule, location)
        let name = SecretPlaceholder.name(tables.id(rule).utf8)
        return ledger.placeholder(
            for: Array(value[range]), name: ownName(name) { nil }, origin: origin,
            tracking: tracking(action, name, true),
            order: order)
    }

    private mutating func freeInKey(
        _ value: Octets, _ range: Range<Int>, _ action: SanitizerRule.Action, _ known: [UInt8]?
    ) -> [UInt8] {
        if let known { return SecretPlaceholder.begins(known) ? SecretPlaceholder.unnamed : known }
        guard !action.isPlaceholder else {
            learn(value, range)
            return SecretPlaceholder.unnamed
        }
        // A pattern may not find what was changed again, so the change itself counts.
        let changed = SanitizerAction.apply(action, to: value[range])
        note(value, range, changed, action, "")
        return changed
    }
}
