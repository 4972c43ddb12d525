import HTTPCore
import Testing

@testable import CassetteKit

/// Rules of a user's own: places, regular expressions, what is kept alone, and what becomes of values.
@Suite struct SanitizerUserRuleTests {
    private func sanitizer(_ rules: SanitizerRule...) -> Sanitizer {
        Sanitizer(rules: SanitizerRules(extra: rules), codecs: testCodecs)
    }

    private func names(_ names: String..., action: SanitizerRule.Action = .placeholder) -> SanitizerRule {
        SanitizerRule(id: "mine", kind: .names(SecretNames(exact: names)), action: action)
    }

    /// The body as it is stored; its key and that of the request are the same, and a second time changes nothing.
    private func stored(_ sanitizer: Sanitizer, _ raw: RawRequest) -> RawRequest {
        let clean = sanitizer.request(raw, ledger: SecretLedger()).message
        let matcher = Matcher(sanitizer: sanitizer, rules: MatchRules(headers: ["X-Order", "X-Other"]))
        #expect(matcher.key(of: clean) == matcher.key(of: raw))
        let twice = sanitizer.request(clean, ledger: SecretLedger())
        #expect(twice.message.target == clean.target && twice.message.body == clean.body)
        #expect(twice.message.fields == clean.fields)
        #expect(twice.hidden.isEmpty, "\(twice.hidden)")
        return clean
    }

    @Test func aUsersRuleBeatsADefaultOfTheSameName() {
        let mine = sanitizer(names("password", action: .fixed("hunter2")))
        #expect(stored(mine, jsonRequest(#"{"password":"planted"}"#)).body.map(text) == #"{"password":"hunter2"}"#)
    }

    @Test func patternsHideTheirGroupsOrTheWhole() throws {
        let mine = sanitizer(
            SanitizerRule(id: "orders", kind: .expression(try OctetPattern("order-(\\d{4,})"))),
            SanitizerRule(id: "badges", kind: .expression(try OctetPattern("\\bBADGE[0-9A-F]{6}\\b"))))
        var raw = request(
            "POST", "/o/order-12345?b=BADGE0A1B2C", [("X-Order", "see order-99887, BADGEX")],
            body: #"{"t":"order-12 order-34567 and BADGEFFFFFF"}"#)
        raw.fields.append("Content-Type", "application/json")
        let clean = stored(mine, raw)
        #expect(text(clean.target) == "/o/order-REDACTED-orders?b=REDACTED-badges")
        #expect(clean.fields.text("X-Order") == "see order-REDACTED-orders, BADGEX")
        #expect(clean.body.map(text) == #"{"t":"order-12 order-REDACTED-orders and REDACTED-badges"}"#)
    }

    @Test func keepsOnlyTheNamedFields() {
        let mine = sanitizer(SanitizerRule(id: "keepOnly", kind: .headersBut(["Accept"])))
        let raw = request(
            "GET", "/",
            [("Accept", "a/b"), ("X-Other", "value"), ("Content-Type", "x/y"), ("Authorization", "Bearer t")])
        let clean = stored(mine, raw)
        #expect(
            (0..<clean.fields.count).map { text(clean.fields.line(at: $0)) } == [
                "Accept: a/b", "X-Other: REDACTED-x-other", "Content-Type: x/y",
                "Authorization: Bearer REDACTED-authorization",
            ])
    }

    @Test func keepsOnlyTheNamedPlacesOfJSON() {
        let mine = sanitizer(SanitizerRule(id: "keepOnly", kind: .jsonBut(["/items/*/id", "/meta"])))
        let raw = jsonRequest(#"{"items":[{"id":7,"name":"Ann","n":5,"ok":true}],"meta":{"a":{"b":"c"}},"x":"y"}"#)
        #expect(
            stored(mine, raw).body.map(text)
                == #"{"items":[{"id":7,"name":"REDACTED-name","n":0,"ok":true}],"meta":{"a":{"b":"c"}},"x":"REDACTED-x"}"#
        )
        // What is hidden for not being named is not looked for elsewhere.
        let shown = mine.shown(request("GET", "/Annabelle1"), SecretLedger())
        #expect(shown.hasPrefix("/Annabelle1"))
    }
}
