/// A day of the Gregorian calendar in UTC.
struct CivilDay: Equatable {
    private let year: Int
    private let month: Int
    private let day: Int

    /// - Parameter milliseconds: since 1970-01-01 00:00 UTC.
    init(milliseconds: Int64) {
        // Days are counted from March 1st of the year 0, so that the leap day ends a year; 146,097 days are 400 years.
        let days = Int((milliseconds >= 0 ? milliseconds : milliseconds - 86_399_999) / 86_400_000) + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// `2026-11-30`.
    var text: String { "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))" }

    private func pad(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
