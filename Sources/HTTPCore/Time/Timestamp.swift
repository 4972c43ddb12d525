/// A moment as people and machines write it: UTC, by the proleptic Gregorian calendar.
package struct Timestamp: Sendable, Equatable {
    /// Milliseconds since 1970-01-01 00:00 UTC.
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// `2026-11-30T20:01:02.345Z` (RFC 3339).
    package var full: String {
        "\(date)T\(time)Z"
    }

    /// `20:01:02.345`
    package var time: String {
        let time = civil
        let clock = [time.hour, time.minute, time.second].map { padded($0, 2) }
        return clock.joined(separator: ":") + "." + padded(fraction, 3)
    }

    /// `Mon, 30 Nov 2026 20:01:02 GMT`, as the Date field has it (RFC 9110 §5.6.7).
    package var field: String { HTTPDate.field(civil) }

    /// `2026-11-30`
    package var date: String {
        let time = civil
        return "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
    }

    /// Milliseconds within the second.
    private var fraction: Int { Int((milliseconds % 1_000 + 1_000) % 1_000) }

    private var civil: CivilTime { CivilTime(anySeconds: (milliseconds - Int64(fraction)) / 1_000) }
}
