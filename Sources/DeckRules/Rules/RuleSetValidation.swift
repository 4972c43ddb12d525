extension RuleSet {
    /// Everything that is wrong with the rules, in the order of routes, variants, scenarios and faults.
    package func validate() -> [RuleProblem] {
        routeProblems() + variantProblems() + scenarioProblems() + faultProblems() + planProblems()
    }

    private func routeProblems() -> [RuleProblem] {
        var problems: [RuleProblem] = table.indistinguishablePairs().map { first, second in
            let (one, other) = (table.routes[first], table.routes[second])
            return RuleProblem(
                ["routes", other.name, "match"],
                RuleError(
                    "`\(one.name)` (\(one.pattern.text)) and `\(other.name)` (\(other.pattern.text)) take the same "
                        + "requests, and neither is more literal",
                    advice: "make one of the patterns more literal"))
        }
        for route in table.routes {
            let ignored = table.ignoredQuery + route.ignoredQuery
            for item in route.pattern.query.items where ignored.contains(item.name) {
                let name = String(decoding: item.name, as: UTF8.self)
                problems.append(
                    RuleProblem(
                        ["routes", route.name, "match"],
                        RuleError(
                            "the query item `\(name)` of `\(route.name)` is under ignoreQuery, so it is never there",
                            advice: "take it out of one of them")))
            }
        }
        return problems
    }

    private func variantProblems() -> [RuleProblem] {
        var problems: [RuleProblem] = []
        for (name, definition) in definitions.sorted(by: { $0.key < $1.key }) {
            problems += thenProblems(definition, ["variants", name], known: variantNames(route: nil))
            if case .file(let file) = definition.body, let parameter = file.parameterNames.first {
                problems.append(
                    RuleProblem(
                        ["variants", name, "bodyFile"],
                        RuleError(
                            "`\(file.text)` needs the parameter {\(parameter)}, which not every route has",
                            advice: "define the variant on the routes that have it")))
            }
        }
        for (index, route) in table.routes.enumerated() {
            for (name, definition) in route.variants.sorted(by: { $0.key < $1.key }) {
                let path = ["routes", route.name, "variants", name]
                if definition.fault?.details.needsTLS == true, !route.pattern.isConnect {
                    problems.append(RuleProblem(path + ["fault"], misplaced(name)))
                }
                problems += thenProblems(definition, path, known: variantNames(route: index))
                guard case .file(let file) = definition.body else { continue }
                for parameter in file.parameterNames where !route.pattern.parameterNames.contains(parameter) {
                    problems.append(
                        RuleProblem(
                            path + ["bodyFile"],
                            RuleError(
                                "`\(route.name)` has no parameter {\(parameter)}",
                                advice: suggestion(for: parameter, among: route.pattern.parameterNames))))
                }
            }
        }
        return problems
    }

    private func thenProblems(_ definition: VariantDefinition, _ path: [String], known: [String]) -> [RuleProblem] {
        var problems: [RuleProblem] = []
        if let then = definition.plan.then, !known.contains(then) {
            problems.append(RuleProblem(path + ["then"], unknownVariant(then, among: known)))
        }
        if let when = definition.plan.when, table.index(of: when.route) == nil {
            problems.append(RuleProblem(path + ["when", "route"], unknownRoute(when.route)))
        }
        return problems
    }

    private func scenarioProblems() -> [RuleProblem] {
        var problems: [RuleProblem] = []
        for scenario in scenarios.values.sorted(by: { $0.name < $1.name }) {
            let path = ["scenarios", scenario.name]
            if let star = scenario.star, variant(star, route: nil) == nil {
                problems.append(
                    RuleProblem(path + ["*"], unknownVariant(star, among: variantNames(route: nil), star: true)))
            }
            for (name, choice) in scenario.entries.sorted(by: { $0.key < $1.key }) {
                guard let route = table.index(of: name) else {
                    problems.append(RuleProblem(path + [name], unknownRoute(name)))
                    continue
                }
                if variant(choice, route: route) == nil {
                    problems.append(
                        RuleProblem(path + [name], unknownVariant(choice, among: variantNames(route: route))))
                }
            }
        }
        if let scenario, scenarios[scenario] == nil {
            problems.append(RuleProblem(["scenario"], unknownScenario(scenario)))
        }
        return problems
    }

    private func faultProblems() -> [RuleProblem] {
        faults.compactMap { fault in
            var route: Int?
            var names = variantNames(route: nil)
            switch fault.target {
            case .route(let name):
                route = table.index(of: name)
                if route == nil { return RuleProblem([], prefixed(fault, unknownRoute(name))) }
                names = variantNames(route: route)
            case .pattern(let pattern) where !pattern.isConnect:
                if variant(fault.variant, route: nil)?.isInHandshake == true {
                    return RuleProblem([], prefixed(fault, misplaced(fault.variant)))
                }
            case .star, .pattern: break
            }
            guard variant(fault.variant, route: route) == nil else { return nil }
            return RuleProblem([], prefixed(fault, unknownVariant(fault.variant, among: names)))
        }
    }

    private func planProblems() -> [RuleProblem] {
        var found: Set<String> = []
        return (plan?.variants ?? [:]).compactMap { place, name in
            let route = place.route.flatMap { table.index(of: $0) }
            let error: RuleError
            if let missing = place.route, route == nil {
                error = unknownRoute(missing)
            } else if variant(name, route: route) == nil {
                error = unknownVariant(name, among: variantNames(route: route))
            } else {
                return nil
            }
            guard found.insert(error.message).inserted else { return nil }
            return RuleProblem([], RuleError("the fault plan: \(error.message)", advice: error.advice))
        }.sorted { $0.error.message < $1.error.message }
    }

    private func prefixed(_ fault: FaultOverride, _ error: RuleError) -> RuleError {
        RuleError("the fault `\(fault.text)`: \(error.message)", advice: error.advice)
    }

    package func unknownRoute(_ name: String) -> RuleError {
        RuleError("there is no route `\(name)`", advice: suggestion(for: name, among: table.routes.map(\.name)))
    }

    package func unknownScenario(_ name: String) -> RuleError {
        RuleError("there is no scenario `\(name)`", advice: suggestion(for: name, among: Array(scenarios.keys)))
    }

    package func unknownVariant(_ name: String, among known: [String], star: Bool = false) -> RuleError {
        if !known.contains(name), lookup.variant(name, route: nil)?.isInHandshake == true { return misplaced(name) }
        return RuleError(
            star ? "there is no variant `\(name)` for all routes" : "there is no variant `\(name)`",
            advice: suggestion(for: name, among: known))
    }

    /// Says that a fault of the TLS handshake can't be a route's whose requests come after it.
    private func misplaced(_ name: String) -> RuleError {
        RuleError(
            "`\(name)` acts in the TLS handshake, before a path is known",
            advice: "give it to `CONNECT HOST`, or to * for every host")
    }
}
