/// Which time recorded answers tell: the one at which they were recorded, or another one to which all of them are moved.
package enum ClockChoice: Sendable, Equatable {
    /// Nothing moves.
    case recorded
    /// The recording's first answer came when the session began.
    case now
    /// It came then, in seconds since 1970 began.
    case instant(Int64)

    /// Reads what flags and configurations write: `recorded`, `now`, or a time as `2026-11-30T12:00:00Z`.
    ///
    /// - Throws: ``RuleError`` for anything else.
    package static func parse(_ text: String) throws(RuleError) -> ClockChoice {
        switch text {
        case "recorded": return .recorded
        case "now": return .now
        default:
            guard let time = ISOTime(text) else {
                throw RuleError(
                    "`\(text)` is no clock", advice: "write recorded, now, or a time as 2026-11-30T12:00:00Z")
            }
            return .instant(time.seconds)
        }
    }

    /// The shift of answers whose recording began at `recorded`, for a session that begins at `now`, both in seconds since 1970
    /// began; nil where nothing moves.
    package func shift(recorded: Int64, now: Int64) -> ClockShift? {
        let seconds: Int64
        switch self {
        case .recorded: return nil
        case .now: seconds = now - recorded
        case .instant(let instant): seconds = instant - recorded
        }
        return seconds == 0 ? nil : ClockShift(seconds: seconds)
    }
}
