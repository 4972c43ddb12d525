import HTTPCore
import Testing

@testable import CassetteKit

/// What two recordings of one flow say about what differs each time.
@Suite struct VolatilePlacesTests {
    private func interaction(
        _ raw: RawRequest, _ body: String, _ fields: [(String, String)] = [], status: Int = 200
    ) -> Interaction {
        let request = RecordedRequest(
            method: raw.method, scheme: raw.scheme, authority: raw.authority, target: raw.target, fields: raw.fields,
            body: raw.body.map { RecordedBody(.text($0)) })
        let response = RecordedResponse(
            status: status, reason: octets("OK"), fields: Fields(fields), body: RecordedBody(.text(octets(body))))
        return Interaction(
            name: "\(raw.method)-\(text(raw.target)).json", request: request, outcome: .response(response))
    }

    private func places(
        _ first: [Interaction], _ second: [Interaction], volatile: VolatileRules = VolatileRules()
    ) throws -> VolatilePlaces {
        let matcher = Matcher(sanitizer: Sanitizer())
        return try VolatilePlaces(first, second, volatile: volatile) { (interaction) throws(FormatError) in
            try matcher.key(of: interaction.request)
        }
    }

    @Test func equalRecordingsHaveNone() throws {
        let one = [interaction(request("GET", "/a"), #"{"id":1}"#, [("Date", "now")])]
        let other = [interaction(request("GET", "/a"), #"{ "id": 1.0 }"#, [("Date", "later")])]
        let found = try places(one, other)
        #expect(found.isEmpty && found.unexplained.isEmpty)
    }

    @Test func namesPointersAndFields() throws {
        let one = interaction(
            request("GET", "/a"), #"{"id":"x","items":[{"at":1},{"at":2}],"n":1}"#, [("X-Nonce", "a"), ("Via", "v")])
        let other = interaction(
            request("GET", "/a"), #"{"id":"y","items":[{"at":3},{"at":4}],"n":1}"#, [("X-Nonce", "b"), ("Via", "v")])
        let found = try places([one], [other])
        #expect(found.json == ["/id", "/items/*/at"])
        #expect(found.headers == ["X-Nonce"])
        #expect(
            try places([one], [other], volatile: VolatileRules(fields: ["x-nonce"], pointers: ["/id", "/items"]))
                .isEmpty)
    }

    @Test func theNamesOfPlaceholdersDoNotCount() throws {
        let one = interaction(request("GET", "/a"), #"{"t":"REDACTED-a.b.1"}"#, [("X-T", "REDACTED-a.b.1")])
        let other = interaction(request("GET", "/a"), #"{"t":"REDACTED-a.c.2"}"#, [("X-T", "REDACTED-a.c.2")])
        #expect(try places([one], [other]).isEmpty)
    }

    @Test func requestsThatDifferInItemsAndBodiesArePaired() throws {
        let one = [
            interaction(request("GET", "/a?q=1&nonce=7"), "1"), interaction(jsonRequest(#"{"a":1,"at":5}"#, "/b"), "2"),
        ]
        let other = [
            interaction(request("GET", "/a?q=1&nonce=8"), "1"), interaction(jsonRequest(#"{"a":1,"at":6}"#, "/b"), "2"),
        ]
        let found = try places(one, other)
        #expect(found.pairs.map(\.query) == [["nonce"], []])
        #expect(found.pairs.map(\.body) == [[], ["/at"]])
        #expect(found.unexplained.isEmpty)
    }

    @Test func aPathThatDiffersExplainsItsValueInTheAnswer() throws {
        let one = interaction(
            request("GET", "/orders/aa11"), #"{"id":"aa11","u":"/orders/aa11"}"#, [("Content-Location", "/orders/aa11")]
        )
        let other = interaction(
            request("GET", "/orders/bb22"), #"{"id":"bb22","u":"/orders/bb22"}"#, [("Content-Location", "/orders/bb22")]
        )
        let found = try places([one], [other])
        #expect(found.pairs.map(\.segments) == [[2]])
        #expect(found.json.isEmpty && found.headers.isEmpty && found.unexplained.isEmpty)
    }

    @Test func whatNoRuleCanSayIsToldInWords() throws {
        let one = [
            interaction(request("GET", "/a"), "one"), interaction(request("GET", "/b"), "{}"),
            interaction(request("PUT", "/c"), ""),
        ]
        let other = [
            interaction(request("GET", "/a"), "two"), interaction(request("GET", "/b"), "{}", status: 500),
            interaction(request("DELETE", "/d"), ""),
        ]
        let found = try places(one, other)
        #expect(found.isEmpty)
        #expect(
            found.unexplained == [
                "the body of GET /a is another each time, and it is no JSON",
                "GET /b was answered with 200, then with 500", "PUT /c came in the first run only",
                "DELETE /d came in the second run only",
            ])
    }
}
