import Testing

@testable import DeckRules

@Suite struct DurationTextTests {
    static let readable: [(text: String, time: Duration)] = [
        ("750ms", .milliseconds(750)), ("3s", .seconds(3)), ("1.5s", .milliseconds(1_500)), ("2m", .seconds(120)),
        ("0s", .zero), ("0.25ms", .microseconds(250)), ("10us", .microseconds(10)), ("1h", .seconds(3_600)),
        ("24h", .seconds(86_400)), ("0.000000001s", .nanoseconds(1)),
    ]

    @Test(arguments: readable) func reads(_ text: String, _ time: Duration) { #expect(parseDuration(text) == time) }

    @Test(arguments: readable) func readsWhatItWrites(_ text: String, _ time: Duration) {
        #expect(parseDuration(durationText(time)) == time)
    }

    @Test(arguments: [
        "", "3", "s", "ms", "-1s", "+1s", "1e3s", "1 s", " 1s", "1s ", ".5s", "1.s", "1..5s", "1.5.5s", "1d", "1S",
        "25h",
        "0.0000000001s", "99999999999999999999s", "9999999999999h", "1,5s",
    ]) func refuses(_ text: String) { #expect(parseDuration(text) == nil) }
}
