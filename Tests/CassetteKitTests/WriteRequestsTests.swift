import HTTPCore
import Testing

@testable import CassetteKit

@Suite struct WriteRequestsTests {
    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func theseMethodsWrite(_ method: String) {
        #expect(WriteRequests.isWrite(request(method, "/a")))
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "QUERY"])
    func theseMethodsDoNot(_ method: String) {
        #expect(!WriteRequests.isWrite(request(method, "/a")))
    }

    @Test(arguments: [
        (#"{"query":"{a}"}"#, false), (#"{"query":"query Q {a}"}"#, false), (#"{"query":"mutation M {a}"}"#, true),
        (#"{"query":"mutation{a}"}"#, true), (#"{"query":"{mutation}"}"#, false),
        (#"{"query":"fragment F on T {a} mutation {b}"}"#, true), (#"{"query":"query mutations {a}"}"#, false),
        (#"[{"query":"{a}"},{"query":"mutation {b}"}]"#, true), (#"[{"query":"{a}"}]"#, false),
        (#"{"extensions":{"persistedQuery":{"sha256Hash":"h"}}}"#, false), (#"{"a":1}"#, true), ("{", true),
        (#"{"query":"red shoes"}"#, true),
    ])
    func ofGraphQLOnlyMutationsWrite(_ body: String, _ expected: Bool) {
        #expect(WriteRequests.isWrite(jsonRequest(body)) == expected)
    }
}
