package import HTTPCore

/// The query items that a route takes: each as written, in any order between names and in the written order within one.
package struct QueryPattern: Sendable, Hashable {
    /// One item: a literal name, and a pattern for its value or nil for an item without `=`.
    package struct Item: Sendable, Hashable {
        package var name: Bytes
        package var value: TextPattern?

        package init(name: Bytes, value: TextPattern?) {
            self.name = name
            self.value = value
        }

        func takes(_ other: Bytes?) -> Bool {
            guard let value else { return other == nil }
            guard let other else { return false }
            return value.matches(other[...], allowsEmpty: true)
        }
    }

    /// At most ``mostItems``.
    package var items: [Item]
    /// Whether further items of any name are taken (`?*`, `&*`).
    package var isOpen: Bool

    package init(items: [Item], isOpen: Bool) {
        self.items = items
        self.isOpen = isOpen
    }

    /// The most items that a pattern may name: one bit each while matching.
    package static let mostItems = 64

    /// Takes any query.
    package static let any = QueryPattern(items: [], isOpen: true)

    /// Tells whether a request's items are those of the pattern.
    ///
    /// - Parameters:
    ///   - requested: the request's items, names and values in normal form.
    ///   - ignored: names whose items count as absent.
    package func matches(_ requested: [QueryItem], ignoring ignored: [Bytes] = []) -> Bool {
        var used: UInt64 = 0
        var count = 0
        for item in requested where !ignored.contains(item.name) {
            guard let index = firstUnused(item.name, used) else {
                if isOpen { continue }
                return false
            }
            guard items[index].takes(item.value) else { return false }
            used |= 1 << UInt64(index)
            count += 1
        }
        return count == items.count
    }

    /// The parameters' values in a query that the pattern takes.
    func values(in requested: [QueryItem], ignoring ignored: [Bytes]) -> [(name: String, value: ArraySlice<UInt8>)] {
        var used: UInt64 = 0
        var found: [(name: String, value: ArraySlice<UInt8>)] = []
        for item in requested where !ignored.contains(item.name) {
            guard let index = firstUnused(item.name, used) else { continue }
            used |= 1 << UInt64(index)
            if let pattern = items[index].value, let value = item.value {
                found += pattern.values(in: value[...]) ?? []
            }
        }
        return found
    }

    private func firstUnused(_ name: Bytes, _ used: UInt64) -> Int? {
        items.indices.first { used & (1 << UInt64($0)) == 0 && items[$0].name == name }
    }
}

extension QueryPattern {
    /// Tells whether the first pattern is the more literal one, nil where neither is: more literal values, then more literal
    /// octets in mixed ones, then more items, and a closed one before an open one.
    static func comesBefore(_ a: QueryPattern, _ b: QueryPattern) -> Bool? {
        let (ranksA, ranksB) = (a.ranks, b.ranks)
        return ranksA == ranksB ? nil : ranksB.lexicographicallyPrecedes(ranksA)
    }

    /// Tells whether some query is taken by both patterns, given that they are equally literal.
    func overlaps(_ other: QueryPattern) -> Bool {
        for name in Set(items.map(\.name)).union(other.items.map(\.name)) {
            let (mine, theirs) = (values(of: name), other.values(of: name))
            if mine.count < theirs.count, !isOpen { return false }
            if theirs.count < mine.count, !other.isOpen { return false }
            for (a, b) in zip(mine, theirs) {
                switch (a, b) {
                case (nil, nil): continue
                case (.some(let a), .some(let b)) where a.overlaps(b): continue
                default: return false
                }
            }
        }
        return true
    }

    /// The greater, the more literal.
    private var ranks: [Int] {
        let values = items.map { $0.value?.kind ?? .literal }
        return [
            values.count { $0 == .literal },
            items.reduce(0) { $0 + ($1.value?.kind == .mixed ? $1.value?.literalOctets ?? 0 : 0) },
            values.count { $0 == .mixed },
            items.count,
            isOpen ? 0 : 1,
        ]
    }

    private func values(of name: Bytes) -> [TextPattern?] {
        items.filter { $0.name == name }.map(\.value)
    }
}
