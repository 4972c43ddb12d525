extension RuleSet {
    /// Routes that are allowed but take no request, each with what to do about it.
    ///
    /// No route can stand in the shadow of another: of two that take a request the more literal wins, a route that takes all
    /// requests of another is never the more literal one, and two that can't be told apart are a problem.
    package func remarks() -> [RuleProblem] {
        table.routes.compactMap { route in
            guard let error = pathRemark(route) ?? methodRemark(route) else { return nil }
            return RuleProblem(["routes", route.name, "match"], error)
        }
    }

    /// Paths that the deck keeps for itself.
    private func pathRemark(_ route: Route) -> RuleError? {
        guard let first = route.pattern.segments.first?.literal,
            let mark = ["_deck", "_up"].first(where: { first.elementsEqual($0.utf8) })
        else { return nil }
        return RuleError(
            "`\(route.name)` never matches: /\(mark)/NAME is taken off a path before routes see it",
            advice: "write the pattern without it")
    }

    /// Methods are case-sensitive (RFC 9110 §9.1), and nobody sends a common one in other letters.
    private func methodRemark(_ route: Route) -> RuleError? {
        guard let method = route.pattern.method else { return nil }
        let capitals = String(decoding: method.utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
        let common = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        guard capitals != method, common.contains(capitals) else { return nil }
        return RuleError(
            "`\(route.name)` never matches: methods are told apart by their letters' case, and \(method) is not \(capitals)",
            advice: "write \(capitals)")
    }
}
