/// All variants by name, those that a route defines or changes apart from those that all share.
struct VariantLookup: Sendable {
    private let common: [String: Variant]
    private let ofRoutes: [[String: Variant]]

    /// Lays the definitions over each other: built-in ones, the top level's, each route's.
    init(_ definitions: [String: VariantDefinition], _ routes: [[String: VariantDefinition]]) {
        var layers = builtInVariants.merging(definitions) { lower, upper in
            var both = lower
            both.lay(upper)
            return both
        }
        Self.followUnauthorized(definitions, in: &layers)
        common = Dictionary(uniqueKeysWithValues: layers.map { ($0.key, Variant(name: $0.key, $0.value)) })
        ofRoutes = routes.map { variants in
            var definitions: [String: VariantDefinition] = [:]
            for (name, upper) in variants {
                var definition = layers[name] ?? VariantDefinition()
                definition.lay(upper)
                definitions[name] = definition
            }
            if definitions["unauthorized"] != nil {
                definitions["tokenExpired"] = definitions["tokenExpired"] ?? layers["tokenExpired"]
                Self.followUnauthorized(variants, in: &definitions)
            }
            Self.giveAnswer(of: definitions["default"] ?? layers["default"], to: &definitions, layers)
            return Dictionary(uniqueKeysWithValues: definitions.map { ($0.key, Variant(name: $0.key, $0.value)) })
        }
    }

    /// An expired token looks as every other refusal does where the project gave that an answer of its own.
    private static func followUnauthorized(
        _ upper: [String: VariantDefinition], in definitions: inout [String: VariantDefinition]
    ) {
        guard let answer = upper["unauthorized"], var expired = definitions["tokenExpired"] else { return }
        expired.lay(VariantDefinition(status: answer.status, fields: answer.fields, body: answer.body))
        if let own = upper["tokenExpired"] { expired.lay(own) }
        definitions["tokenExpired"] = expired
    }

    /// A route whose `default` brings its own answer delays and throttles that answer: what only says how fast an answer
    /// comes (`slow`) has no recorded one to take.
    private static func giveAnswer(
        of base: VariantDefinition?, to definitions: inout [String: VariantDefinition],
        _ layers: [String: VariantDefinition]
    ) {
        guard let base, base.bringsAnswer else { return }
        for (name, definition) in layers.merging(definitions, uniquingKeysWith: { $1 })
        where name != "default" && definition.saysNothingOfAnswer {
            var whole = definition
            (whole.status, whole.fields, whole.body) = (base.status, base.fields, base.body)
            definitions[name] = whole
        }
    }

    /// The routes whose use moves some variant on.
    var movingRoutes: Set<String> {
        Set(([common] + ofRoutes).flatMap { $0.values }.compactMap { $0.plan.when?.route })
    }

    func variant(_ name: String, route: Int?) -> Variant? {
        if let route, let own = ofRoutes[route][name] { return own }
        return common[name]
    }

    func names(route: Int?) -> [String] {
        Set(common.keys).union(route.map { Array(ofRoutes[$0].keys) } ?? []).sorted()
    }

    /// The variants that follow each other from one on (`then`), the first included, as a route has them.
    func chain(from name: String, route: Int?) -> [Variant] {
        var found: [Variant] = []
        var next: String? = name
        while let name = next, !found.contains(where: { $0.name == name }), let variant = variant(name, route: route) {
            found.append(variant)
            next = variant.plan.then
        }
        return found
    }
}
