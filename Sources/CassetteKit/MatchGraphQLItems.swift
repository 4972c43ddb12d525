import HTTPCore

extension MatchGraphQL {
    /// The items of a GraphQL request by GET with the document folded and the JSON items by value; nil if they are none.
    static func items(
        _ items: [Matcher.Item], _ rule: MatchRules.GraphQL
    ) -> [(name: Bytes, value: Bytes?)]? {
        guard items.contains(where: { isName($0.name, "query") || isName($0.name, "extensions") }) else { return nil }
        var result = items.map { (name: Bytes($0.name), value: $0.value.map { Bytes($0) }) }
        var isGraphQL = false
        var hasHash = false
        var hash: Bytes?
        for index in items.indices {
            let name = items[index].name
            let isDocument = isName(name, "query")
            guard let value = items[index].value,
                isDocument || isName(name, "variables") || isName(name, "extensions")
            else { continue }
            let decoded = percentDecode(value, plusIsSpace: true)
            if isDocument {
                guard self.isDocument(decoded) else { return nil }
                isGraphQL = true
                result[index].value = folded(decoded)
                if rule == .hash, hash == nil { hash = self.hash(decoded) }
            } else if let json = decoded.withUnsafeBufferPointer({ MatchJSON.canonical($0, ignoring: []) }) {
                result[index].value = json
                if isName(name, "extensions"), decoded.contains(text: "\"sha256Hash\"") {
                    hasHash = true
                    hash =
                        (try? JSONText.parse(decoded))?["persistedQuery"]?["sha256Hash"]?.text.map { Bytes($0.utf8) }
                        ?? hash
                }
            }
        }
        guard isGraphQL || hasHash else { return nil }
        if rule == .hash, let hash {
            result.removeAll { isName($0.name[...], "query") || isName($0.name[...], "extensions") }
            result.append((Bytes("sha256Hash".utf8), hash))
            return result
        }
        if hasHash || rule == .operation { result.removeAll { isName($0.name[...], "query") } }
        if rule == .operation { result.removeAll { isName($0.name[...], "extensions") } }
        return result
    }

    private static func isName(_ name: ArraySlice<UInt8>, _ text: StaticString) -> Bool {
        name.count == text.utf8CodeUnitCount && text.withUTF8Buffer { name.elementsEqual($0) }
    }
}

extension [UInt8] {
    /// Whether a text stands somewhere in the octets.
    fileprivate func contains(text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard count >= wanted.count else { return false }
        return (0...(count - wanted.count)).contains { start in
            self[start] == wanted[0] && self[start..<(start + wanted.count)].elementsEqual(wanted)
        }
    }
}
