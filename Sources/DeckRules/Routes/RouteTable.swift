package import HTTPCore

/// All routes, ready to be asked once per exchange.
///
/// The path is walked once through a tree of segments whose branches are tried from the most literal to the least, so that
/// the first route found is the one that wins. A look-up allocates only for an escaped path and a query.
package struct RouteTable: Sendable {
    /// A place in the tree: what may follow the segments read so far.
    private struct Node: Sendable {
        /// Sorted by length, then by octets.
        var literals: [(octets: Bytes, node: Int)] = []
        /// From the most literal to the least.
        var mixed: [(pattern: TextPattern, node: Int)] = []
        var parameter: Int?
        /// Routes that end here, the winner first.
        var leaves: [Int] = []
        /// Routes that take any rest of the path, the winner first.
        var rests: [Int] = []
    }

    /// What a request has to have besides the path; what a look-up reads of a route.
    private struct Test: Sendable {
        var method: String?
        var query: QueryPattern
        var ignored: [Bytes]
        var operation: String?
    }

    /// The routes in the order in which they were given.
    package let routes: [Route]
    /// Names of query items, in normal form, that count as absent for all routes.
    package let ignoredQuery: [Bytes]
    private var nodes = [Node()]
    /// What is left to ask of each route once the path fits.
    private var tests: [Test]

    /// Builds the table; ``indistinguishablePairs()`` tells whether its routes can be told apart.
    package init(_ routes: [Route], ignoredQuery: [Bytes] = []) {
        self.routes = routes
        self.ignoredQuery = ignoredQuery
        needsOperations = routes.contains { $0.operation != nil }
        tests = routes.map { route in
            Test(
                method: route.pattern.method, query: route.pattern.query, ignored: ignoredQuery + route.ignoredQuery,
                operation: route.operation)
        }
        for index in routes.indices { insert(index) }
        for node in nodes.indices { sort(node) }
    }

    /// Whether there is no route at all.
    package var isEmpty: Bool { routes.isEmpty }

    /// Whether the route of some request depends on the GraphQL operation in its body.
    package let needsOperations: Bool

    /// Finds a route by name.
    package func index(of name: String) -> Int? { routes.firstIndex { $0.name == name } }

    /// Finds the route of a request.
    ///
    /// - Parameters:
    ///   - path: as sent, from the slash.
    ///   - query: as sent, without the question mark; nil where the request has none.
    ///   - operations: the names of the GraphQL operations in the request, one or, in a batch, more.
    package func route(method: String, path: Bytes, query: Bytes?, operations: [String] = []) -> RouteMatch {
        guard !routes.isEmpty, path.first == UInt8(ascii: "/") else { return .none }
        let path = normalizedPath(path)
        let items = query.map { $0.isEmpty ? [] : normalizedQuery(splitQuery($0)) } ?? []
        var search = Search(
            method: method, path: path, query: items, operations: operations, isConnect: method == connectMethod)
        let found = find(&search, node: 0, slash: 0)
        guard found != nil || search.near != nil else { return .none }
        return RouteMatch(index: found, near: found == nil ? search.near : nil, path: path, query: items)
    }

    /// The parameters of a request that a route of this table took; none for a match of another table.
    package func parameters(of match: RouteMatch) -> [String: String] {
        guard let index = match.index, index < routes.count, routes[index].pattern.takes(path: match.path) else {
            return [:]
        }
        return routes[index].pattern.parameters(path: match.path, query: match.query, ignoring: tests[index].ignored)
    }
}

/// What the table says about one request.
package struct RouteMatch: Sendable {
    /// The route's place among ``RouteTable/routes``; nil where no route takes the request.
    package var index: Int?
    /// The route that has the request's method and path, but another query or operation; only where no route takes it.
    package var near: Int?
    /// Path and query items in normal form, kept for the parameters.
    var path: Bytes = []
    var query: [QueryItem] = []

    /// No route, and none near.
    package static let none = RouteMatch()
}

extension RouteTable {
    private struct Search {
        let method: String
        let path: Bytes
        let query: [QueryItem]
        let operations: [String]
        let isConnect: Bool
        var near: Int?
    }

    /// - Parameter slash: where the next segment's slash stands; the end of the path where none follows.
    private func find(_ search: inout Search, node: Int, slash: Int) -> Int? {
        if slash == search.path.count { return firstTaking(&search, nodes[node].leaves) }
        let end = search.path[(slash + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? search.path.count
        let segment = search.path[(slash + 1)..<end]
        if let next = child(nodes[node].literals, segment), let found = find(&search, node: next, slash: end) {
            return found
        }
        for (pattern, next) in nodes[node].mixed where pattern.matches(segment, allowsEmpty: false) {
            if let found = find(&search, node: next, slash: end) { return found }
        }
        if let next = nodes[node].parameter, !segment.isEmpty, let found = find(&search, node: next, slash: end) {
            return found
        }
        return firstTaking(&search, nodes[node].rests)
    }

    private func firstTaking(_ search: inout Search, _ candidates: [Int]) -> Int? {
        for index in candidates where tests[index].method == nil || tests[index].method == search.method {
            if search.isConnect, tests[index].method == nil { continue }
            let operationFits = tests[index].operation.map(search.operations.contains) ?? true
            if operationFits, tests[index].query.matches(search.query, ignoring: tests[index].ignored) { return index }
            if search.near == nil { search.near = index }
        }
        return nil
    }

    private func child(_ literals: [(octets: Bytes, node: Int)], _ segment: ArraySlice<UInt8>) -> Int? {
        var low = 0
        var high = literals.count
        while low < high {
            let middle = (low + high) / 2
            if precedes(literals[middle].octets[...], segment) { low = middle + 1 } else { high = middle }
        }
        return low < literals.count && literals[low].octets.elementsEqual(segment) ? literals[low].node : nil
    }
}

extension RouteTable {
    private mutating func insert(_ index: Int) {
        var node = 0
        for segment in routes[index].pattern.segments { node = follow(segment, from: node) }
        if routes[index].pattern.rest == nil {
            nodes[node].leaves.append(index)
        } else {
            nodes[node].rests.append(index)
        }
    }

    private mutating func follow(_ segment: TextPattern, from node: Int) -> Int {
        switch segment.kind {
        case .literal:
            let octets = segment.literal ?? []
            if let known = nodes[node].literals.first(where: { $0.octets == octets }) { return known.node }
            nodes[node].literals.append((octets, nodes.count))
        case .mixed:
            if let known = nodes[node].mixed.first(where: { $0.pattern.hasShape(of: segment) }) { return known.node }
            nodes[node].mixed.append((segment, nodes.count))
        case .parameter:
            if let known = nodes[node].parameter { return known }
            nodes[node].parameter = nodes.count
        }
        nodes.append(Node())
        return nodes.count - 1
    }

    private mutating func sort(_ node: Int) {
        nodes[node].literals.sort { precedes($0.octets[...], $1.octets[...]) }
        nodes[node].mixed.sort { $0.pattern.literalOctets > $1.pattern.literalOctets }
        nodes[node].leaves.sort { Route.comesBefore(routes[$0], routes[$1]) ?? ($0 < $1) }
        nodes[node].rests.sort { Route.comesBefore(routes[$0], routes[$1]) ?? ($0 < $1) }
    }

    /// Pairs of routes that take a common request while nothing says which one wins.
    package func indistinguishablePairs() -> [(first: Int, second: Int)] {
        routes.indices.flatMap { first in
            routes.indices.dropFirst(first + 1)
                .filter { routes[first].isIndistinguishable(from: routes[$0]) }
                .map { (first, $0) }
        }
    }
}

/// Orders octets by length first, which is the cheapest to compare.
private func precedes(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
    a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count < b.count
}
