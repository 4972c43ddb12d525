import HTTPCore
import SystemIO
import TestSupport
import Testing

@testable import CassetteKit

/// A secret that becomes known late is taken out of what was written before.
@Suite struct RecorderMendingTests {
    typealias Fixture = RecordingFixture

    private static let token = "l4teKnownToken4711"

    private func holders(_ fixture: Fixture) throws -> [String] {
        try fixture.files().filter { name, octets in
            name.contains("4711") || String(decoding: octets, as: UTF8.self).lowercased().contains("l4teknowntoken")
        }.map(\.key).sorted()
    }

    /// No rule names the ticket; the field that carries it later does.
    private static let ticket = Fixture.ok(#"{"ticket":"\#(token)","n":1}"#)

    private static func authorized(_ target: String) -> RawRequest {
        Fixture.get(target, fields: [("Authorization", "Bearer \(token)")])
    }

    @Test func mendsEarlierInteractionsAtOnce() throws {
        let fixture = try Fixture()
        let recorder = try fixture.open()
        _ = try recorder.store(recorder.begin(Fixture.get("/ticket")), Self.ticket)
        _ = try recorder.store(recorder.begin(Fixture.get("/other")), Fixture.ok("[1]"))
        #expect(try holders(fixture).count == 1)
        _ = try recorder.store(recorder.begin(Self.authorized("/items")), Fixture.ok("[]"))
        #expect(try holders(fixture).isEmpty)
        let manifest = try #require(try Cassette.manifest(folder: fixture.folder))
        #expect(manifest.secretPlaces.map(\.location.description) == ["response json /ticket"])
        let summary = try recorder.finish()
        #expect(summary.new.count == 3)
        #expect(try holders(fixture).isEmpty)
        let bodies = try Cassette.load(folder: fixture.folder).interactions.map {
            String(decoding: try $0.response?.body?.octets() ?? [], as: UTF8.self)
        }
        #expect(bodies.contains { $0.contains("REDACTED-") && $0.contains(#""n":1"#) })
    }

    @Test func theNextRunKnowsThePlaceFromTheStart() throws {
        let fixture = try Fixture()
        let exchanges = [
            (Fixture.get("/ticket"), Self.ticket), (Self.authorized("/items"), Fixture.ok("[]")),
        ]
        try fixture.record(exchanges)
        let recorder = try fixture.open()
        let other = Fixture.ok(#"{"ticket":"an0therToken4711","n":1}"#)
        #expect(try recorder.store(recorder.begin(Fixture.get("/ticket")), other) == .unchanged)
        _ = try recorder.finish()
    }

    /// The request came before the answer that hands its secret out was stored.
    @Test func neverStoresWhatAnAnswerInFlightHandsOut() throws {
        let fixture = try Fixture()
        let recorder = try fixture.open()
        let login = recorder.begin(Fixture.get("/login"))
        let items = recorder.begin(Fixture.get("/items/\(Self.token)?q=\(Self.token)"))
        _ = try recorder.store(login, Fixture.ok(#"{"access_token":"\#(Self.token)"}"#))
        _ = try recorder.store(items, Fixture.ok("[]"))
        #expect(try holders(fixture).isEmpty)
        _ = try recorder.finish()
        #expect(try holders(fixture).isEmpty)
        let manifest = try #require(try Cassette.manifest(folder: fixture.folder))
        #expect(
            Set(manifest.secretPlaces.map(\.location.description)) == ["request path", "request query q"])
    }

    @Test func renamesAFileThatWasNamedByASecret() throws {
        let fixture = try Fixture()
        let recorder = try fixture.open()
        _ = try recorder.store(recorder.begin(Fixture.get("/download/\(Self.token)/a")), Fixture.ok("[]"))
        #expect(try holders(fixture).count == 1)
        _ = try recorder.store(recorder.begin(Self.authorized("/items")), Fixture.ok("[]"))
        #expect(try holders(fixture).isEmpty)
        // An equal request goes on under the new name.
        _ = try recorder.store(recorder.begin(Fixture.get("/download/\(Self.token)/a")), Fixture.ok("[2]"))
        _ = try recorder.finish()
        #expect(try holders(fixture).isEmpty)
        #expect(try Cassette.load(folder: fixture.folder).interactions.count == 3)
        #expect(try Cassette.load(folder: fixture.folder).timings().count == 3)
    }

    /// Placeholders are named after interactions, and places after paths: what stood in a path stood there too.
    @Test func mendsStemsOfPlaceholdersAndTemplatesOfPlaces() throws {
        let fixture = try Fixture()
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"
        let handed = [
            (
                Fixture.get("/invites/\(Self.token)/login"),
                Fixture.ok(
                    #"{"access_token":"tok-0123456789","jwt":"\#(jwt)","wrapped":"\#(SecretCorpus.base64(#"{"token":"inner-0123456789"}"#))"}"#
                )
            ),
            (Fixture.get("/invites/\(Self.token)/note?q=tok-0123456789"), Fixture.ok(#"{"t":"tok-0123456789"}"#)),
            (Fixture.get("/items", fields: [("Authorization", "Bearer \(jwt)")]), Fixture.ok("[]")),
        ]
        let recorder = try fixture.open()
        for (request, response) in handed { _ = try recorder.store(recorder.begin(request), response) }
        #expect(try holders(fixture).contains("cassette.json"))
        _ = try recorder.store(recorder.begin(Self.authorized("/late")), Fixture.ok("[]"))
        let search = SecretSearch([Self.token, Self.token.lowercased()])
        for (name, octets) in try fixture.files() {
            #expect(search.found(in: Bytes(name.utf8) + octets).isEmpty, "\(name)")
        }
        _ = try recorder.finish()
        for (name, octets) in try fixture.files() {
            #expect(search.found(in: Bytes(name.utf8) + octets).isEmpty, "\(name)")
        }
        // The links hold: one secret still has one placeholder.
        let all = try fixture.files().values.map { text($0) }.joined()
        let names = Set(
            all.split { $0 == "\"" || $0 == "=" || $0 == " " }.filter { $0.hasPrefix("REDACTED-access_token") })
        #expect(names.count == 1, "\(names)")
    }

    /// A token in a path is handed out by the very answer to that path: its placeholder would be named after itself.
    @Test(arguments: [token, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl", "4711471147114711"])
    func namesOfPlaceholdersAndFilesDoNotChaseEachOther(_ token: String) throws {
        let fixture = try Fixture()
        let recorder = try fixture.open()
        let value = token.allSatisfy(\.isNumber) ? token : "\"\(token)\""
        for target in ["/early/\(token)", "/early/\(token)/b", "/early/\(token)"] {
            let answer = Fixture.ok(#"{"access_token":\#(value),"at":"\#(target)"}"#)
            _ = try recorder.store(recorder.begin(Fixture.get(target)), answer)
        }
        _ = try recorder.finish()
        #expect(
            try fixture.files().allSatisfy { !text($0.value).contains(token) && !$0.key.contains(token.lowercased()) })
    }

    @Test func sanitizingAnOldCassetteMendsThemToo() throws {
        let fixture = try Fixture()
        try fixture.record([
            (Fixture.get("/invites/\(Self.token)/login"), Fixture.ok(#"{"access_token":"tok-0123456789"}"#)),
            (Fixture.get("/items?q=tok-0123456789"), Fixture.ok("[]")),
        ])
        let places = try Cassette.manifest(folder: fixture.folder)?.secretPlaces ?? []
        let mine = Sanitizer(rules: SanitizerRules(literals: [Self.token], secretPlaces: places), codecs: testCodecs)
        _ = try CassetteCleaner(folder: fixture.folder, sanitizer: mine).run()
        #expect(try holders(fixture).isEmpty)
        let files = try fixture.files()
        #expect(try CassetteCleaner(folder: fixture.folder, sanitizer: mine).run().changed == [])
        #expect(try fixture.files() == files)
    }

    @Test func mendsBodiesBesideAndRemovesTheOldOnes() throws {
        let fixture = try Fixture()
        let recorder = try fixture.open()
        var large = Fixture.ok("", fields: [])
        large.body = Bytes(repeating: 0, count: 4_000) + Bytes(" \(Self.token) ".utf8)
        _ = try recorder.store(recorder.begin(Fixture.get("/blob")), large)
        #expect(try holders(fixture).count == 1)
        _ = try recorder.store(recorder.begin(Self.authorized("/items")), Fixture.ok("[]"))
        #expect(try holders(fixture).isEmpty)
        _ = try recorder.finish()
        #expect(try Cassette.load(folder: fixture.folder).orphans.isEmpty)
        #expect(try fixture.names().count == 3)
    }

    @Test func aSecretOfARequestThatIsNotStoredCountsToo() throws {
        let fixture = try Fixture()
        let recorder = try fixture.open()
        _ = try recorder.store(recorder.begin(Fixture.get("/ticket")), Self.ticket)
        recorder.abandon(recorder.begin(Self.authorized("/items")))
        _ = try recorder.finish()
        #expect(try holders(fixture).isEmpty)
    }

    /// A cassette that was recorded before the secret was known is mended where the run sees it again.
    @Test func mendsWhatAnEarlierRunStored() throws {
        let fixture = try Fixture()
        try fixture.record([(Fixture.get("/ticket"), Self.ticket)])
        #expect(try holders(fixture).count == 1)
        let summary = try fixture.record([
            (Fixture.get("/ticket"), Self.ticket), (Self.authorized("/items"), Fixture.ok("[]")),
        ])
        #expect(try holders(fixture).isEmpty)
        #expect(summary.changed.count == 1)
    }

    @Test(arguments: [
        "a%2Fl4teKnownToken4711", #"x\u0022l4teKnownToken4711"#, "\nl4teKnownToken4711.", "(l4teKnownToken4711)",
    ])
    func findsTheFileBehindEscapes(_ body: String) throws {
        let fixture = try Fixture()
        let recorder = try fixture.open()
        _ = try recorder.store(recorder.begin(Fixture.get("/a")), Fixture.ok(body, fields: []))
        _ = try recorder.store(recorder.begin(Self.authorized("/items")), Fixture.ok("[]"))
        #expect(try holders(fixture).isEmpty)
    }
}
