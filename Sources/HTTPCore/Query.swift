/// One item of a query or a form, octets as sent. `?a` has no value, `?a=` has an empty one.
package struct QueryItem: Sendable, Hashable {
    package var name: Bytes
    package var value: Bytes?

    package init(name: Bytes, value: Bytes?) {
        self.name = name
        self.value = value
    }
}

/// Splits a query at `&`, and each item at its first `=`; a semicolon separates nothing. Empty items are kept, so that
/// `joinQuery` gives the same octets back. An empty query has no items.
package func splitQuery(_ query: some Collection<UInt8>) -> [QueryItem] {
    withOctets(query) { octets in
        guard !octets.isEmpty else { return [] }
        return octets.split(separator: Octet.ampersand, omittingEmptySubsequences: false).map { item in
            guard let mark = item.firstIndex(of: Octet.equals) else {
                return QueryItem(name: Bytes(item), value: nil)
            }
            return QueryItem(name: Bytes(item[..<mark]), value: Bytes(item[(mark + 1)...]))
        }
    }
}

/// Joins items to a query, without a question mark.
package func joinQuery(_ items: [QueryItem]) -> Bytes {
    var query = Bytes()
    for (index, item) in items.enumerated() {
        if index > 0 { query.append(Octet.ampersand) }
        query += item.name
        guard let value = item.value else { continue }
        query.append(Octet.equals)
        query += value
    }
    return query
}
