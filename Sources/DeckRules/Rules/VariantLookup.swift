/// All variants by name, those that a route defines or changes apart from those that all share.
struct VariantLookup: Sendable {
    private let common: [String: Variant]
    private let ofRoutes: [[String: Variant]]

    /// Lays the definitions over each other: built-in ones, the top level's, each route's.
    init(_ definitions: [String: VariantDefinition], _ routes: [[String: VariantDefinition]]) {
        let layers = builtInVariants.merging(definitions) { lower, upper in
            var both = lower
            both.lay(upper)
            return both
        }
        common = Dictionary(uniqueKeysWithValues: layers.map { ($0.key, Variant(name: $0.key, $0.value)) })
        ofRoutes = routes.map { variants in
            let made = variants.map { name, upper in
                var definition = layers[name] ?? VariantDefinition()
                definition.lay(upper)
                return (name, Variant(name: name, definition))
            }
            return Dictionary(uniqueKeysWithValues: made)
        }
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
