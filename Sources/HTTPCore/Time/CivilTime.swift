/// A second of the Gregorian calendar, UTC unless whoever made it says otherwise.
package struct CivilTime: Sendable, Equatable {
    /// 0...9999.
    package var year: Int
    /// 1...12.
    package var month: Int
    /// 1...31.
    package var day: Int
    package var hour = 0
    package var minute = 0
    /// 0...60, for a leap second.
    package var second = 0

    /// Checks the numbers; nil for a day or time that is none.
    package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (0...9_999).contains(year), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// The second so many after 1970 began; nil outside of the years 0 to 9999.
    package init?(seconds: Int64) {
        guard (-62_167_219_200...253_402_300_799).contains(seconds) else { return nil }
        self.init(anySeconds: seconds)
    }

    /// The same for any year; by the proleptic calendar.
    init(anySeconds seconds: Int64) {
        let rest = Int((seconds % 86_400 + 86_400) % 86_400)
        let days = (Int(seconds) - rest) / 86_400
        // Years of this count begin in March, so that the leap day is their last.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let place = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * place + 2) / 5 + 1
        month = place < 10 ? place + 3 : place - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
    }

    /// Seconds since 1970 began.
    package var seconds: Int64 {
        Int64(daysSince1970) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    }

    /// 0 for Sunday.
    package var weekday: Int { ((daysSince1970 + 4) % 7 + 7) % 7 }

    private var daysSince1970: Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// A number with so many digits at least, zeros in front.
package func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
