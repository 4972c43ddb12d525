/// What equal requests get, one after the other.
package enum PlaybackPolicy: String, CaseIterable, Sendable {
    /// The recorded order, then the last answer again and again.
    case repeatLast
    /// The recorded order, then from the beginning.
    case loop
    /// The recorded order, then a miss.
    case error
    /// The answer that was recorded after as many writes as the session has made by now.
    case followWrites
}
