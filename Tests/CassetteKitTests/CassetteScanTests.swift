import HTTPCore
import SystemIO
import TestSupport
import Testing

@testable import CassetteKit

@Suite struct CassetteScanTests {
    typealias Fixture = RecordingFixture

    private static let key = "ghp_0123456789abcdefghijABCDEFGHIJ"

    /// A cassette that was recorded without any rule.
    private func leaky() throws -> RecordingFixture {
        let fixture = try Fixture()
        let bare = Sanitizer(rules: SanitizerRules(off: Set(SanitizerRule.defaults.map(\.id))), codecs: testCodecs)
        let recorder = try CassetteRecorder.open(
            folder: fixture.folder, form: .reverse, upstreams: ["https://shop.example.com"], sanitizer: bare,
            matcher: Matcher(sanitizer: bare), today: "2026-11-30", fsync: fixture.fsync)
        _ = try recorder.store(
            recorder.begin(Fixture.get("/items/l4teKnownToken4711")),
            Fixture.ok(#"{"note":"\#(Self.key)","other":"l4teKnownToken4711"}"#))
        var large = Fixture.ok("", fields: [])
        large.body = Bytes(repeating: 0, count: 4_000) + Bytes(" \(Self.key) ".utf8)
        _ = try recorder.store(
            recorder.begin(
                Fixture.get("/blob", fields: [("Authorization", "Bearer l4teKnownToken4711"), ("Cookie", "sid=abc")])),
            large)
        _ = try recorder.finish()
        return fixture
    }

    private func findings(_ folder: String) throws -> [ScanFinding] {
        let places = try Cassette.manifest(folder: folder)?.secretPlaces ?? []
        let scan = CassetteScan(sanitizer: Sanitizer(rules: SanitizerRules(secretPlaces: places), codecs: testCodecs))
        return try CassetteScan.files(folder).flatMap { scan.findings(try Files.read($0), path: $0) }
    }

    @Test func namesFilePlaceRuleAndNoValue() throws {
        let fixture = try leaky()
        let found = try findings(fixture.folder)
        let lines = found.map { "\($0.pointer) \($0.rule) \($0.excerpt)" }
        #expect(lines.contains("/response/body/json/note github-tokens ghp_… (34 octets)"), "\(lines)")
        #expect(lines.contains("response json /note github-tokens 1 value"), "\(lines)")
        #expect(lines.contains("request header authorization authorization 1 value"), "\(lines)")
        #expect(lines.contains("octet 4001 github-tokens ghp_… (34 octets)"), "\(lines)")
        #expect(!found.contains { $0.excerpt.contains("0123456789") })
    }

    @Test func readsNamesAndValuesOfArchives() {
        let har = #"{"log":{"entries":[{"headers":[{"name":"X-Secret-Thing","value":"Zx81kQ7pW2mN5rT9vB3c"}]}]}}"#
        let found = CassetteScan(sanitizer: Sanitizer()).findings(octets(har), path: "export.har")
        #expect(found.map(\.pointer) == ["/log/entries/0/headers/0/value"])
        #expect(CassetteScan(sanitizer: Sanitizer()).findings(octets("no json, no secret"), path: "x").isEmpty)
    }

    /// Rules look into the exchanges of an archive as into those of a cassette: fields, cookies, query and bodies.
    @Test func looksIntoArchivesWithTheRules() {
        let har = #"""
            {"log":{"version":"1.2","entries":[{"request":{"method":"POST","url":"https://a.test/login?api_key=k1",
            "headers":[{"name":"Authorization","value":"Bearer short"},{"name":"Cookie","value":"sid=abc"}],
            "postData":{"mimeType":"application/json","text":"{\"password\":\"hunter2\"}"}},
            "response":{"status":200,"headers":[{"name":"Set-Cookie","value":"sid=def; Path=/"},
            {"name":"Content-Encoding","value":"gzip"}],
            "content":{"mimeType":"application/json","encoding":"base64","text":"eyJyZWZyZXNoX3Rva2VuIjoicjEifQ=="}}},
            {"request":{"method":"GET","url":"https://a.test/open","headers":[]},"response":{"status":200,"headers":[]}}]}}
            """#
        let found = CassetteScan(sanitizer: Sanitizer(codecs: testCodecs)).findings(octets(har), path: "export.har")
        let rules = found.filter { $0.pointer.contains(" ") }.map { "\($0.pointer) \($0.rule)" }
        #expect(
            rules.sorted() == [
                "/log/entries/0 request cookie sid cookies",
                "/log/entries/0 request header authorization authorization",
                "/log/entries/0 request json /password passwords", "/log/entries/0 request query api_key api-keys",
                "/log/entries/0 response cookie sid cookies", "/log/entries/0 response json /refresh_token tokens",
            ])
        #expect(!found.contains { $0.excerpt.contains("hunter2") })
    }

    @Test func sanitizingLeavesNothingToFind() throws {
        let fixture = try leaky()
        let summary = try CassetteCleaner(folder: fixture.folder, sanitizer: Sanitizer(codecs: testCodecs)).run()
        #expect(summary.changed.count == 2)
        #expect(try findings(fixture.folder).isEmpty)
        for (name, octets) in try fixture.files() {
            let text = (name + String(decoding: octets, as: UTF8.self)).lowercased()
            #expect(!text.contains("l4teknowntoken") && !text.contains("ghp_"), "\(name)")
        }
        #expect(try Cassette.load(folder: fixture.folder).orphans.isEmpty)
        // Once more there is nothing to do.
        let files = try fixture.files()
        let again = try CassetteCleaner(folder: fixture.folder, sanitizer: Sanitizer(codecs: testCodecs)).run()
        #expect(again.changed.isEmpty && again.unchanged == 2)
        #expect(try fixture.files() == files)
    }
}
