/// What moves a variant on to the next one (`when`): so many exchanges of a route since the variant began.
package struct RouteUse: Sendable, Equatable {
    /// The route's name.
    package var route: String
    /// From 1.
    package var times: Int

    package init(route: String, times: Int = 1) {
        self.route = route
        self.times = max(1, times)
    }
}
