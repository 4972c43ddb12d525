import FoundationEssentials
import SystemIO
import TestSupport
import Testing

@testable import DeckEngine

@Suite struct ConfigurationErrorTests {
    @Test func reportsEverythingAtOnceWithPlaceAndAdvice() throws {
        let folder = try #require(Files.parent(of: #filePath))
        let octets = try Files.read("\(folder)/Golden/problems.json")
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse(octets, file: "tapedeck.json") { _ in nil }
        }
        let text = try #require(error).description + "\n"
        #expect(!text.contains("hunter2"))
        let updating = ProcessInfo.processInfo.environment["TAPEDECK_UPDATE_GOLDEN"] == "1"
        try Golden.check(text, is: "problems.txt", beside: #filePath, updating: updating)
    }

    static let broken: [(text: String, place: String, words: String)] = [
        ("", "c.json:1:1", ""),
        ("{", "c.json:1:2", ""),
        ("{\"version\": 1,\n  \"routes\": {,}}", "c.json:2:14", ""),
        ("[]", "c.json:1:1", "an object is expected"),
        ("{}", "c.json:1:1", "there is no version"),
        ("{\"version\": 1, \"version\": 1}", "c.json:1:13", "there twice"),
        ("{\"version\": \"1\"}", "c.json:1:13", "no number"),
        ("{\"version\": 1,\n \"a\": /* x */ 2}", "c.json:2:15", "the key `a` is unknown"),
        ("{\"version\": 1, \"scenario\": \"x\"}", "c.json:1:28", "there is no scenario `x`"),
    ]

    @Test(arguments: broken) func saysWhere(_ text: String, _ place: String, _ words: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse(Array(text.utf8), file: "c.json") { _ in nil }
        }
        let first = error?.problems.first?.description ?? ""
        #expect(first.hasPrefix("\(place): "), "\(first)")
        #expect(first.contains(words), "\(first)")
    }

    @Test func aFileThatIsMissingIsNamed() {
        let error = #expect(throws: ConfigurationError.self) { try Configuration.load("/nowhere/tapedeck.json") }
        #expect(error?.description.hasPrefix("/nowhere/tapedeck.json: ") == true)
        #expect(error?.description.contains("--config") == true)
    }

    @Test func secretsAreShownByTheirLength() {
        let text =
            #"{"version": 1, "sanitize": {"literals": ["zq9", ""], "secretsFrom": [3]}, "upstream": "https://a:hunter2@b"}"#
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse(Array(text.utf8), file: "c.json") { _ in nil }
        }
        let description = error?.description ?? ""
        #expect(description.contains("3 octets"))
        #expect(!description.contains("zq9") && !description.contains("hunter2"))
    }
}
