extension RoutePattern {
    /// Tells which of two patterns wins a request that both take: the more literal, segment by segment, then by query, then
    /// the one that names its method. Nil where nothing tells them apart.
    package static func comesBefore(_ a: RoutePattern, _ b: RoutePattern) -> Bool? {
        for (x, y) in zip(a.segments, b.segments) {
            if let order = TextPattern.comesBefore(x, y) { return order }
            if !x.hasShape(of: y) { return nil }
        }
        if a.segments.count != b.segments.count { return a.segments.count > b.segments.count }
        if (a.rest == nil) != (b.rest == nil) { return a.rest == nil }
        if let order = QueryPattern.comesBefore(a.query, b.query) { return order }
        if (a.method == nil) != (b.method == nil) { return a.method != nil }
        return nil
    }

    /// Tells whether some request is taken by both patterns.
    package func overlaps(_ other: RoutePattern) -> Bool {
        if method != nil, other.method != nil, method != other.method { return false }
        if isConnect != other.isConnect { return false }
        guard zip(segments, other.segments).allSatisfy({ $0.overlaps($1) }) else { return false }
        // Where one path goes on, or needs one more slash for its rest, the other has to take a rest.
        let (mine, theirs) = (
            segments.count + (rest == nil ? 0 : 1), other.segments.count + (other.rest == nil ? 0 : 1)
        )
        if mine > theirs, other.rest == nil { return false }
        if theirs > mine, rest == nil { return false }
        if mine == theirs, (rest == nil) != (other.rest == nil), segments.count == other.segments.count { return false }
        return query.overlaps(other.query)
    }
}

extension Route {
    /// Tells which of two routes wins a request that both take: by pattern, then the one that names an operation.
    package static func comesBefore(_ a: Route, _ b: Route) -> Bool? {
        if let order = RoutePattern.comesBefore(a.pattern, b.pattern) { return order }
        if (a.operation == nil) != (b.operation == nil) { return a.operation != nil }
        return nil
    }

    /// Tells whether some request is taken by both routes and nothing says which one wins.
    package func isIndistinguishable(from other: Route) -> Bool {
        if operation != nil, other.operation != nil, operation != other.operation { return false }
        return Route.comesBefore(self, other) == nil && pattern.overlaps(other.pattern)
    }
}
