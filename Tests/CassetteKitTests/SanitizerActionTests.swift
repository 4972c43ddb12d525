import HTTPCore
import Testing

@testable import CassetteKit

/// Every action of every kind of rule, in every place that the kind has. What is stored has the key of what was sent and of what
/// another client sends, and sanitizing it again changes nothing.
@Suite struct SanitizerActionTests {
    private typealias Action = SanitizerRule.Action
    private static let multipart = "multipart/form-data; boundary=b"

    private func sanitizer(_ kind: SanitizerRule.Kind, _ action: SanitizerRule.Action) -> Sanitizer {
        Sanitizer(
            rules: SanitizerRules(extra: [SanitizerRule(id: "mine", kind: kind, action: action)]), codecs: testCodecs)
    }

    private func stored(_ sanitizer: Sanitizer, _ raw: RawRequest, other: RawRequest? = nil) -> RawRequest {
        let clean = sanitizer.request(raw, ledger: SecretLedger()).message
        let matcher = Matcher(sanitizer: sanitizer, rules: MatchRules(headers: ["X-Own", "Cookie"]))
        #expect(matcher.key(of: clean) == matcher.key(of: raw))
        if let other { #expect(matcher.key(of: other) == matcher.key(of: raw)) }
        let twice = sanitizer.request(clean, ledger: SecretLedger())
        #expect(twice.message.target == clean.target && twice.message.body == clean.body)
        #expect(twice.message.fields == clean.fields)
        #expect(twice.hidden.isEmpty, "\(twice.hidden)")
        return clean
    }

    private func lines(_ fields: Fields) -> [String] { (0..<fields.count).map { text(fields.line(at: $0)) } }

    // MARK: Values under a name

    private static func named(_ parts: SecretNames.Parts) -> SanitizerRule.Kind {
        .names(SecretNames(exact: ["own", "x-own"], parts: parts))
    }

    @Test(arguments: [
        (SanitizerRule.Action.placeholder, ["X-Own: REDACTED-x-own", "X-Other: a"]),
        (.link, ["X-Own: REDACTED-x-own", "X-Other: a"]), (.fixed("c-1"), ["X-Own: c-1", "X-Other: a"]),
        (.keepShape, ["X-Own: Xx-0000", "X-Other: a"]), (.remove, ["X-Other: a"]),
    ])
    func inFields(_ action: SanitizerRule.Action, _ expected: [String]) {
        let mine = sanitizer(Self.named(.fields), action)
        let given = { (value: String) in request("GET", "/", [("X-Own", value), ("X-Other", "a")]) }
        #expect(lines(stored(mine, given("Ab-1234"), other: given("Zy-98")).fields) == expected)
    }

    @Test(arguments: [
        (SanitizerRule.Action.placeholder, "/a?own=REDACTED-own&x=1"), (.link, "/a?own=REDACTED-own&x=1"),
        (.fixed("c&1"), "/a?own=c%261&x=1"), (.keepShape, "/a?own=Xx-0000&x=1"), (.remove, "/a?x=1"),
    ])
    func inQueriesAndForms(_ action: SanitizerRule.Action, _ expected: String) {
        let mine = sanitizer(Self.named([.query, .form]), action)
        #expect(
            text(stored(mine, request("GET", "/a?own=Ab-1234&x=1"), other: request("GET", "/a?own=q&x=1")).target)
                == expected)
        let form = stored(mine, formRequest("own=Ab-1234&x=1"), other: formRequest("own=q&x=1"))
        #expect("/a?" + text(form.body ?? []) == expected)
    }

    @Test func takesOutItemsWithTheirSeparators() {
        let mine = sanitizer(Self.named([.query, .form]), .remove)
        for (given, expected) in [
            ("/a?own=1", "/a"), ("/a?own=1&own=2", "/a"), ("/a?x=1&own=2", "/a?x=1"),
            ("/a?x=1&own=2&y=3", "/a?x=1&y=3"),
            ("/a?own&x", "/a?x"), ("/a?own=&own&x=1&own=2", "/a?x=1"), ("/a?%6Fwn=1&x=1", "/a?x=1"),
        ] {
            #expect(text(stored(mine, request("GET", given)).target) == expected)
        }
        #expect(stored(mine, formRequest("own=1")).body == [])
    }

    @Test(arguments: [
        (SanitizerRule.Action.placeholder, "a=1; own=REDACTED-own; b=2"), (.link, "a=1; own=REDACTED-own; b=2"),
        (.fixed("c-1"), "a=1; own=c-1; b=2"), (.keepShape, "a=1; own=Xx-0000; b=2"), (.remove, "a=1; b=2"),
    ])
    func inCookies(_ action: SanitizerRule.Action, _ expected: String) {
        let rules = SanitizerRules(
            off: ["cookies"], extra: [SanitizerRule(id: "mine", kind: Self.named(.cookies), action: action)])
        let mine = Sanitizer(rules: rules, codecs: testCodecs)
        let given = request("GET", "/", [("Cookie", "a=1; own=Ab-1234; b=2")])
        #expect(lines(stored(mine, given).fields) == ["Cookie: \(expected)"])
        let set = response("", [("Set-Cookie", "own=Ab-1234; Path=/"), ("X", "y")])
        let shown = mine.shown(set)
        switch action {
        case .remove: #expect(!shown.contains("Set-Cookie") && shown.contains("X: y"))
        case .fixed: #expect(shown.contains("Set-Cookie: own=c-1; Path=/"))
        case .keepShape: #expect(shown.contains("Set-Cookie: own=Xx-0000; Path=/"))
        default: #expect(shown.contains("Set-Cookie: own=REDACTED-own.get-x.000000.1; Path=/"))
        }
        if action == .remove { #expect(lines(stored(mine, request("GET", "/", [("Cookie", "own=1")])).fields) == []) }
    }

    @Test(arguments: [
        (SanitizerRule.Action.placeholder, #"{"a":[{"own":"REDACTED-own","n":1}],"own":990000000000000}"#),
        (.link, #"{"a":[{"own":"REDACTED-own","n":1}],"own":990000000000000}"#),
        (.fixed(#"c"1"#), #"{"a":[{"own":"c\"1","n":1}],"own":990000000000000}"#),
        (.fixed("7"), #"{"a":[{"own":"7","n":1}],"own":7}"#),
        (.keepShape, #"{"a":[{"own":"Xx-0000","n":1}],"own":-10.0}"#), (.remove, #"{"a":[{"n":1}]}"#),
    ])
    func inJSON(_ action: SanitizerRule.Action, _ expected: String) {
        let number = text(SecretPlaceholder.number("own"))
        let given = { (value: String) in jsonRequest(#"{"a":[{"own":"\#(value)","n":1}],"own":-47.1}"#) }
        let shown = stored(sanitizer(Self.named(.json), action), given("Ab-1234"), other: given("q")).body.map(text)
        #expect(shown == expected.replacing("990000000000000", with: number))
        let pointers = sanitizer(.pointers(["/a/*/own", "/own"]), action)
        let byPointer = stored(pointers, given("Ab-1234"), other: given("q")).body.map(text)
        #expect(byPointer == expected.replacing("990000000000000", with: number))
    }

    private static let members: [(String, String)] = [
        (#"{"own":1}"#, "{}"), (#"{ "own" : 1 , "b" : 2 }"#, #"{ "b" : 2 }"#),
        (#"{"b":2,"own":[1,{"c":2}]}"#, #"{"b":2}"#),
        (#"{"own":null,"own":true,"b":{"own":{}}}"#, #"{"b":{}}"#), ("{\n  \"own\": 1\n}", "{}"),
        ("{\n  \"a\": 1,\n  \"own\": \"x\"\n}", "{\n  \"a\": 1\n}"),
        (#"{"a":"{\"own\":1,\"b\":2}"}"#, #"{"a":"{\"b\":2}"}"#),
    ]

    @Test(arguments: members)
    func takesOutMembersWithTheirSeparators(_ given: String, _ expected: String) {
        #expect(stored(sanitizer(Self.named([.json, .below]), .remove), jsonRequest(given)).body.map(text) == expected)
    }

    private static let elements: [(String, String, String)] = [
        ("[1,2,3]", "/1", "[1,3]"), ("[1,2,3]", "/*", "[]"), (#"{"a":[{"b":1},{"b":2}]}"#, "/a/0", #"{"a":[{"b":2}]}"#),
        (#"{"a":[ 1 , 2 ]}"#, "/a/0", #"{"a":[ 2 ]}"#), (#"{"a":[1,2]}"#, "/a/*", #"{"a":[]}"#),
    ]

    @Test(arguments: elements)
    func takesOutElements(_ given: String, _ pointer: String, _ expected: String) {
        let clean = sanitizer(.pointers([pointer]), .remove).request(jsonRequest(given), ledger: SecretLedger())
        #expect(clean.message.body.map(text) == expected)
        #expect(!clean.hidden.isEmpty)
    }

    private static let parts: [(SanitizerRule.Action, String?)] = [
        (.placeholder, "REDACTED-own"), (.link, "REDACTED-own"), (.fixed("c-1"), "c-1"), (.keepShape, "Xx-0000"),
        (.remove, nil),
    ]

    @Test(arguments: parts)
    func inMultipart(_ action: SanitizerRule.Action, _ expected: String?) {
        func part(_ name: String, _ value: String) -> String {
            "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        let given = { (value: String) in
            request(
                "POST", "/", [("Content-Type", Self.multipart)],
                body: part("a", "1") + part("own", value) + part("c", "2") + "--b--\r\n")
        }
        let clean = stored(sanitizer(Self.named(.form), action), given("Ab-1234"), other: given("q"))
        let own = expected.map { part("own", $0) } ?? ""
        #expect(clean.body.map(text) == part("a", "1") + own + part("c", "2") + "--b--\r\n")
    }

    @Test(arguments: [
        (SanitizerRule.Action.placeholder, "/u/REDACTED-path/x?q=1"), (.link, "/u/REDACTED-path/x?q=1"),
        (.fixed("c 1"), "/u/c%201/x?q=1"), (.keepShape, "/u/Xx-0000/x?q=1"), (.remove, "/u/x?q=1"),
    ])
    func inPaths(_ action: SanitizerRule.Action, _ expected: String) {
        let mine = sanitizer(.pathSegments(["/u/{id}/x"]), action)
        let clean = mine.request(request("GET", "/u/Ab-1234/x?q=1"), ledger: SecretLedger()).message
        #expect(text(clean.target) == expected)
        let matcher = Matcher(sanitizer: mine)
        #expect(matcher.key(of: clean) == matcher.key(of: request("GET", "/u/Ab-1234/x?q=1")))
        #expect(matcher.key(of: clean) == matcher.key(of: request("GET", "/u/other/x?q=1")))
    }

    @Test(arguments: [
        (SanitizerRule.Action.placeholder, "<own>REDACTED-own</own> own=REDACTED-own;"),
        (.link, "<own>REDACTED-own</own> own=REDACTED-own;"), (.fixed("c-1"), "<own>c-1</own> own=c-1;"),
        (.keepShape, "<own>Xx-0000</own> own=Xx-0000;"), (.remove, "<own></own> own=;"),
    ])
    func inText(_ action: SanitizerRule.Action, _ expected: String) {
        let mine = sanitizer(Self.named(.text), action)
        let raw = request("POST", "/", [], body: "<own>Ab-1234</own> own=Ab-1234;")
        #expect(mine.request(raw, ledger: SecretLedger()).message.body.map(text) == expected)
    }

    // MARK: Values by what they are

    @Test(arguments: [
        (SanitizerRule.Action.placeholder, "order-REDACTED-mine"), (.link, "order-REDACTED-mine"),
        (.fixed("c-1"), "order-c-1"), (.keepShape, "order-000000"), (.remove, "order-"),
    ])
    func ofPatterns(_ action: SanitizerRule.Action, _ expected: String) throws {
        let mine = sanitizer(.expression(try OctetPattern("order-(\\d{6})")), action)
        let given = { (value: String) in
            request(
                "POST", "/o/\(value)?o=\(value)", [("X-Own", "see \(value)")],
                body: #"{"t":"a \#(value) b","u":"\#(value)"}"#)
        }
        let clean = stored(mine, given("order-123456"), other: given("order-654321"))
        #expect(text(clean.target) == "/o/\(expected)?o=\(expected)")
        #expect(clean.fields.text("X-Own") == "see \(expected)".replacing("- ", with: "-"))
        #expect(clean.body.map(text) == #"{"t":"a \#(expected) b","u":"\#(expected)"}"#)
    }

    /// The built-in rules that look at values, with another action.
    @Test(arguments: [
        ("email-addresses", "ada@corp.io"), ("github-tokens", "ghp_0123456789abcdefghijABCDEFGHIJ"),
        ("card-numbers", "4111 1111 1111 1111"), ("userinfo", "https://ada:hunter2@a.test/"),
        ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"),
    ])
    func ofBuiltInShapes(_ id: String, _ value: String) {
        for action in [SanitizerRule.Action.fixed("c-1"), .keepShape, .remove, .link] {
            let rules = SanitizerRules(changes: [SanitizerChange(id: id, action: action)])
            let mine = Sanitizer(rules: rules, codecs: testCodecs)
            let clean = mine.request(jsonRequest(#"{"t":"a \#(value) b"}"#), ledger: SecretLedger())
            let shown = clean.message.body.map(text) ?? ""
            #expect(!shown.contains(value), "\(action)")
            #expect(clean.hidden.map(\.rule).contains(id) || clean.hidden.isEmpty == false)
            switch action {
            case .fixed: #expect(shown.contains("c-1"))
            case .link: #expect(shown.contains("REDACTED-") || shown.contains("eyJ"))
            default: break
            }
        }
    }

    @Test func aBuiltInRuleLeavesNamesAlone() {
        let rules = SanitizerRules(changes: [
            SanitizerChange(id: "tokens", except: ["device_token"]), SanitizerChange(id: "cookies", except: ["theme"]),
            SanitizerChange(id: "authorization", except: ["Authentication"]),
        ])
        let mine = Sanitizer(rules: rules, codecs: testCodecs)
        let shown = mine.shown(
            request(
                "POST", "/?deviceToken=a&token=b", [("Cookie", "theme=dark; sid=x"), ("Authentication", "open")],
                body: #"{"device_token":"c","push_token":"d"}"#))
        #expect(shown.contains("/?deviceToken=a&token=REDACTED-token"), "\(shown)")
        #expect(shown.contains("theme=dark; sid=REDACTED-sid") && shown.contains("Authentication: open"), "\(shown)")
        #expect(shown.contains(#"{"device_token":"c","push_token":"REDACTED-push_token"}"#), "\(shown)")
    }

    /// A rule for one part says nothing about another.
    @Test func aFieldsRuleLeavesTheDefaultsOfOtherParts() {
        let mine = sanitizer(.names(SecretNames(exact: ["token"], parts: .fields)), .keepShape)
        let shown = mine.shown(request("GET", "/?token=secret", [("Token", "abc1")]))
        #expect(shown.contains("/?token=REDACTED-token\nToken: xxx0"), "\(shown)")
    }

    /// A value that was taken out or changed at its place is hidden where else it turns up.
    @Test(arguments: [SanitizerRule.Action.remove, .fixed("c-1"), .keepShape])
    func followsWhatItChanged(_ action: SanitizerRule.Action) {
        let mine = sanitizer(Self.named(.json), action)
        let ledger = SecretLedger()
        _ = mine.shown(response(#"{"own":"Abcd-12345678"}"#), ledger)
        let later = mine.shown(request("GET", "/x/Abcd-12345678?q=Abcd-12345678"), ledger)
        #expect(!later.contains("Abcd"), "\(later)")
    }
}
