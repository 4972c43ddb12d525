package import HTTPCore

/// A named request pattern and what holds for the requests that it takes.
package struct Route: Sendable {
    package var name: String
    package var pattern: RoutePattern
    /// The GraphQL operation that a request must name, too; nil for any request.
    package var operation: String?
    /// Whether scenarios' `*` spares the route.
    package var isAuth: Bool
    /// Whether exchanges are stored while recording.
    package var isRecorded: Bool
    /// Names of query items, in normal form, that count as absent for this route.
    package var ignoredQuery: [Bytes]
    /// Whether interactions that nobody asked for are no failure.
    package var isOptional: Bool
    /// Whether an exchange rewinds its session's cursors.
    package var restarts: Bool
    /// What equal requests get; nil for the configuration's choice.
    package var playback: PlaybackPolicy?
    /// Parameters of the path whose values all share one recording.
    package var anyPath: [String]
    /// Whether answers get the request's values of `anyPath` in place of the recorded ones.
    package var substitutes: Bool
    /// Where times stand in the JSON bodies of its answers.
    package var clockPointers: [EditPointer]
    /// The variants that the route defines or changes, by name.
    package var variants: [String: VariantDefinition]

    package init(
        name: String, pattern: RoutePattern, operation: String? = nil, isAuth: Bool = false, isRecorded: Bool = true,
        ignoredQuery: [Bytes] = [], isOptional: Bool = false, restarts: Bool = false, playback: PlaybackPolicy? = nil,
        anyPath: [String] = [], substitutes: Bool = false, clockPointers: [EditPointer] = [],
        variants: [String: VariantDefinition] = [:]
    ) {
        self.name = name
        self.pattern = pattern
        self.operation = operation
        self.isAuth = isAuth
        self.isRecorded = isRecorded
        self.ignoredQuery = ignoredQuery
        self.isOptional = isOptional
        self.restarts = restarts
        self.playback = playback
        self.anyPath = anyPath
        self.substitutes = substitutes
        self.clockPointers = clockPointers
        self.variants = variants
    }
}
