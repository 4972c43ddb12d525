import Testing

@testable import CassetteKit

/// The scanner's detectors, each with a hit and a near miss, and the gate that it is.
@Suite struct SecretScannerTests {
    @Test(arguments: [
        ("github-tokens", "x ghp_0123456789abcdefghijABCDEFGHIJ", "x ghp_short"),
        ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln", "eyJhbGciOiJIUzI1NiJ9"),
        ("private-keys", "-----BEGIN PRIVATE KEY-----\nMII", "-----BEGIN CERTIFICATE-----\nMII"),
        ("bearer", "say Bearer abcdefgh1jklmnop", "say Bearer authentication-needed"),
        ("bearer", "Basic YWRhOmh1bnRlcjI0NzEx", "Basic knowledge"),
        ("userinfo", "amqp://app:hunter2@mq", "https://app@mq and http://a.test:80/@x"),
        ("random-text", #""tokenValueV2": "Zx81kQ7pW2mN5rT9vB3c""#, #""tokenType": "Zx81kQ7pW2mN5rT9vB3c""#),
        ("random-text", "MY_SECRET_VALUE=Zx81kQ7pW2mN5rT9vB3c", "NEXT_PAGE_TOKEN=Zx81kQ7pW2mN5rT9vB3c"),
        ("random-text", #"authTokenV2\":\"Zx81kQ7pW2mN5rT9vB3c"#, #""traceId":"Zx81kQ7pW2mN5rT9vB3c""#),
        ("random-text", "secret_thing: Zx81kQ7pW2mN5rT9vB3c", "secret_thing: a-long-name-of-something"),
    ])
    func finds(_ detector: String, _ hit: String, _ nearMiss: String) {
        let scanner = SecretScanner()
        #expect(scanner.findings(octets(hit)).map(\.detector) == [detector])
        #expect(scanner.findings(octets(nearMiss)).isEmpty)
        #expect(SecretScanner(leaving: ["userinfo"]).findings(octets("amqp://app:hunter2@mq")).isEmpty)
    }

    @Test func takesTheNameFromOutside() {
        let scanner = SecretScanner()
        #expect(scanner.findings(octets("Zx81kQ7pW2mN5rT9vB3c"), name: "X-Secret-Thing").count == 1)
        #expect(scanner.findings(octets("Zx81kQ7pW2mN5rT9vB3c"), name: "X-Trace").isEmpty)
    }

    /// What no rule names is hidden by the gate, and reported as its work.
    @Test func theGateHidesWhatTheRulesLeave() {
        let sanitizer = Sanitizer(codecs: testCodecs)
        let raw = request(
            "POST", "/a?tokenvalue2=Zx81kQ7pW2mN5rT9vB3c", [("X-Secret-Thing", "Qx81kQ7pW2mN5rT9vB3d")],
            body: #"{"tokenValueV2":"Rx81kQ7pW2mN5rT9vB3e","id":"Sx81kQ7pW2mN5rT9vB3f"}"#)
        let clean = sanitizer.request(raw, ledger: SecretLedger())
        let shown = sanitizer.shown(raw)
        for secret in ["Zx81", "Qx81", "Rx81"] { #expect(!shown.contains(secret), "\(shown)") }
        #expect(shown.contains("Sx81kQ7pW2mN5rT9vB3f"))
        #expect(
            clean.hidden.map { "\($0.rule) \($0.location) \($0.count)" } == [
                "found by scan request header x-secret-thing 1", "found by scan request query 1",
                "found by scan request text 1",
            ])
        let matcher = Matcher(sanitizer: sanitizer, rules: MatchRules(headers: ["X-Secret-Thing"]))
        #expect(matcher.key(of: clean.message) == matcher.key(of: raw))
        #expect(sanitizer.request(clean.message, ledger: SecretLedger()).hidden.isEmpty)
    }
}
