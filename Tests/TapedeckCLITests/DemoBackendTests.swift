import CassetteKit
import HTTPCore
import TapedeckClient
import Testing

@testable import TapedeckCLI

@Suite struct DemoBackendTests {
    private let secrets = DemoSecrets(seed: 1)

    private func get(_ target: String, _ fields: [(String, String)] = []) -> DemoBackend.Answer {
        let head = RequestHead(method: "GET", target: Bytes(target.utf8), fields: Fields(fields))
        return DemoBackend(secrets: secrets).answer(to: head, body: [], date: "now")
    }

    @Test func secretsAreNewInEachRun() {
        let one = Set(DemoSecrets(seed: 1).all)
        let other = Set(DemoSecrets(seed: 2).all)
        #expect(one.count == 4)
        #expect(one.isDisjoint(with: other))
        #expect(DemoSecrets(seed: 1) == DemoSecrets(seed: 1))
    }

    @Test func asksForTheTokenAndTheCookie() {
        let token = ("Authorization", "Bearer \(secrets.accessToken)")
        let cookie = ("Cookie", "sid=\(secrets.sessionID)")
        #expect(get("/api/projects").head.status == 401)
        #expect(get("/api/projects", [token]).head.status == 401)
        #expect(get("/api/projects", [("Authorization", "Bearer x"), cookie]).head.status == 401)
        #expect(get("/api/projects", [token, cookie]).head.status == 200)
        #expect(get("/images/logo.png").head.status == 200)
    }

    @Test(arguments: [
        DemoDocuments.projects, DemoDocuments.project, DemoDocuments.tasks, DemoDocuments.report, DemoDocuments.viewer,
    ])
    func documentsAreJSON(text: String) throws {
        _ = try JSONText.parse(Bytes(text.utf8))
    }
}

@Suite struct DemoComparisonTests {
    private func response(_ body: String, _ fields: [(String, String)] = [], status: Int = 200) -> WireResponse {
        WireResponse(head: ResponseHead(status: status, fields: Fields(fields)), body: Bytes(body.utf8))
    }

    private let comparison = DemoComparison(secrets: ["s3cret", "t0ken"])

    @Test(arguments: [
        ("same", "same"), ("a=s3cret;", "a=REDACTED-a.1;"), ("s3cret t0ken", "REDACTED-a.1 REDACTED-b.2"),
        ("t0ken", "REDACTED"),
    ])
    func takesPlaceholdersWhereSecretsStood(recorded: String, replayed: String) {
        #expect(comparison.difference(response(recorded), response(replayed)) == nil)
    }

    @Test(arguments: [
        ("same", "some"), ("same", "same."), ("same", "sam"), ("s3cret", "s3cret"), ("s3cret!", "REDACTED-a"),
        ("a s3cret", "REDACTED"), ("plain", "REDACTED"),
    ])
    func seesEveryOtherDifference(recorded: String, replayed: String) {
        #expect(comparison.difference(response(recorded), response(replayed)) == "another body")
    }

    @Test func comparesStatusAndFields() {
        let one = response("", [("A", "1"), ("Connection", "close"), ("Set-Cookie", "sid=s3cret; Path=/")])
        let same = response("", [("A", "1"), ("Set-Cookie", "sid=REDACTED-sid.1; Path=/"), ("Content-Length", "0")])
        #expect(comparison.difference(one, same) == nil)
        let other = response("", [("A", "2"), ("Set-Cookie", "sid=REDACTED-sid.1; Path=/")])
        #expect(comparison.difference(one, other) == "another field A")
        #expect(comparison.difference(one, response("", [])) == "0 fields in place of 2")
        #expect(
            comparison.difference(response("", status: 200), response("", status: 201))?.hasPrefix("status") == true)
    }

    @Test func findsALeak() {
        #expect(comparison.isLeak(Bytes("xx t0ken".utf8)))
        #expect(!comparison.isLeak(Bytes("xx t0ke".utf8)))
    }
}
