import CassetteKit
import DeckEngine
import DeckRules
import HTTPCore
import SystemIO
import TestSupport
import Testing
import Transport

/// What a run says of itself when it ends.
@Suite struct VerdictTests {
    private func run(
        _ asked: [String], configuration: String = #"{"version": 1}"#,
        strict: Set<StrictCheck> = Set(StrictCheck.allCases),
        checked: String = "2026-11-30", change: @escaping (inout DeckOptions) -> Void = { _ in }
    ) async throws -> RunReport {
        let folder = try TemporaryDirectory()
        let files = ["/a", "/b"].map { Interactions.file("GET", $0, #"{"text": ["x"]}"#) }
        try Interactions.write(files, to: folder.path + "/c", checked: checked)
        let deck = try await RunningDeck.start(.replay, cassette: folder.path + "/c", configuration: configuration) {
            $0.strict = strict
            change(&$0)
        }
        for target in asked { _ = try await deck.ask("GET", target) }
        return await deck.deck.stop()
    }

    @Test func aRunThatAsksForEverythingPasses() async throws {
        #expect(try await run(["/a", "/a", "/b"]).failures == [])
    }

    @Test func eachCheckFindsItsOwn() async throws {
        let report = try await run(
            ["/a", "/a", "/c"], configuration: #"{"version": 1, "playback": "error", "expiresIn": "30d"}"#,
            checked: "2026-10-01"
        ) { $0.faults = ["GET /never=timeout"] }
        #expect(report.misses == 2 && report.overServed == 1)
        let text = report.failures.joined(separator: "\n")
        for part in [
            "2 requests were not on the cassette", "not asked for: a.000000.2.json", "a request came more often",
            "never met", "last checked on 2026-10-01",
        ] {
            #expect(text.contains(part), "\(text)")
        }
        let junit = String(decoding: report.junit, as: UTF8.self)
        #expect(junit.contains(#"tests="6" failures="5""#), "\(junit)")
    }

    @Test func onlyChosenChecksFail() async throws {
        let report = try await run(["/c"], strict: [.unused])
        #expect(report.failures.count == 1)
        let junit = String(decoding: report.junit, as: UTF8.self)
        #expect(junit.contains(#"failures="1" errors="0" skipped="3""#), "\(junit)")
        #expect(try await run(["/c"], strict: []).passed)
    }

    @Test func shardsAreJudgedTogether() async throws {
        let (one, other) = (try await run(["/a"]), try await run(["/b", "/x"]))
        #expect(!one.passed && !other.passed)
        var reports: [RunReport] = []
        for report in [one, other] {
            var read = try #require(RunReport(try JSONText.parse(report.json)))
            read.cassette = "c"
            reports.append(read)
        }
        let joined = RunReport(joining: reports)
        #expect(joined.unused == [] && joined.misses == 1 && joined.requests == 3)
        #expect(joined.failures == ["1 request was not on the cassette"])
        #expect(RunReport(joining: [reports[0]]).failures == one.failures)
    }

    @Test func aSessionsCassetteExpiresToo() async throws {
        let folder = try TemporaryDirectory()
        try Interactions.write(
            [Interactions.file("GET", "/a", #"{"text": ["x"]}"#)], to: folder.path + "/root/old", checked: "2026-01-01")
        let deck = try await RunningDeck.start(
            .replay, cassette: folder.path + "/root", configuration: #"{"version": 1, "expiresIn": "30d"}"#,
            control: true
        ) { $0.strict = [.misses] }
        for _ in 0..<2 { _ = try await deck.control("POST", "/sessions", #"{"cassette": "old"}"#) }
        #expect(deck.log.text.contains("session s1: the cassette"))
        let report = await deck.deck.stop()
        #expect(report.expired.count == 1 && report.failures == report.expired)
    }

    /// A fault that only one part of a run has is not met because another does not know it.
    @Test func faultsAreMetByThePartThatHasThem() async throws {
        let folder = try TemporaryDirectory()
        try Interactions.write([Interactions.file("GET", "/a", #"{"text": ["x"]}"#)], to: folder.path + "/c")
        let deck = try await RunningDeck.start(.replay, cassette: folder.path + "/c", control: true) {
            $0.strict = [.unused]
            $0.faults = ["GET /a=slow,after=9"]
        }
        for (name, faults) in [("one", #", "faults": ["GET /a=slow,after=8", "GET /never=slow"]"#), ("two", "")] {
            let made = try await deck.control("POST", "/sessions", #"{"name": "\#(name)"\#(faults)}"#)
            #expect(made.status == 200, "\(made.text)")
            #expect(try await deck.ask("GET", "/_deck/\(name)/a").status == 200)
        }
        let report = await deck.deck.stop()
        #expect(report.unmet.count == 1 && report.unmet[0].contains("GET /never=slow"), "\(report.unmet)")
        #expect(report.met.count == 2)
        var other = RunReport(mode: .replay)
        other.strict = [.unused]
        let joined = RunReport(joining: [other, report])
        #expect(joined.unmet == report.unmet && joined.failures.count == 1)
        other.met = report.unmet
        #expect(RunReport(joining: [other, report]).unmet == [])
    }

    @Test func textInJUnitIsEscaped() {
        var report = RunReport(mode: .replay)
        report.strict = [.unused]
        report.unused = ["a<b>&\"\u{1}.json"]
        let text = String(decoding: report.junit, as: UTF8.self)
        #expect(text.contains(#"type="unused">not asked for: a&lt;b&gt;&amp;&quot;?.json</failure>"#), "\(text)")
    }

    @Test func aFailedSessionCountsForMissesOnly() async throws {
        let folder = try TemporaryDirectory()
        try Interactions.write([Interactions.file("GET", "/a", #"{"text": ["x"]}"#)], to: folder.path + "/root/c")
        for (failed, expected) in [(true, 0), (false, 1)] {
            let deck = try await RunningDeck.start(.replay, cassette: folder.path + "/root", control: true) {
                $0.strict = [.unused]
            }
            _ = try await deck.control("POST", "/sessions", #"{"name": "s", "cassette": "c"}"#)
            let end = try await deck.control("DELETE", "/sessions/s?failed=\(failed)")
            #expect(end.text.contains("\"passed\" : true"), "unused is judged when the run ends")
            #expect(await deck.deck.stop().failures.count == expected)
        }
    }
}
