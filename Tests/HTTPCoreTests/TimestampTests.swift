import HTTPCore
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (1_796_068_862_345, "2026-11-30T20:01:02.345Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    ])
    func followsTheCalendar(milliseconds: Int64, expected: String) {
        #expect(Timestamp(milliseconds: milliseconds).full == expected)
    }

    @Test(arguments: [
        (Int64(0), "Thu, 01 Jan 1970 00:00:00 GMT"), (1_796_068_862_345, "Mon, 30 Nov 2026 20:01:02 GMT"),
        (784_111_777_000, "Sun, 06 Nov 1994 08:49:37 GMT"),
    ])
    func writesDateFields(milliseconds: Int64, expected: String) {
        #expect(Timestamp(milliseconds: milliseconds).field == expected)
    }
}
