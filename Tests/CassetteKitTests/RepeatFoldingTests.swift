import HTTPCore
import SystemIO
import TestSupport
import Testing

@testable import CassetteKit

/// How equal answers are counted, run after run.
@Suite struct RepeatFoldingTests {
    private func answers(_ sequence: String) -> [(RawRequest, RawResponse)] {
        sequence.map { (RecordingFixture.get("/job"), RecordingFixture.ok(#"{"state": "\#($0)"}"#)) }
    }

    /// The cassette as letters with their counts, in order: `a2b1`.
    private func stored(_ fixture: RecordingFixture) throws -> String {
        try Cassette.load(folder: fixture.folder).interactions.map { interaction in
            let body = try interaction.response?.body?.octets() ?? []
            return "\(String(decoding: body, as: UTF8.self).dropFirst(11).first ?? "?")\(interaction.repeats)"
        }.joined()
    }

    /// What is stored after a first run and after a second one; under `error` too.
    @Test(arguments: [
        ("a", "a1", "a", "a1", "a1"), ("aab", "a2b1", "aab", "a2b1", "a2b1"),
        ("aab", "a2b1", "aaaab", "a2b1", "a4b1"), ("aaaab", "a4b1", "ab", "a4b1", "a4b1"),
        ("abab", "a1b1a1b1", "abab", "a1b1a1b1", "a1b1a1b1"), ("abab", "a1b1a1b1", "aabb", "a2b2", "a2b2"),
        ("abc", "a1b1c1", "ab", "a1b1", "a1b1"), ("ab", "a1b1", "abc", "a1b1c1", "a1b1c1"),
        ("aaa", "a3", "bbb", "b3", "b3"), ("aaa", "a3", "aba", "a1b1a1", "a1b1a1"),
        ("aba", "a1b1a1", "aaa", "a3", "a3"), ("abb", "a1b2", "bba", "b2a1", "b2a1"),
        ("a", "a1", "aaaaa", "a1", "a5"),
    ])
    func aRunKeepsWhatItSaw(
        _ first: String, _ then: String, _ second: String, _ usual: String, _ counted: String
    ) throws {
        for isCounted in [false, true] {
            let fixture = try RecordingFixture()
            for (run, expected) in [(first, then), (second, isCounted ? counted : usual)] {
                let recorder = try fixture.open(countsRepeats: isCounted)
                for (request, response) in answers(run) { _ = try recorder.store(recorder.begin(request), response) }
                _ = try recorder.finish()
                #expect(try stored(fixture) == expected, "\(first) then \(run), counted: \(isCounted)")
            }
        }
    }

    /// Folded answers end in any order; the order of requests is what counts.
    @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]])
    func theOrderOfAnswersDoesNotMatter(_ order: [Int]) throws {
        let fixture = try RecordingFixture()
        let recorder = try fixture.open()
        let exchanges = answers("aabb")
        let tickets = exchanges.map { recorder.begin($0.0) }
        for index in order { _ = try recorder.store(tickets[index], exchanges[index].1) }
        _ = try recorder.finish()
        #expect(try stored(fixture) == "a2b2")
    }

    @Test func aSecondEqualRunTouchesNoFile() throws {
        let fixture = try RecordingFixture()
        try fixture.record(answers("aabaac"))
        let before = try fixture.files()
        let summary = try fixture.record(answers("aaabac"))
        #expect(try fixture.files().filter { $0.key != "timings.json" } == before.filter { $0.key != "timings.json" })
        #expect(summary.changed.isEmpty && summary.new.isEmpty && summary.removed.isEmpty)
    }

    @Test func theTailOfALongerRunGoes() throws {
        let fixture = try RecordingFixture()
        try fixture.record(answers("abcd"))
        let summary = try fixture.record(answers("ab"))
        #expect(summary.removed.count == 2)
        #expect(try stored(fixture) == "a1b1")
    }

    /// An exchange that ended badly leaves its place to what was there.
    @Test func anAbandonedPlaceMovesNothingElse() throws {
        let fixture = try RecordingFixture()
        let recorder = try fixture.open()
        let exchanges = answers("abc")
        let tickets = exchanges.map { recorder.begin($0.0) }
        _ = try recorder.store(tickets[0], exchanges[0].1)
        recorder.abandon(tickets[1])
        _ = try recorder.store(tickets[2], exchanges[2].1)
        _ = try recorder.finish()
        #expect(try stored(fixture) == "a1c1")
    }
}

/// What a configuration lets differ, when a flow is recorded again.
@Suite struct QuietRecordingTests {
    private func changed(
        _ fixture: RecordingFixture, _ exchanges: [(RawRequest, RawResponse)],
        volatile: VolatileRules = VolatileRules(),
        rules: MatchRules = MatchRules()
    ) throws -> Int {
        let recorder = try fixture.open(volatile: volatile, rules: rules)
        for (request, response) in exchanges { _ = try recorder.store(recorder.begin(request), response) }
        let summary = try recorder.finish()
        return summary.changed.count + summary.new.count + summary.removed.count
    }

    private func exchange(_ nonce: String) -> (RawRequest, RawResponse) {
        (
            RecordingFixture.get("/a?_t=\(nonce)&q=1", fields: [("X-Client-Nonce", nonce)]),
            RecordingFixture.ok(
                #"{"items":[{"at":"\#(nonce)","n":1}],"next":"/a?cursor=\#(nonce)"}"#,
                fields: [("Content-Type", "application/json"), ("X-Nonce", nonce)])
        )
    }

    @Test func theListOfTheConfigurationLeavesTheFileAsItWas() throws {
        let volatile = VolatileRules(
            fields: ["X-Nonce", "x-client-nonce"], queryItems: ["cursor"], pointers: ["/items/*/at"])
        let rules = MatchRules(ignoreQuery: ["_t"])
        let fixture = try RecordingFixture()
        #expect(try changed(fixture, [exchange("one")], volatile: volatile, rules: rules) == 1)
        let before = try fixture.files()
        #expect(try changed(fixture, [exchange("two")], volatile: volatile, rules: rules) == 0)
        #expect(try fixture.files() == before)
    }

    @Test(arguments: [
        VolatileRules(fields: ["x-client-nonce"], queryItems: ["cursor"], pointers: ["/items/*/at"]),
        VolatileRules(fields: ["x-nonce"], queryItems: ["cursor"], pointers: ["/items/*/at"]),
        VolatileRules(fields: ["x-nonce", "x-client-nonce"], pointers: ["/items/*/at"]),
        VolatileRules(fields: ["x-nonce", "x-client-nonce"], queryItems: ["cursor"]),
    ])
    func whatTheListLeavesOutIsAChange(_ volatile: VolatileRules) throws {
        let rules = MatchRules(ignoreQuery: ["_t"])
        let fixture = try RecordingFixture()
        _ = try changed(fixture, [exchange("one")], volatile: volatile, rules: rules)
        #expect(try changed(fixture, [exchange("two")], volatile: volatile, rules: rules) == 1)
    }

    @Test func whatMatchingIgnoresInABodyIsNoChange() throws {
        let rules = MatchRules(ignoreBody: ["/meta/at", "/token_at"])
        let fixture = try RecordingFixture()
        for (at, count) in [("1", 1), ("2", 0)] {
            let exchanges = [
                (jsonRequest(#"{"a":1,"meta":{"at":\#(at),"v":2}}"#, "/j"), RecordingFixture.ok("{}")),
                (formRequest("a=1&token_at=\(at)"), RecordingFixture.ok("{}")),
            ]
            #expect(try changed(fixture, exchanges, rules: rules) == count * 2)
        }
        let other = [(jsonRequest(#"{"a":2,"meta":{"at":1,"v":2}}"#, "/j"), RecordingFixture.ok("{}"))]
        #expect(try changed(fixture, other, rules: rules) == 1)
    }
}
