import HTTPCore
import TestSupport
import Testing
import Transport

@testable import DeckEngine

/// URLs in answers that lead the app around the deck.
@Suite struct ExternalHostsTests {
    private static let body =
        #"{"text": ["https://files.test/1 http://files.test/2 http://api.test/own ", "https:\\/\\/files.test"]}"#

    private func replay(
        _ configuration: String = #"{"version": 1}"#, change: (inout DeckOptions) -> Void = { _ in }
    ) async throws -> RunReport {
        let folder = try TemporaryDirectory()
        try Interactions.write([Interactions.file("GET", "/a", Self.body)], to: folder.path + "/c")
        let deck = try await RunningDeck.start(.replay, cassette: folder.path + "/c", configuration: configuration) {
            $0.strict = [.hosts]
            change(&$0)
        }
        #expect(try await deck.ask("GET", "/a").status == 200)
        return await deck.deck.stop()
    }

    @Test func areCountedListedAndFail() async throws {
        let report = try await replay()
        #expect(report.externalHosts == ["files.test": 3])
        let words = "the app was handed 3 URLs on files.test: add --upstream files=https://files.test"
        #expect(report.lines.contains { $0.hasPrefix(words) }, "\(report.lines)")
        #expect(report.failures.count == 1 && report.failures[0].hasPrefix(words))
    }

    @Test(arguments: ["files.test", "*.test"])
    func thoseUnderExternalHostsAreFine(pattern: String) async throws {
        let report = try await replay(#"{"version": 1, "externalHosts": ["\#(pattern)"]}"#)
        #expect(report.externalHosts == [:] && report.passed)
    }

    @Test func anUpstreamOfThatNameIsFine() async throws {
        let report = try await replay {
            $0.upstreams = [
                NamedUpstream(url: "http://api.test"), NamedUpstream(name: "files", url: "https://files.test"),
            ]
        }
        #expect(report.externalHosts == [:] && report.passed)
    }

    @Test func areCountedWhileRecordingToo() async throws {
        let folder = try TemporaryDirectory()
        let upstream = try ScriptedUpstream([
            [
                .readRequest,
                .send("HTTP/1.1 302 Found\r\nLocation: https://files.test/x\r\nContent-Length: 0\r\n\r\n"),
            ]
        ])
        let deck = try await RunningDeck.start(.record, cassette: folder.path + "/c", upstream: upstream.port) {
            $0.strict = [.hosts]
        }
        #expect(try await deck.ask("GET", "/a").status == 302)
        let report = await deck.deck.stop()
        #expect(report.externalHosts == ["files.test": 1])
        #expect(report.failures.count == 1 && report.failures[0].contains("1 URL on files.test"))
        upstream.stop()
    }
}
