import HTTPCore
import Testing

@testable import CassetteKit

/// Every built-in rule has a hit, which it alone reports, and a near miss, which no rule touches.
@Suite struct SanitizerCatalogTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var id: String
        var hit: @Sendable () -> RawRequest
        var nearMiss: @Sendable () -> RawRequest

        var testDescription: String { id }
    }

    private static func body(_ text: String) -> RawRequest { request("POST", "/", [], body: text) }
    private static func field(_ name: String, _ value: String) -> RawRequest { request("GET", "/", [(name, value)]) }
    private static func tail(_ count: Int) -> String {
        String("Q7z4kX9m2VbT8wLr5NcY3pHd6GsJ1fZq0EtAuWiOxKyB7RnM4".prefix(count))
    }

    private static let rows: [Row] = [
        Row(
            id: "authorization", hit: { field("Authorization", "Bearer abc") },
            nearMiss: { field("WWW-Authenticate", "Bearer realm=x") }),
        Row(id: "cookies", hit: { field("Cookie", "theme=dark") }, nearMiss: { field("X-Cookie-Policy", "strict") }),
        Row(id: "passwords", hit: { body(#"{"newPassword":"x"}"#) }, nearMiss: { body(#"{"passwordHint":"x"}"#) }),
        Row(
            id: "tokens", hit: { body(#"{"access_token":"x"}"#) },
            nearMiss: { body(#"{"token_type":"bearer","nextPageToken":"x"}"#) }),
        Row(id: "api-keys", hit: { field("X-Api-Key", "x") }, nearMiss: { field("X-Api-Key-Name", "x") }),
        Row(id: "client-secrets", hit: { formRequest("client_secret=x") }, nearMiss: { formRequest("secretary=x") }),
        Row(
            id: "sessions", hit: { request("GET", "/?session_id=x") },
            nearMiss: { request("GET", "/?sessions_count=2") }),
        Row(
            id: "anti-forgery", hit: { body("<input name=\"csrf_token\" value=\"x\">") },
            nearMiss: { body("<input name=\"csrf_token\"><input name=\"q\" value=\"x\">") }),
        Row(
            id: "signatures", hit: { request("GET", "/?X-Amz-Signature=x") },
            nearMiss: { request("GET", "/?signature_algorithm=x") }),
        Row(id: "one-time-codes", hit: { body(#"{"otp":"x"}"#) }, nearMiss: { body(#"{"otp_length":"x"}"#) }),
        Row(id: "pins", hit: { body(#"{"pin":1234}"#) }, nearMiss: { body(#"{"pin":"red","pins":1234}"#) }),
        Row(
            id: "keys", hit: { request("GET", "/?key=\(tail(20))") },
            nearMiss: { request("GET", "/?key=name-of-a-long-thing") }),
        Row(
            id: "oauth-codes", hit: { request("GET", "/cb?code=x&state=y") }, nearMiss: { request("GET", "/cb?code=x") }
        ),
        Row(id: "userinfo", hit: { body("postgres://app:x@db/1") }, nearMiss: { body("postgres://db/1?a@b") }),
        Row(
            id: "digests",
            hit: { request("POST", "/", [("Content-MD5", "Q2hlY2sgSW50ZWdyaXR5IQ==")], body: #"{"pin":1234}"#) },
            nearMiss: { request("POST", "/", [("Content-MD5", "Q2hlY2sgSW50ZWdyaXR5IQ==")], body: #"{"pen":1234}"#) }),
        Row(
            id: "jwt", hit: { body("x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl y") },
            nearMiss: { body("x eyJhbGciOiJIUzI1NiJ9.eyJ y") }),
        Row(
            id: "private-keys", hit: { body("-----BEGIN EC PRIVATE KEY-----\nAA\n-----END EC PRIVATE KEY-----") },
            nearMiss: { body("-----BEGIN PUBLIC KEY-----\nAA\n-----END PUBLIC KEY-----") }),
        Row(id: "github-tokens", hit: { body("x ghp_\(tail(36)) y") }, nearMiss: { body("x ghp_\(tail(19)) y") }),
        Row(id: "gitlab-tokens", hit: { body("x glpat-\(tail(20)) y") }, nearMiss: { body("x glpat-\(tail(19)) y") }),
        Row(id: "slack-tokens", hit: { body("x xoxb-\(tail(30)) y") }, nearMiss: { body("x xoxb-\(tail(9)) y") }),
        Row(id: "stripe-keys", hit: { body("x sk_live_\(tail(24)) y") }, nearMiss: { body("x sk_live_\(tail(7)) y") }),
        Row(id: "aws-keys", hit: { body("x AKIAQ7ZK4XM2VBT8WLR5 y") }, nearMiss: { body("x AKIAQ7ZK4XM2VBT8WLR y") }),
        Row(id: "google-keys", hit: { body("x AIza\(tail(35)) y") }, nearMiss: { body("x AIza\(tail(34)) y") }),
        Row(
            id: "openai-keys", hit: { body("x sk-proj-\(tail(20)) y") }, nearMiss: { body("x sk-learn-\(tail(20)) y") }),
        Row(id: "provider-tokens", hit: { body("x hf_\(tail(34)) y") }, nearMiss: { body("x hf_\(tail(29)) y") }),
        Row(
            id: "email-addresses", hit: { body("to ada@corp.io!") },
            nearMiss: { body("to ada@example.com, git@host.io:a, a@2x.png") }),
        Row(
            id: "card-numbers", hit: { body("no 4111 1111 1111 1111.") }, nearMiss: { body("no 4111 1111 1111 1112.") }),
        Row(id: "phone-numbers", hit: { body("call +49 30 1234567") }, nearMiss: { body("about +49 more") }),
        Row(id: "ibans", hit: { body("to DE89370400440532013000") }, nearMiss: { body("to DE88370400440532013000") }),
    ]

    @Test func saysOfEveryRuleWhatItHidesAndWhy() {
        let rules = SanitizerRule.defaults + SanitizerRule.optional
        #expect(SanitizerNote.all.map(\.id) == rules.map(\.id))
        for note in SanitizerNote.all { #expect(!note.what.isEmpty && !note.why.isEmpty, "\(note.id)") }
        #expect(SanitizerNote.all.filter { !$0.isDefault }.map(\.id) == ["phone-numbers", "ibans"])
    }

    @Test func everyRuleHasARow() {
        #expect(Self.rows.map(\.id) == SanitizerNote.all.map(\.id))
    }

    @Test(arguments: rows)
    func hidesTheHitAndLeavesTheNearMiss(_ row: Row) {
        let all = Sanitizer(
            rules: SanitizerRules(on: Set(SanitizerRule.optional.map(\.id))), codecs: testCodecs)
        let hit = all.request(row.hit(), ledger: SecretLedger())
        #expect(hit.hidden.contains { $0.rule == row.id }, "\(hit.hidden)")
        let near = all.request(row.nearMiss(), ledger: SecretLedger())
        #expect(near.hidden.isEmpty, "\(near.hidden)")
        #expect(near.message.body == row.nearMiss().body && near.message.target == row.nearMiss().target)
        #expect(near.message.fields == row.nearMiss().fields)
        // Switched off, it reports nothing any more.
        let off = Sanitizer(
            rules: SanitizerRules(off: [row.id], on: Set(SanitizerRule.optional.map(\.id)).subtracting([row.id])),
            codecs: testCodecs)
        #expect(!off.request(row.hit(), ledger: SecretLedger()).hidden.contains { $0.rule == row.id })
    }
}
