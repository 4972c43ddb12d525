import HTTPCore
import Testing

@testable import CassetteKit

@Suite struct CassetteDiffTests {
    private func interaction(
        _ name: String, _ target: String, _ body: String, status: Int = 200, _ fields: [(String, String)] = []
    ) -> Interaction {
        let raw = request("GET", target)
        return Interaction(
            name: name,
            request: RecordedRequest(
                method: raw.method, scheme: raw.scheme, authority: raw.authority, target: raw.target),
            outcome: .response(
                RecordedResponse(
                    status: status, reason: octets("OK"),
                    fields: Fields([("Content-Type", "application/json")] + fields),
                    body: RecordedBody(.text(octets(body))))))
    }

    @Test func equalCassettesDoNotDiffer() throws {
        let list = [interaction("a", "/a", #"{"n":1}"#), interaction("b", "/a", #"{"n":2}"#)]
        let diff = try CassetteDiff(list, list)
        #expect(diff.isEmpty && diff.same == 2)
    }

    @Test func whatIsVolatileByNatureDoesNotCount() throws {
        let diff = try CassetteDiff(
            [
                interaction(
                    "a", "/a", "{}", [("Date", "x"), ("X-Token", "REDACTED-t.get-a.1.1"), ("X-Request-Id", "1")])
            ],
            [interaction("a", "/a", "{ }", [("Date", "y"), ("X-Token", "REDACTED-t.get-a.2.7")])])
        #expect(diff.isEmpty, "\(diff.changed)")
    }

    @Test func everyDifferenceIsNamedByItsPlace() throws {
        let diff = try CassetteDiff(
            [
                interaction("a", "/a", #"{"items":[{"n":1}],"gone":true}"#, [("ETag", "1"), ("X-Old", "1")]),
                interaction("old", "/old", "{}"),
            ],
            [
                interaction("a", "/a", #"{"items":[{"n":2}],"more":1}"#, status: 404, [("ETag", "2"), ("X-New", "1")]),
                interaction("new", "/new", "{}"),
            ])
        #expect(diff.new.map(\.name) == ["new"] && diff.gone.map(\.name) == ["old"])
        #expect(
            diff.changed.first?.differences == [
                "status: 200 → 404", "field ETag: 1 → 2", "field X-New: new, 1", "field X-Old: 1 → gone",
                "body /items/0/n: 1 → 2", "body /more: new, 1", "body /gone: true → gone",
            ])
    }

    @Test func answersToEqualRequestsAreComparedInTheirOrder() throws {
        let one = [interaction("a.1", "/a", "1"), interaction("a.2", "/a", "2")]
        let diff = try CassetteDiff(one, one + [interaction("a.3", "/a", "3")])
        #expect(diff.same == 2 && diff.new.map(\.name) == ["a.3"])
    }
}
