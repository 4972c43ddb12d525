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
        let inDay = milliseconds - day * 86_400_000
        let seconds = inDay / 1000
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, to: 2) }
        return clock.joined(separator: ":") + "." + padded(inDay % 1000, to: 3)
    }

    /// `Mon, 30 Nov 2026 20:01:02 GMT`, as the Date field has it (RFC 9110 §5.6.7).
    package var field: String {
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = date.split(separator: "-").map(String.init)
        let weekday = weekdays[Int((day % 7 + 7) % 7)]
        let month = months[(Int(parts[1]) ?? 1) - 1]
        return "\(weekday), \(parts[2]) \(month) \(parts[0]) \(time.prefix(8)) GMT"
    }

    /// `2026-11-30`
    package var date: String {
        // Days are counted in eras of 400 years that begin on a first of March, so that leap days come last.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(dayOfMonth, to: 2))"
    }

    /// Days since 1970-01-01, rounded down.
    private var day: Int64 {
        milliseconds >= 0 ? milliseconds / 86_400_000 : (milliseconds - 86_399_999) / 86_400_000
    }

    private func padded(_ number: Int64, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
