import HTTPCore
import SystemIO
import TestSupport
import Testing

@testable import CassetteKit

@Suite struct CassetteRecorderTests {
    private typealias Fixture = RecordingFixture

    @Test func writesACassetteThatReadsBack() throws {
        let fixture = try Fixture()
        let summary = try fixture.record([
            (Fixture.get("/api/items?page=1", fields: [("Accept", "*/*"), ("Host", "x")]), Fixture.ok(#"{"id": 1}"#)),
            (Fixture.get("/"), Fixture.ok("hello\n", fields: [("Content-Type", "text/plain")])),
        ])
        #expect(summary.new.count == 2)
        #expect(summary.unchanged.isEmpty && summary.changed.isEmpty && summary.removed.isEmpty)
        let cassette = try Cassette.load(folder: fixture.folder)
        #expect(cassette.manifest.checked == "2026-11-30")
        #expect(cassette.manifest.upstreams == ["https://shop.example.com"])
        #expect(cassette.orphans.isEmpty)
        let items = try #require(cassette.interactions.first { $0.name.hasPrefix("get-api-items.") })
        #expect(items.request.url == Bytes("https://shop.example.com/api/items?page=1".utf8))
        #expect(items.request.fields == Fields([("Accept", "*/*")]))
        #expect(items.response?.fields == Fields([("Content-Type", "application/json")]))
        #expect(try items.response?.body?.octets() == Bytes(#"{"id": 1}"#.utf8))
        #expect(try cassette.timings()[items.name]?.firstByte == 1_200)
        #expect(try fixture.names().allSatisfy { $0.wholeMatch(of: #/get(-api-items)?\.[0-9a-f]{6}\.1\.json/#) != nil })
        let files = try fixture.files()
        #expect(files[".gitattributes"] == Bytes("* -text\n".utf8))
        #expect(files[".lock"] == nil)
    }

    @Test func anUnchangedBackendChangesNoOctet() throws {
        let fixture = try Fixture()
        func exchanges(_ date: String, _ id: String) -> [(RawRequest, RawResponse)] {
            let volatile = [
                ("Content-Type", "application/json"), ("Date", date), ("X-Request-Id", id),
                ("Set-Cookie", "theme=dark; Expires=\(date); Path=/"),
            ]
            let link = #"{"url":"https://cdn/a?X-Amz-Date=\#(id)&w=1"}"#
            return [
                (Fixture.get("/a", fields: [("traceparent", id)]), Fixture.ok(#"{"n":1}"#, fields: volatile)),
                (Fixture.get("/a", fields: [("traceparent", id)]), Fixture.ok(#"{"n":2}"#, fields: volatile)),
                (Fixture.get("/link"), Fixture.ok(link, fields: volatile)),
            ]
        }
        try fixture.record(exchanges("Mon, 30 Nov 2026 10:00:00 GMT", "20261130T100000Z"))
        let before = try fixture.files()
        let summary = try fixture.record(
            exchanges("Tue, 01 Dec 2026 11:00:00 GMT", "20261201T110000Z"), today: "2026-12-01")
        #expect(try fixture.files() == before)
        #expect(summary.unchanged.count == 3)
        #expect(!summary.isChange)
    }

    @Test func aChangedAnswerKeepsItsNameAndWhatPeopleWrote() throws {
        let fixture = try Fixture()
        try fixture.record([(Fixture.get("/a"), Fixture.ok("[1]"))])
        let name = try #require(try fixture.names().first)
        let path = "\(fixture.folder)/interactions/\(name)"
        var edited = try InteractionFormat.read(
            try Files.read(path), name: name, folder: "\(fixture.folder)/interactions")
        edited.note = "keep me"
        edited.optional = true
        edited.unknown = [JSONMember("ticket", .text("A-1"))]
        let mine = "my-own-name.json"
        try Files.writeAtomically(InteractionFormat.write(edited), to: "\(fixture.folder)/interactions/\(mine)")
        try Files.remove(path)

        let summary = try fixture.record([(Fixture.get("/a"), Fixture.ok("[2]"))], today: "2026-12-01")
        #expect(summary.changed == [mine])
        #expect(try fixture.names() == [mine])
        let cassette = try Cassette.load(folder: fixture.folder)
        #expect(cassette.manifest.checked == "2026-12-01")
        #expect(cassette.interactions.first?.note == "keep me")
        #expect(cassette.interactions.first?.optional == true)
        #expect(cassette.interactions.first?.unknown == [JSONMember("ticket", .text("A-1"))])
        #expect(try cassette.interactions.first?.response?.body?.octets() == Bytes("[2]".utf8))
    }

    /// What a run saw is what the cassette holds, whatever was there before.
    @Test(
        arguments: ["", "A", "AAA", "AB", "ABC", "AAAB", "ABA", "BAAB", "CCC"],
        ["A", "AAA", "AB", "B", "ABA", "BA", "BBA", "CAB"])
    func holdsTheSequenceOfTheLastRun(_ before: String, _ now: String) throws {
        let fixture = try Fixture()
        if !before.isEmpty { try fixture.record(before.map { (Fixture.get("/a"), Fixture.ok("\"\($0)\"")) }) }
        try fixture.record(now.map { (Fixture.get("/a"), Fixture.ok("\"\($0)\"")) })
        let cassette = try Cassette.load(folder: fixture.folder)
        let folded = cassette.interactions.map { interaction in
            (try? interaction.response?.body?.octets()).map { String(decoding: $0, as: UTF8.self) } ?? "?"
        }
        let wanted = now.reduce(into: [Character]()) { if $0.last != $1 { $0.append($1) } }.map { "\"\($0)\"" }
        #expect(folded == wanted)
        if before.isEmpty {
            let total = cassette.interactions.reduce(0) { $0 + $1.repeats }
            #expect(total == now.count)
        }
        // Once more: nothing moves.
        let files = try fixture.files()
        let summary = try fixture.record(now.map { (Fixture.get("/a"), Fixture.ok("\"\($0)\"")) })
        #expect(!summary.isChange)
        #expect(try fixture.files() == files)
    }

    @Test func ordinalsFollowTheEndOfTheRequestNotOfTheAnswer() throws {
        let fixture = try Fixture()
        let recorder = try fixture.open()
        let first = recorder.begin(Fixture.get("/a"))
        let second = recorder.begin(Fixture.get("/a"))
        let third = recorder.begin(Fixture.get("/a"))
        #expect(try recorder.store(third, Fixture.ok("\"third\"")) == .written(third.name))
        #expect(try recorder.store(second, Fixture.ok("\"second\"")) == .written(second.name))
        #expect(try recorder.store(first, Fixture.ok("\"first\"")) == .written(first.name))
        _ = try recorder.finish()
        let bodies = try Cassette.load(folder: fixture.folder).interactions.map { try $0.response?.body?.octets() }
        #expect(bodies == ["\"first\"", "\"second\"", "\"third\""].map { Bytes($0.utf8) })
    }

    @Test func anAbandonedExchangeLeavesTheOldAnswer() throws {
        let fixture = try Fixture()
        try fixture.record([(Fixture.get("/a"), Fixture.ok("[1]"))])
        let before = try fixture.files()
        let recorder = try fixture.open()
        recorder.abandon(recorder.begin(Fixture.get("/a")))
        let again = recorder.begin(Fixture.get("/a"))
        _ = try recorder.store(again, Fixture.ok("[1]"))
        let summary = try recorder.finish()
        #expect(!summary.isChange)
        #expect(try fixture.files() == before)
    }

    @Test func requestsThatNobodyMadeStayUnlessPruned() throws {
        let fixture = try Fixture()
        let png = RawResponse(
            status: 200, reason: [], fields: Fields(), framing: .untilClose, body: Bytes(repeating: 0, count: 5_000))
        try fixture.record([(Fixture.get("/a"), Fixture.ok("[1]")), (Fixture.get("/b"), png)])
        let kept = try fixture.record([(Fixture.get("/a"), Fixture.ok("[1]"))])
        #expect(kept.notSeen.count == 1)
        #expect(try fixture.names().count == 3)
        let pruned = try fixture.record([(Fixture.get("/a"), Fixture.ok("[1]"))], prune: true)
        #expect(pruned.removed == kept.notSeen)
        #expect(try fixture.names().count == 1)
        #expect(try Cassette.load(folder: fixture.folder).timings().count == 1)
    }

    @Test func bodiesBesideComeAndGoWithTheirInteraction() throws {
        let fixture = try Fixture()
        func answer(_ octet: UInt8) -> RawResponse {
            RawResponse(
                status: 200, reason: [], fields: Fields([("Content-Type", "image/png")]), framing: .length(3_000),
                body: Bytes(repeating: octet, count: 3_000))
        }
        try fixture.record([(Fixture.get("/a"), answer(0)), (Fixture.get("/a"), answer(1))])
        #expect(try fixture.names().count { $0.hasSuffix(".png") } == 2)
        let before = try fixture.files()
        #expect(try !fixture.record([(Fixture.get("/a"), answer(0)), (Fixture.get("/a"), answer(1))]).isChange)
        #expect(try fixture.files() == before)
        // In the other order: each file moves to the other's name.
        try fixture.record([(Fixture.get("/a"), answer(1)), (Fixture.get("/a"), answer(0))])
        let cassette = try Cassette.load(folder: fixture.folder)
        #expect(try cassette.interactions.map { try $0.response?.body?.octets().first } == [1, 0])
        #expect(cassette.orphans.isEmpty)
        try fixture.record([(Fixture.get("/a"), Fixture.ok("[]"))])
        #expect(try fixture.names().count == 1)
    }

    @Test func aSecondRecorderIsRefusedWithThePid() throws {
        let fixture = try Fixture()
        let first = try fixture.open()
        let error = #expect(throws: RecorderError.self) { try fixture.open() }
        guard case .locked(_, let pid)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(pid != nil)
        _ = try first.finish()
        #expect(throws: RecorderError.finished) { try first.finish() }
        _ = try fixture.open().finish()
    }

    @Test func secretsReachNoFile() throws {
        let fixture = try Fixture()
        let token = "s3cr3tTokenValue42"
        let login = Fixture.ok(#"{"access_token":"\#(token)","user":"u"}"#)
        let items = Fixture.get("/items?foo=\(token)", fields: [("Authorization", "Bearer \(token)")])
        let summary = try fixture.record([(Fixture.get("/login"), login), (items, Fixture.ok("[]"))])
        for (name, octets) in try fixture.files() {
            #expect(!String(decoding: octets, as: UTF8.self).contains(token), "\(name)")
        }
        #expect(!summary.hidden.isEmpty)
        let manifest = try #require(try Cassette.manifest(folder: fixture.folder))
        #expect(manifest.secretPlaces.map(\.location.description) == ["request query foo"])
        // Another token in the next run is no change.
        let other = "0th3rTokenValue4242"
        let again = try fixture.record([
            (Fixture.get("/login"), Fixture.ok(#"{"access_token":"\#(other)","user":"u"}"#)),
            (
                Fixture.get("/items?foo=\(other)", fields: [("Authorization", "Bearer \(other)")]), Fixture.ok("[]")
            ),
        ])
        #expect(!again.isChange)
        #expect(again.unchanged.count == 2)
    }

    @Test func namesOfDifferentKeysStayApart() throws {
        let fixture = try Fixture()
        let sanitizer = Sanitizer()
        // Fields take part in the key and not in the digits of the name.
        let recorder = try CassetteRecorder.open(
            folder: fixture.folder, form: .reverse, upstreams: [], sanitizer: sanitizer,
            matcher: Matcher(sanitizer: sanitizer, rules: MatchRules(headers: ["X-Page"])), today: "2026-11-30",
            fsync: fixture.fsync)
        for page in ["1", "2", "3"] {
            _ = try recorder.store(recorder.begin(Fixture.get("/a", fields: [("X-Page", page)])), Fixture.ok(page))
        }
        #expect(try recorder.finish().new.count == 3)
        #expect(try fixture.names().count == 3)
    }

    @Test func operationsNameTheirFiles() throws {
        let fixture = try Fixture()
        func graphQL(_ body: String) -> RawRequest {
            var request = Fixture.get("/graphql", fields: [("Content-Type", "application/json")])
            request.method = "POST"
            request.body = Bytes(body.utf8)
            return request
        }
        try fixture.record([
            (graphQL(#"{"operationName":"Viewer","query":"query Viewer { me }"}"#), Fixture.ok("1")),
            (graphQL(#"{"query":"mutation AddItem($id: ID!) { add(id: $id) }"}"#), Fixture.ok("2")),
            (graphQL(#"{"query":"{ me }"}"#), Fixture.ok("3")),
        ])
        let stems = Set(try fixture.names().map { String($0.prefix { $0 != "." }) })
        #expect(stems == ["post-graphql", "post-graphql-additem", "post-graphql-viewer"])
    }

    @Test func anErrorIsStoredInPlaceOfAResponse() throws {
        let fixture = try Fixture()
        let recorder = try fixture.open()
        let error = RecordedError(status: 504, label: "timeout", message: "no answer")
        _ = try recorder.store(recorder.begin(Fixture.get("/a")), error: error)
        _ = try recorder.finish()
        #expect(try Cassette.load(folder: fixture.folder).interactions.first?.outcome == .error(error))
    }

    @Test func manyThreadsRecordAtOnce() async throws {
        let fixture = try Fixture()
        let recorder = try fixture.open()
        let count = 40
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    let ticket = recorder.begin(RecordingFixture.get("/item/\(number % 4)"))
                    _ = try? recorder.store(ticket, RecordingFixture.ok("\(number)"))
                }
            }
        }
        #expect(try recorder.finish().new.count == count)
        #expect(try Cassette.load(folder: fixture.folder).interactions.count == count)
        try await fixture.fsync.flush()
    }
}
