/// A time as HTTP fields and cookies write it: `Sun, 06 Nov 1994 08:49:37 GMT`, and the older forms
/// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994` (RFC 9110 §5.6.7).
///
/// It remembers the form, so that another time can be written in it.
package struct HTTPDate: Sendable, Equatable {
    private enum Form: Sendable, Equatable {
        /// Weekday first where there is one, its comma behind it; `mark` stands between day, month and year.
        case dayFirst(mark: String, isLong: Bool, hasShortYear: Bool, zone: String)
        /// asctime.
        case monthFirst
    }

    /// Seconds since 1970 began.
    package var seconds: Int64
    private var form: Form

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// Reads a time; nil for anything else, as `0` and `-1` that stand for the past.
    package init?(_ text: String) {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "," })
        if words.count == 5, !text.contains(","), let time = Self.monthFirst(words) {
            (seconds, form) = (time.seconds, .monthFirst)
            return
        }
        guard words.count >= 4, text.contains(",") else { return nil }
        var date = Array(words.dropFirst())
        let mark = date[0].contains("-") ? "-" : " "
        if mark == "-" { date = date[0].split(separator: "-") + date.dropFirst() }
        guard date.count == 5, let time = Self.time(day: date[0], month: date[1], year: date[2], clock: date[3]) else {
            return nil
        }
        seconds = time.seconds
        form = .dayFirst(
            mark: mark, isLong: words[0].count > 3, hasShortYear: date[2].count == 2, zone: String(date[4]))
    }

    private static func monthFirst(_ words: [Substring]) -> CivilTime? {
        time(day: words[2], month: words[1], year: words[4], clock: words[3])
    }

    private static func time(day: Substring, month: Substring, year: Substring, clock: Substring) -> CivilTime? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard let day = Int(day), let month = months.firstIndex(where: { $0.lowercased() == month.lowercased() }),
            var year = Int(year), parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2]
        else { return nil }
        // Of two digits, what is far ahead is the past (RFC 6265 §5.1.1).
        if year < 100 { year += year < 70 ? 2_000 : 1_900 }
        return CivilTime(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
    }

    /// The time in its form; nil outside of the years 0 to 9999.
    package var text: String? { CivilTime(seconds: seconds).map { Self.text($0, form) } }

    /// A time as today's servers write it: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func field(_ time: CivilTime) -> String {
        text(time, .dayFirst(mark: " ", isLong: false, hasShortYear: false, zone: "GMT"))
    }

    private static func text(_ time: CivilTime, _ form: Form) -> String {
        let clock = "\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
        let (weekday, month) = (weekdays[time.weekday], months[time.month - 1])
        switch form {
        case .monthFirst:
            let day = time.day < 10 ? " \(time.day)" : String(time.day)
            return "\(weekday.prefix(3)) \(month) \(day) \(clock) \(padded(time.year, 4))"
        case .dayFirst(let mark, let isLong, let hasShortYear, let zone):
            let year = hasShortYear ? padded(time.year % 100, 2) : padded(time.year, 4)
            let date = [padded(time.day, 2), month, year].joined(separator: mark)
            return "\(isLong ? weekday : String(weekday.prefix(3))), \(date) \(clock) \(zone)"
        }
    }
}
