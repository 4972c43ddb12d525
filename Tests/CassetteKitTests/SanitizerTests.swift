import HTTPCore
import Testing

@testable import CassetteKit

@Suite struct SanitizerTests {
    private let sanitizer = Sanitizer(codecs: testCodecs)

    @Test func oneSecretKeepsOnePlaceholderThroughARun() {
        let ledger = SecretLedger()
        let login = response(#"{"access_token":"tok-0123456789","expires_in":3600}"#)
        let answer = sanitizer.shown(login, stem: "post-login.77ab01", ledger)
        #expect(answer.contains(#"{"access_token":"REDACTED-access_token.post-login.77ab01.1","expires_in":3600}"#))
        let later = sanitizer.shown(
            request(
                "POST", "/s/tok-0123456789/x?q=tok-0123456789&r=a%20tok%2D0123456789",
                [("Authorization", "Bearer tok-0123456789"), ("X-Copy", "tok-0123456789")],
                body: #"{"t":"tok\u002d0123456789","n":["tok-0123456789"]}"#), ledger)
        let placeholder = "REDACTED-access_token.post-login.77ab01.1"
        #expect(!later.contains("0123456789"))
        #expect(later.contains("/s/\(placeholder)/x?q=\(placeholder)&r=a%20\(placeholder)"))
        #expect(later.contains("Authorization: Bearer \(placeholder)"))
        #expect(later.contains(#"{"t":"\#(placeholder)","n":["\#(placeholder)"]}"#))
    }

    @Test func reportsPlacesThatNoRuleNames() {
        let ledger = SecretLedger()
        _ = sanitizer.shown(response(#"{"token":"tok-0123456789"}"#), ledger)
        let raw = request(
            "POST", "/users/17/tok-0123456789?tk=tok-0123456789", [], body: #"{"a":[{"t":"tok-0123456789"}]}"#)
        let places = sanitizer.request(raw, ledger: ledger).newPlaces
        #expect(places.map(\.location.description) == ["request path", "request json /a/*/t", "request query tk"])
        #expect(Set(places.map(\.path)) == ["/users/*/{secret}"])
        // From then on they act as rules, without knowing the secret.
        let next = Sanitizer(rules: SanitizerRules(secretPlaces: places), codecs: testCodecs)
        let other = request("POST", "/users/4/other-secret?tk=another&x=1", [], body: #"{"a":[{"t":"third"}]}"#)
        let shown = next.shown(other)
        #expect(shown.hasPrefix("/users/4/REDACTED-path?tk=REDACTED-tk&x=1"), "\(shown)")
        #expect(shown.hasSuffix(#"{"a":[{"t":"REDACTED-t"}]}"#), "\(shown)")
    }

    @Test func aPlaceReadsWhatItWrites() throws {
        for text in ["request path", "response json /a/*/b c", "request header x-y", "request cookie sid"] {
            #expect(try #require(SecretLocation(text)).description == text)
        }
        #expect(SecretLocation("request") == nil)
        #expect(SecretLocation("reply json") == nil)
    }

    @Test func sanitizingTwiceChangesNothingMore() {
        let raw = request(
            "POST", "/t/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl?key=AIzaabc0123456789xyz&code=1&state=2",
            [("Authorization", "Bearer abc"), ("Cookie", "a=b; c=d"), ("X-Api-Key", "k")],
            body:
                #"{"password":"x","b":"{\"token\":\"y\"}","data":"eyJwYXNzd29yZCI6Imh1bnRlcjItaW5uZXIifQ==","pin":1234}"#
        )
        let once = sanitizer.request(raw, ledger: SecretLedger())
        let twice = sanitizer.request(once.message, ledger: SecretLedger())
        #expect(once.message.target == twice.message.target)
        #expect(once.message.fields == twice.message.fields)
        #expect(once.message.body == twice.message.body)
        #expect(twice.hidden.isEmpty, "\(twice.hidden)")
    }

    @Test func countsByRuleAndPlace() {
        let raw = request("POST", "/?token=a", [("Cookie", "a=b")], body: #"[{"pwd":"x"},{"pwd":"y"}]"#)
        let hidden = sanitizer.request(raw, ledger: SecretLedger()).hidden
        #expect(
            hidden.map { "\($0.rule) \($0.location) \($0.count)" } == [
                "cookies request cookie a 1", "passwords request json /*/pwd 2", "tokens request query token 1",
            ])
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"])
    func looksIntoCodedBodies(_ coding: String) throws {
        let plain = #"{"password":"planted-secret","x":1}"#
        let coded = try #require(testCodecs.encode(coding, octets(plain)))
        var raw = response("", [("Content-Encoding", coding), ("Content-Length", "\(coded.count)")])
        raw.body = coded
        let result = sanitizer.response(raw, to: request(), stem: "s", ordinal: 2, ledger: SecretLedger())
        #expect(result.coding == coding)
        #expect(text(result.message.body) == #"{"password":"REDACTED-password.s.2","x":1}"#)
        let length = try #require(testCodecs.encode(coding, result.message.body)).count
        #expect(result.message.fields.text("Content-Length") == "\(length)")
    }

    @Test func looksIntoParts() {
        let body =
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nplanted\r\n--b\r\n"
            + "Content-Disposition: form-data; name=\"meta\"\r\nContent-Type: application/json\r\n\r\n"
            + "{\"token\":\"other\"}\r\n--b\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nkept\r\n--b--\r\n"
        let raw = request("POST", "/", [("Content-Type", "multipart/form-data; boundary=b")], body: body)
        let shown = sanitizer.request(raw, ledger: SecretLedger()).message.body.map(text)
        let expected = body.replacing("\r\n\r\nplanted", with: "\r\n\r\nREDACTED-password")
            .replacing("\"other\"", with: "\"REDACTED-token\"")
        #expect(shown == expected)
    }

    /// The same secret in every spelling that a message may hold it in.
    @Test(arguments: [
        #"ab/cd+ef"gh"#, "ab%2Fcd%2Bef%22gh", "ab%2fcd%2bef%22gh", #"ab\/cd\u002bef\"gh"#, "ab/cd+ef&quot;gh",
        "ab&#x2F;cd&#43;ef&quot;gh", "YWIvY2QrZWYiZ2g=", "eGFiL2NkK2VmImdo", "eHhhYi9jZCtlZiJnaA==",
        "xYWIvY2QrZWYiZ2h5", "ab%2Fcd+ef%22gh",
    ])
    func findsALiteralInEverySpelling(_ spelling: String) {
        let literal = Sanitizer(rules: SanitizerRules(literals: [#"ab/cd+ef"gh"#]), codecs: testCodecs)
        for raw in [
            request("POST", "/", [], body: "before \(spelling) after"),
            request("POST", "/", [("X-Note", "n \(spelling)")]),
            request(
                "POST", "/a/b?n=x", [],
                body: #"{"n":"\#(spelling.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))"}"#),
        ] {
            let shown = literal.shown(raw)
            #expect(!shown.contains(spelling), "\(shown)")
        }
    }

    @Test func findsALiteralThatIsEscapedInQueryFormAndJSON() {
        let literal = Sanitizer(rules: SanitizerRules(literals: ["1/xYz+9==-token"]))
        let shown = literal.shown(
            request(
                "POST", "/k/3?x=1%2FxYz%2B9%3D%3D-token", [("Content-Type", "application/x-www-form-urlencoded")],
                body: "grant_type=x&v=1%2fxYz%2b9%3d%3d-token"))
        #expect(shown.contains("/k/3?x=REDACTED-literal"))
        #expect(shown.contains("v=REDACTED-literal"))
    }

    @Test func writesBase64OfJSONAnew() throws {
        let shown = sanitizer.shown(jsonRequest(#"{"data":"eyJwYXNzd29yZCI6Imh1bnRlcjItaW5uZXIifQ=="}"#))
        let encoded = octets(String(try #require(shown.split(separator: "\"").dropLast().last)))
        let decoded = encoded.withUnsafeBufferPointer { Base64.decode($0, 0..<$0.count) }
        #expect(decoded.map(text) == #"{"password":"REDACTED-password"}"#)
    }

    @Test func differentSecretsOfOneAnswerGetDifferentPlaceholders() {
        let shown = sanitizer.shown(response(#"{"tokens":["first-token","second-token","first-token"]}"#), stem: "s")
        #expect(
            shown.hasSuffix(#"{"tokens":["REDACTED-tokens.s.1","REDACTED-tokens-1.s.1","REDACTED-tokens.s.1"]}"#),
            "\(shown)")
    }

    private static func nested(_ levels: Int) -> String {
        String(repeating: "[", count: levels) + #"{"own":"planted"}"# + String(repeating: "]", count: levels)
    }

    /// Ten thousand levels are read; of a body that is nested deeper nothing is kept.
    @Test func nestingEndsQuicklyAndFailsClosed() {
        let mine = Sanitizer(
            rules: SanitizerRules(extra: [SanitizerRule(id: "mine", kind: .names(SecretNames(exact: ["own"])))]))
        let clock = ContinuousClock()
        var (read, deeper, objects) = ("", "", "")
        let time = clock.measure {
            read = mine.shown(jsonRequest(Self.nested(10_000)))
            deeper = mine.shown(jsonRequest(Self.nested(200_000)))
            objects = mine.shown(jsonRequest(String(repeating: #"{"a":"#, count: 100_000)))
        }
        #expect(read.contains(#"[{"own":"REDACTED-own"}]"#))
        #expect(deeper.hasSuffix("\nREDACTED-body") && objects.hasSuffix("\nREDACTED-body"))
        #expect(time < .seconds(10))
        let inQuery = mine.shown(request("GET", "/?v=" + Self.nested(20_000)))
        #expect(inQuery.hasPrefix("/?v=REDACTED-nested"))
    }

    /// A pattern that others need years for takes time in proportion to the text.
    @Test func aPathologicalPatternEndsQuickly() throws {
        let mine = Sanitizer(
            rules: SanitizerRules(extra: [
                SanitizerRule(id: "mine", kind: .expression(try OctetPattern("(a+)+$|(a|aa)+b|(.*)*x{2,}")))
            ]))
        let text = String(repeating: "a", count: 20_000) + "!"
        let time = ContinuousClock().measure { _ = mine.shown(request("POST", "/", [], body: text)) }
        #expect(time < .seconds(20))
        #expect(throws: PatternError.self) { try OctetPattern("((((a{1,1000}){1,1000}){1,1000}){1,1000})") }
    }

    /// Where places in JSON are secret, a body that says it is JSON and is none is not kept.
    @Test(arguments: [#"{"iban":"planted-value""#, #"{"iban":"planted-value"}]"#, "planted-value"])
    func jsonThatCannotBeReadFailsClosed(_ body: String) {
        for kind in [SanitizerRule.Kind.pointers(["/iban"]), .jsonBut(["/id"])] {
            let mine = Sanitizer(rules: SanitizerRules(extra: [SanitizerRule(id: "mine", kind: kind)]))
            #expect(mine.shown(jsonRequest(body)).hasSuffix("\nREDACTED-body"))
            let lines = mine.shown(jsonRequest("{\"id\":1}\n{\"iban\":\"planted-value\"}\n"))
            #expect(!lines.contains("planted"), "\(lines)")
        }
        #expect(sanitizer.shown(jsonRequest(body)).contains("planted-value"))
    }

    @Test func stringsNestedInStringsAreHiddenWhole() {
        var nested = #"{"password":"planted"}"#
        for _ in 0..<9 {
            let escaped = nested.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            nested = #"{"a":"\#(escaped)"}"#
        }
        #expect(!sanitizer.shown(jsonRequest(nested)).contains("planted"))
    }

    /// What a client sent before the answer that hands it out was stored is named after that answer.
    @Test func anAnswerNamesWhatItHandedOut() throws {
        let fixture = try RecordingFixture()
        let recorder = try fixture.open()
        let login = recorder.begin(RecordingFixture.get("/login"))
        let key = RecordingFixture.get(
            "/items", fields: [("Authorization", "Bearer tok-0123456789"), ("X-Api-Key", "own-key-0123")])
        let items = recorder.begin(key)
        _ = try recorder.store(login, RecordingFixture.ok(#"{"token":"tok-0123456789"}"#))
        // A client's own key that an answer shows keeps the client's name.
        _ = try recorder.store(items, RecordingFixture.ok(#"{"api_key":"own-key-0123"}"#))
        _ = try recorder.finish()
        let all = try fixture.files().values.map { text($0) }.joined()
        #expect(all.contains("Authorization: Bearer REDACTED-token.get-login."), "\(all)")
        #expect(all.contains(#""api_key": "REDACTED-x-api-key""#), "\(all)")
    }

    @Test func aSearchThatWouldTakeTooLongHidesTheBody() {
        let ledger = SecretLedger()
        let secret = String(repeating: "a", count: 4000) + "b"
        _ = sanitizer.shown(jsonRequest(#"{"password":"\#(secret)"}"#), ledger)
        let raw = request("POST", "/", [], body: String(repeating: "a", count: 100_000))
        #expect(sanitizer.shown(raw, ledger).hasSuffix("\nREDACTED-body"))
    }

    @Test func wordsInCookiesAreNotSearchedFor() {
        let ledger = SecretLedger()
        _ = sanitizer.shown(
            response("", [("Set-Cookie", "theme=light-mode-on"), ("Set-Cookie", "sid=0a1b2c3d4e5f6g7h")]), ledger)
        let shown = sanitizer.shown(request("POST", "/", [], body: "light-mode-on 0a1b2c3d4e5f6g7h"), ledger)
        #expect(shown.hasSuffix("light-mode-on REDACTED-sid.get-x.000000.1"), "\(shown)")
    }
}

extension SanitizerTests {
    @Test func whatLogsShowHoldsNoSecret() throws {
        let shown = { (target: String, ledger: SecretLedger?) in
            text(Sanitizer(codecs: testCodecs).shown(target: octets(target), ledger: ledger))
        }
        #expect(shown("/echo/ghp_0123456789abcdefghijABCD/1", nil) == "/echo/REDACTED-secret/1")
        #expect(shown("/api/v1/items/17", nil) == "/api/v1/items/17")
        #expect(shown("/a?token=b", nil) == "/a?token=REDACTED-tokens")
        let ledger = SecretLedger()
        _ = Sanitizer().shown(response(#"{"token":"tok-0123"}"#), ledger)
        #expect(shown("/t/tok-0123/x", ledger) == "/t/REDACTED-secret/x")
        let place = SecretPlace(
            method: "POST", path: "/u/{secret}", location: SecretLocation(side: .request, part: .path))
        let placed = Sanitizer(rules: SanitizerRules(secretPlaces: [place]))
        #expect(text(placed.shown(target: octets("/u/abc"))) == "/u/REDACTED-secret-places")
    }
}
