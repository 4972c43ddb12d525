import CassetteKit
import DeckRules

extension ConfigurationReader {
    static let volatileKeys = ["headers", "query", "json"]

    /// What changes with every recording and means nothing, besides the built-in list.
    mutating func readVolatile(_ node: Node) -> VolatileRules {
        let members = object(node, known: Self.volatileKeys)
        return VolatileRules(
            fields: members["headers"].map {
                list($0).compactMap { reading($0, as: "a field's name", checkedFieldName) }
            } ?? [],
            queryItems: members["query"].map { strings($0, as: "a query item's name") } ?? [],
            pointers: members["json"].map { readPointers($0).map(\.description) } ?? [])
    }
}
