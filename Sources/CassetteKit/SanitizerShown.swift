package import HTTPCore

extension Sanitizer {
    /// A target as logs, journal and pages show it: a secret value is the id of the rule that found it.
    ///
    /// - Parameter ledger: the secrets of the run so far, which are hidden too.
    package func shown(target: Bytes, ledger: SecretLedger? = nil) -> Bytes {
        if ledger == nil, isOpen(target) { return target }
        var pass = SanitizerPass(tables: tables, mode: .key, side: .request)
        if let ledger { pass.tracked = ledger.index() }
        pass.select(method: nil, path: Self.path(target))
        return pass.target(target)
    }

    /// Whether a target is too plain to hold a secret: short words with slashes between, and no rule that looks for more than
    /// names and shapes.
    private func isOpen(_ target: Bytes) -> Bool {
        guard target.count <= 64, tables.places.isEmpty, tables.templates.isEmpty, tables.literals.isEmpty,
            tables.expressions.isEmpty
        else { return false }
        var word = 0
        for octet in target {
            guard SecretPlaceholder.isNameOctet(octet) || octet == UInt8(ascii: "/") else { return false }
            word = octet == UInt8(ascii: "/") ? 0 : word + 1
            if word >= Self.shortestShape { return false }
        }
        return true
    }

    /// No value of this many octets or less has a shape that tells what it is.
    private static let shortestShape = 14
}

extension CassetteRecorder {
    /// A target as logs and journal show it: without what rules hide, and without the secrets of the run so far.
    package func shown(target: Bytes) -> Bytes { setup.sanitizer.shown(target: target, ledger: ledger) }

    /// A request's body as it is stored.
    package func shown(body request: RawRequest) -> Bytes {
        setup.sanitizer.request(request, ledger: ledger).message.body ?? []
    }
}
