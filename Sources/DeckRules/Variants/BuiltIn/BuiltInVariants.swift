/// The variants that every route has, by name: each family's, and one for each fault.
package let builtInVariants: [String: VariantDefinition] = {
    var table = ["default": VariantDefinition()]
    for family in [slowVariants, deniedVariants, serverFailureVariants, emptyVariants, graphQLVariants] {
        table.merge(family) { first, _ in first }
    }
    for fault in FaultKind.allCases { table[fault.rawValue] = VariantDefinition(fault: fault) }
    return table
}()
