import HTTPCore
import SystemIO
import Testing

@testable import CassetteKit

/// Values that are no secret but differ at each recording, followed wherever they come back.
@Suite struct SanitizerLinkTests {
    typealias Fixture = RecordingFixture

    private static let rules = [
        SanitizerRule(id: "ids", kind: .pointers(["/id", "/items/*/id"]), action: .link),
        SanitizerRule(id: "cursors", kind: .names(SecretNames(exact: ["nextCursor"])), action: .link),
        SanitizerRule(id: "uploads", kind: .names(SecretNames(exact: ["uploadURL"])), action: .link),
    ]

    private func sanitizer(_ fixture: Fixture) throws -> Sanitizer {
        let places = try Cassette.manifest(folder: fixture.folder)?.secretPlaces ?? []
        return Sanitizer(rules: SanitizerRules(extra: Self.rules, secretPlaces: places), codecs: testCodecs)
    }

    /// An order is made, read, listed and taken back; the list is read on with a cursor; a file is sent to a signed address.
    private static func flow(_ id: String, _ cursor: String, _ upload: String) -> [(RawRequest, RawResponse)] {
        func ask(_ method: String, _ target: String, _ body: String? = nil) -> RawRequest {
            var raw = Fixture.get(target, fields: body == nil ? [] : [("Content-Type", "application/json")])
            raw.method = method
            raw.body = body.map(octets)
            return raw
        }
        return [
            (
                ask("POST", "/orders", #"{"sku":"A"}"#),
                Fixture.ok(
                    #"{"id":\#(id),"self":"/orders/\#(id)","uploadURL":"\#(upload)"}"#,
                    fields: [("Content-Type", "application/json"), ("Location", "/orders/\(id)")])
            ),
            (ask("GET", "/orders/\(id)"), Fixture.ok(#"{"id":\#(id),"count":1,"note":"11/17/2026"}"#)),
            (
                ask("GET", "/lines?orderId=\(id)&page=1"),
                Fixture.ok(#"{"order_id":\#(id),"page":1,"nextCursor":"\#(cursor)"}"#)
            ),
            (ask("GET", "/lines?after=\(cursor)"), Fixture.ok("[]")),
            (ask("PUT", "/relay", #"{"to":"\#(upload)","orderId":\#(id)}"#), Fixture.ok("{}")),
            (ask("DELETE", "/orders/\(id)"), Fixture.ok("")),
        ]
    }

    private static let first = flow(
        "17", "eyJwIjoyfQ-a1b2c3", "https://up.example.com/b/k?X-Amz-Date=1&X-Amz-Signature=aa11bb22")
    private static let second = flow(
        "4", "eyJwIjo5fQ-d4e5f6", "https://up.example.com/b/k?X-Amz-Date=2&X-Amz-Signature=cc33dd44")

    private func record(_ fixture: Fixture, _ flow: [(RawRequest, RawResponse)]) throws -> RecordSummary {
        let sanitizer = try sanitizer(fixture)
        let recorder = try CassetteRecorder.open(
            folder: fixture.folder, form: .reverse, upstreams: ["https://shop.example.com"], sanitizer: sanitizer,
            matcher: Matcher(sanitizer: sanitizer), today: "2026-11-30", fsync: fixture.fsync)
        for (request, response) in flow { _ = try recorder.store(recorder.begin(request), response) }
        return try recorder.finish()
    }

    @Test func recordingWithOtherValuesChangesNoLine() throws {
        let fixture = try Fixture()
        let new = try record(fixture, Self.first).new
        #expect(new.count == 6, "\(new)")
        let files = try fixture.files().filter { $0.key != "timings.json" }
        let all = files.map { $0.key + text($0.value) }.joined()
        #expect(
            !all.contains("17,") && !all.contains("orders/17") && !all.contains("a1b2c3") && !all.contains("aa11bb22"),
            "\(all)")
        // What only looks like the id stays.
        #expect(all.contains("11/17/2026"), "\(all)")
        let summary = try record(fixture, Self.second)
        #expect(summary.changed + summary.new + summary.removed == [])
        #expect(try fixture.files().filter { $0.key != "timings.json" } == files)
    }

    @Test func replayTakesTheLinkedValueAndAnyOther() throws {
        let fixture = try Fixture()
        _ = try record(fixture, Self.first)
        let matcher = Matcher(sanitizer: try sanitizer(fixture))
        let cassette = try Cassette.load(folder: fixture.folder)
        let keys = Set(try cassette.interactions.map { try matcher.key(of: $0.request) })
        for (request, _) in Self.first + Self.second {
            #expect(keys.contains(matcher.key(of: request)), "\(text(request.target))")
        }
        // The client goes on with what the replayed answer handed out.
        let made = try #require(
            try cassette.interactions.first { $0.request.method == "POST" }?.response?.body?.octets())
        let id = try #require(text(made).split(separator: "\"id\":").last?.prefix { $0.isNumber }.description)
        #expect(id.count == 15 && text(made).contains("/orders/\(id)"), "\(text(made))")
        #expect(keys.contains(matcher.key(of: Fixture.get("/orders/\(id)"))))
        for interaction in cassette.interactions where text(interaction.request.target).hasPrefix("/orders/") {
            #expect(text(interaction.request.target) == "/orders/\(id)")
        }
    }

    @Test(arguments: ["number", "own"])
    func numbersAreTestValuesThatNoCardHas(_ name: String) {
        let number = SecretPlaceholder.number(name)
        #expect(number.count == 15 && SecretPlaceholder.isNumber(number))
        #expect(!SecretPattern.isChecked(number.map { $0 - 0x30 }))
        #expect(number != SecretPlaceholder.number(name + "x"))
        var other = number
        other[14] = other[14] == 0x30 ? 0x31 : 0x30
        #expect(!SecretPlaceholder.isNumber(other) && !SecretPlaceholder.isNumber(number + [0x30]))
    }

    @Test func aSecretNumberStaysOneAndKeepsItsLink() throws {
        let sanitizer = Sanitizer(codecs: testCodecs)
        let ledger = SecretLedger()
        let login = sanitizer.shown(
            response(#"{"accounts":[{"otp":4711471147114711},{"otp":1234123412341234}]}"#), ledger)
        let numbers = login.split(whereSeparator: { !$0.isNumber }).map { String($0) }.filter { $0.count == 15 }
        #expect(Set(numbers).count == 2, "\(login)")
        let later = sanitizer.shown(
            request("POST", "/v/4711471147114711", [], body: #"{"n":1234123412341234}"#), ledger)
        #expect(later.hasPrefix("/v/\(numbers[0])") && later.hasSuffix(#"{"n":\#(numbers[1])}"#), "\(login) \(later)")
    }
}
