import CassetteKit
import HTTPCore
import Testing

@testable import DeckRules

/// Times of recorded answers, moved.
@Suite struct ClockTests {
    @Test func theCalendarGoesBothWays() {
        for seconds: Int64 in [
            0, -1, 951_782_400, 951_868_799, 1_796_083_200, -2_208_988_800, 253_402_300_799, -62_167_219_200,
            4_107_542_399,
        ] {
            #expect(CivilTime(seconds: seconds)?.seconds == seconds)
        }
        var day: Int64 = -800_000 * 86_400 / 2
        while day < 400_000 * 86_400 / 2 {
            #expect(CivilTime(seconds: day)?.seconds == day)
            day += 86_400 * 97 + 12_345
        }
        #expect(CivilTime(year: 2026, month: 11, day: 30)?.seconds == 1_795_996_800)
        #expect(CivilTime(year: 2026, month: 11, day: 30)?.weekday == 1)
        #expect(CivilTime(year: 2026, month: 2, day: 29) == nil)
        #expect(CivilTime(seconds: 253_402_300_800) == nil)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 07 Nov 1994 08:49:38 GMT"),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "Monday, 07-Nov-94 08:49:38 GMT"),
        ("Sun Nov  6 08:49:37 1994", "Mon Nov  7 08:49:38 1994"),
        ("Wed, 31-Dec-2025 23:59:59 GMT", "Fri, 02-Jan-2026 00:00:00 GMT"),
        ("Wed Nov  9 23:59:59 1994", "Fri Nov 11 00:00:00 1994"),
    ]) func fieldsKeepTheirForm(_ before: String, _ after: String) {
        var fields = Fields([("Date", before), ("X-Date", before)])
        ClockShift(seconds: 86_401).apply(to: &fields)
        #expect(fields.text("Date") == after)
        #expect(fields.text("X-Date") == before)
    }

    @Test(arguments: ["0", "-1", "", "soon", "Thu, 01 Jan 1970 00:00:00 GMT", "Sun, 31 Feb 1994 08:49:37 GMT"])
    func whatIsNoTimeStays(_ value: String) {
        var fields = Fields([("Expires", value)])
        ClockShift(seconds: 60).apply(to: &fields)
        #expect(fields.text("Expires") == value)
    }

    @Test(arguments: [
        (
            "sid=a; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Max-Age=60; Path=/",
            "sid=a; Expires=Sun, 06 Nov 1994 08:50:37 GMT; Max-Age=60; Path=/"
        ),
        ("sid=a;expires=Sun, 06-Nov-1994 08:49:37 GMT", "sid=a;expires=Sun, 06-Nov-1994 08:50:37 GMT"),
        ("expires=Sun, 06 Nov 1994 08:49:37 GMT; Secure", "expires=Sun, 06 Nov 1994 08:49:37 GMT; Secure"),
        ("sid=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "sid=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"),
    ]) func cookiesMoveByTheirExpiry(_ before: String, _ after: String) {
        var fields = Fields([("Set-Cookie", before)])
        ClockShift(seconds: 60).apply(to: &fields)
        #expect(fields.text("Set-Cookie") == after)
    }

    @Test(arguments: [
        (#""2026-11-30T23:30:00Z""#, #""2026-12-01T00:30:00Z""#), (#""2026-11-30""#, #""2026-11-30""#),
        (#""2026-11-30T12:00:00.250+05:30""#, #""2026-11-30T13:00:00.250+05:30""#),
        (#""2026-11-30 12:00""#, #""2026-11-30 13:00""#),
        (#""2026-11-30t12:00:00,5-0100""#, #""2026-11-30t13:00:00,5-0100""#),
        (#""Mon, 30 Nov 2026 12:00:00 GMT""#, #""Mon, 30 Nov 2026 13:00:00 GMT""#),
        ("1796083200", "1796086800"), ("1796083200.50", "1796086800.50"), ("1796083200000", "1796086800000"),
        ("1796083200000000", "1796086800000000"), (#""1796083200""#, #""1796086800""#),
    ]) func valuesOfABodyKeepTheirFormAndOffset(_ before: String, _ after: String) throws {
        var body = try json(#"{"at":\#(before),"other":\#(before)}"#)
        #expect(ClockShift(seconds: 3_600).apply(to: &body, at: [try EditPointer("/at")]) == [])
        #expect(text(body) == #"{"at":\#(after),"other":\#(before)}"#)
    }

    @Test(arguments: [
        "true", "null", #""soon""#, "1.7e9", "-5", #""2026-13-01""#, #""2026-11-30T12:00:00+1""#, #""2026-11-30T""#,
    ])
    func pointersThatNameNoTimeAreTold(_ value: String) throws {
        var body = try json(#"{"at":\#(value)}"#)
        #expect(ClockShift(seconds: 3_600).apply(to: &body, at: [try EditPointer("/at")]) == ["/at"])
        #expect(text(body) == #"{"at":\#(value)}"#)
    }

    @Test func theChoiceSaysHowFar() throws {
        #expect(try ClockChoice.parse("recorded").shift(recorded: 100, now: 500) == nil)
        #expect(try ClockChoice.parse("now").shift(recorded: 100, now: 500) == ClockShift(seconds: 400))
        #expect(
            try ClockChoice.parse("1970-01-01T00:00:40Z").shift(recorded: 100, now: 500) == ClockShift(seconds: -60))
        #expect(try ClockChoice.parse("2026-11-30") == .instant(1_795_996_800))
        #expect(throws: RuleError.self) { try ClockChoice.parse("tomorrow") }
    }
}
