/// What a recording did to its cassette.
package struct RecordSummary: Sendable, Equatable {
    /// Names of interactions that were met and found as they were.
    package var unchanged: [String]
    /// Names of interactions that were rewritten.
    package var changed: [String]
    /// Names of interactions that were not there before.
    package var new: [String]
    /// Names of interactions that no request met.
    package var notSeen: [String]
    /// Names of interactions that were removed: more repeats than there were this time, and what pruning took.
    package var removed: [String]
    /// What the sanitizer hid, by rule and place.
    package var hidden: [HiddenCount]

    package init(
        unchanged: [String] = [], changed: [String] = [], new: [String] = [], notSeen: [String] = [],
        removed: [String] = [], hidden: [HiddenCount] = []
    ) {
        self.unchanged = unchanged
        self.changed = changed
        self.new = new
        self.notSeen = notSeen
        self.removed = removed
        self.hidden = hidden
    }

    /// Whether any interaction is other than before.
    package var isChange: Bool { !(changed.isEmpty && new.isEmpty && removed.isEmpty) }
}
