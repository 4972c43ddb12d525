import HTTPCore

/// A time as JSON writes it: `2026-11-30`, `2026-11-30T12:00:00.250Z`, `2026-11-30 12:00+01:00` (ISO 8601, RFC 3339).
///
/// It remembers the form: what separates day and time, whether there are seconds, the fraction, and the offset.
package struct ISOTime: Sendable, Equatable {
    /// The time on the clock that it was written by: what the offset says is not in it.
    private var local: Int64
    /// Seconds that the clock is ahead of UTC; 0 where there is no offset.
    private var ahead: Int64 = 0
    /// What separates day and time; nil where there is a day only.
    private var separator: Character?
    private var hasSeconds = false
    /// The fraction with its point or comma.
    private var fraction = ""
    /// The offset as written.
    private var offset = ""

    /// Seconds since 1970 began, the fraction cut off; a time without an offset counts as UTC.
    package var seconds: Int64 {
        get { local - ahead }
        set { local = newValue + ahead }
    }

    /// Reads a time; nil for anything else.
    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard let year = Self.digits(4, &rest), Self.take("-", &rest), let month = Self.digits(2, &rest),
            Self.take("-", &rest), let day = Self.digits(2, &rest)
        else { return nil }
        var (hour, minute, second) = (0, 0, 0)
        if let mark = rest.first {
            guard [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(mark) else { return nil }
            separator = Character(Unicode.Scalar(mark))
            rest = rest.dropFirst()
            guard let h = Self.digits(2, &rest), Self.take(":", &rest), let m = Self.digits(2, &rest) else {
                return nil
            }
            (hour, minute) = (h, m)
            if Self.take(":", &rest) {
                guard let s = Self.digits(2, &rest) else { return nil }
                (second, hasSeconds) = (s, true)
                fraction = Self.fraction(&rest)
            }
            guard let found = Self.offset(rest) else { return nil }
            ahead = found
            offset = String(decoding: rest, as: UTF8.self)
        }
        guard let time = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        local = time.seconds
    }

    /// The time in its form; nil outside of the years 0 to 9999.
    package var text: String? {
        guard let time = CivilTime(seconds: local) else { return nil }
        let date = "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
        guard let separator else { return date }
        let clock = "\(padded(time.hour, 2)):\(padded(time.minute, 2))"
        return "\(date)\(separator)\(clock)\(hasSeconds ? ":\(padded(time.second, 2))" : "")\(fraction)\(offset)"
    }

    private static func digits(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func take(_ mark: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> String {
        guard let point = rest.first, point == UInt8(ascii: ".") || point == UInt8(ascii: ",") else { return "" }
        let digits = rest.dropFirst().prefix { $0 >= 0x30 && $0 <= 0x39 }
        rest = rest[digits.endIndex...]
        return String(decoding: [point] + digits, as: UTF8.self)
    }

    /// `Z`, `+01:00`, `+0100`, `+01`, or nothing.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int64? {
        guard let sign = text.first else { return 0 }
        if text.count == 1 { return sign | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        var rest = text.dropFirst()
        guard let hours = digits(2, &rest), hours < 24 else { return nil }
        _ = take(":", &rest)
        var minutes = 0
        if !rest.isEmpty {
            guard let found = digits(2, &rest), found < 60, rest.isEmpty else { return nil }
            minutes = found
        }
        let ahead = Int64(hours * 3_600 + minutes * 60)
        return sign == UInt8(ascii: "-") ? -ahead : ahead
    }
}
