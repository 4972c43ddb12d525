import HTTPCore
import Testing

@testable import CassetteKit

/// Which requests are the same and which are not.
@Suite struct MatchKeyTests {
    private let matcher = Matcher(sanitizer: Sanitizer(codecs: testCodecs))

    private func key(_ raw: RawRequest, _ rules: MatchRules = MatchRules()) -> MatchKey {
        Matcher(sanitizer: Sanitizer(codecs: testCodecs), rules: rules).key(of: raw)
    }

    @Test(arguments: [
        ("/a", "/a?"), ("/%7Ea", "/~a"), ("/%2fa", "/%2Fa"), ("/a?x=1&y=2", "/a?y=2&x=1"),
        ("/a?x=1&x=2&y=3", "/a?y=3&x=1&x=2"), ("/a?x=%2f", "/a?x=%2F"), ("/a?%61=1", "/a?a=1"),
        ("/a?token=one", "/a?token=two"), ("/a?token=one", "/a?token=REDACTED-token"),
        ("/a?token=one", "/a?token=REDACTED-access_token.post-login.77ab01.1"),
        ("/a/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln", "/a/REDACTED-jwt"),
        ("/a/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln", "/a/REDACTED-token.post-login.77ab01.1"),
        ("/g?query=%7B%20a%20%7D", "/g?query=%7Ba%7D"),
        ("/g?query={a}&variables={\"b\":1.0,\"a\":2}", "/g?query={a}&variables={\"a\":2,\"b\":1}"),
        ("/cb?code=1&state=x", "/cb?state=x&code=REDACTED-code"),
        ("/a?key=AIzaabc0123456789xyz", "/a?key=REDACTED-key"),
    ])
    func targetsThatAreEqual(_ left: String, _ right: String) {
        #expect(key(request("GET", left)) == key(request("GET", right)))
    }

    @Test(arguments: [
        ("/a", "/b"), ("/a", "/a/"), ("/a//b", "/a/b"), ("/a/./b", "/a/b"), ("/a%2Fb", "/a/b"), ("/A", "/a"),
        ("/a?x", "/a?x="), ("/a?x=1", "/a?x=2"), ("/a?x=1&x=2", "/a?x=2&x=1"), ("/a?x=1", "/a?x=1&x=1"),
        ("/a?x=1", "/a?x=1&y"),
        ("/a?x=a+b", "/a?x=a%20b"), ("/a?x=1&y=2", "/a?x=1y&=2"), ("/a?xy=z", "/a?x=yz"), ("/a?x=1", "/a/x=1"),
        ("/a?token=one", "/a?secret=one"), ("/a?token=one", "/a?token="), ("/g?query={a}", "/g?query={b}"),
        ("/a?page_token=1", "/a?page_token=2"), ("/a?code=1", "/a?code=2"),
    ])
    func targetsThatDiffer(_ left: String, _ right: String) {
        #expect(key(request("GET", left)) != key(request("GET", right)))
    }

    @Test(arguments: [
        (#"{"a":1,"b":2}"#, #"{ "b" : 2, "a" : 1 }"#), ("1.0", "1"), ("1", "1e0"), ("100", "1E+2"), ("0.10", "1e-1"),
        ("-0", "0"), ("0.0e99", "0"), ("1e400", "10e399"), ("1e400", "0.1e401"), ("-12.50", "-125e-1"),
        ("1e99999999999999999999", "10e99999999999999999998"), ("1e-99999999999999999999", "0.1e-99999999999999999998"),
        ("1e100000000000000000000", "10e99999999999999999999"), (#""\u0041""#, #""A""#), (#""\/""#, #""/""#),
        (#""\ud83d\ude00""#, #""😀""#), (#"{"\u0061":1}"#, #"{"a":1}"#), ("[ ]", "[]"),
        (#"{"a":{"y":1,"x":[1,{"d":1,"c":2}]}}"#, #"{"a":{"x":[1.0,{"c":2,"d":1}],"y":1}}"#),
        (#"{"password":"a"}"#, #"{"password":"b"}"#), (#"{"pin":1234}"#, #"{"pin":0}"#),
        (#"{"t":"x ghp_0123456789abcdefghijABCDEFGHIJ012345 y"}"#, #"{"t":"x REDACTED-token.post-a.000000.1 y"}"#),
        (
            #"{"query":"query A { a,b }","variables":{"x":1}}"#,
            #"{"variables":{"x":1},"query":"query A{\n  a # c\n  b\n}"}"#
        ),
        (#"[{"query":"{ a }"}]"#, #"[{"query":"{a}"}]"#),
        (
            #"{"query":"{a}","extensions":{"persistedQuery":{"version":1,"sha256Hash":"h1"}}}"#,
            #"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"h1"}}}"#
        ),
        (
            #"{"data":"eyJwYXNzd29yZCI6Imh1bnRlcjItaW5uZXIifQ=="}"#,
            #"{"data":"eyJwYXNzd29yZCI6IlJFREFDVEVELXBhc3N3b3JkIn0="}"#
        ),
    ])
    func jsonBodiesThatAreEqual(_ left: String, _ right: String) {
        #expect(key(jsonRequest(left)) == key(jsonRequest(right)))
    }

    @Test(arguments: [
        ("[1,2]", "[2,1]"), (#""foo""#, "foo"), ("null", #""null""#), ("1e400", "1e401"), ("1", "2"), ("1", #""1""#),
        ("9007199254740993", "9007199254740992"), ("0.1", "0.10000000000000001"),
        ("1e99999999999999999999", "1e99999999999999999998"),
        ("1", "-1"), ("true", "false"), ("[]", "{}"), ("[[]]", "[]"), (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#),
        (#"{"a":1,"a":2}"#, #"{"a":2}"#), (#"{"a":null}"#, "{}"), (#"["a","b"]"#, #"["a\",\"b"]"#),
        (#"["ab"]"#, #"["a","b"]"#),
        (#""\ud83d""#, #""\ud83e""#), (#"{"password":"a"}"#, #"{"secret":"a"}"#), (#"{"password":"a"}"#, "{}"),
        (#"{"query":"{a b}"}"#, #"{"query":"{ab}"}"#),
        (#"{"query":"{a(x:\"1 2\")}"}"#, #"{"query":"{a(x:\"1  2\")}"}"#),
        (#"{"query":"some words"}"#, #"{"query":"some  words"}"#),
        (#"{"operationName":"A","query":"{a}"}"#, #"{"operationName":"B","query":"{a}"}"#),
        (
            #"{"extensions":{"persistedQuery":{"sha256Hash":"h1"}}}"#,
            #"{"extensions":{"persistedQuery":{"sha256Hash":"h2"}}}"#
        ),
        (#"{"a":1"#, #"{"a":1 "#),
    ])
    func jsonBodiesThatDiffer(_ left: String, _ right: String) {
        #expect(key(jsonRequest(left)) != key(jsonRequest(right)))
    }

    @Test(arguments: [
        ("q=a+b&tag=a&tag=b", "tag=a&q=a%20b&tag=b"), ("password=x&a=1", "a=1&password=y"), ("a=%41", "a=A"),
    ])
    func formsThatAreEqual(_ left: String, _ right: String) {
        #expect(key(formRequest(left)) == key(formRequest(right)))
    }

    @Test(arguments: [("tag=a&tag=b", "tag=b&tag=a"), ("a", "a="), ("a=1", "a=2"), ("a=1&b=2", "a=1%26b=2")])
    func formsThatDiffer(_ left: String, _ right: String) {
        #expect(key(formRequest(left)) != key(formRequest(right)))
    }

    private func multipart(_ boundary: String, _ last: UInt8 = 0xFF, quoted: Bool = false) -> RawRequest {
        var body = octets("--\(boundary)\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\n42\r\n--\(boundary)\r\n")
        body += octets(
            "Content-Disposition: form-data; name=\"f\"; filename=\"p.png\"\r\nContent-Type: image/png\r\n\r\n")
        body += [0x89, 0x50, 0x0D, 0x0A, 0x00, last] + octets("\r\n--\(boundary)--\r\n")
        let parameter = quoted ? "\"\(boundary)\"" : boundary
        var raw = request("POST", "/", [("Content-Type", "multipart/form-data; boundary=\(parameter)")])
        raw.body = body
        return raw
    }

    @Test func multipartCountsByItsParts() {
        #expect(key(multipart("----b111")) == key(multipart("----zz9Q", quoted: true)))
        #expect(key(multipart("----b111")) != key(multipart("----b111", 0xFE)))
    }

    @Test func theRestOfTheRequestCounts() {
        let plain = request("GET", "/a")
        #expect(key(plain) != key(request("HEAD", "/a")))
        #expect(key(plain) == key(request("GET", "/a", [("Authorization", "Bearer x"), ("Accept", "*/*")])))
        var other = plain
        other.authority = Authority(host: "api.example.test", port: 443)
        #expect(key(plain) == key(other))
        other.authority = Authority(host: "api.example.test", port: 444)
        #expect(key(plain) != key(other))
        other = plain
        other.scheme = "http"
        #expect(key(plain) != key(other))
        #expect(key(request("POST", "/a", body: "x")) != key(request("POST", "/a")))
        #expect(key(request("POST", "/a", body: "")) == key(request("POST", "/a")))
    }

    @Test func parametersOfTheTypeDoNotCount() {
        let left = request("POST", "/", [("Content-Type", "application/json")], body: "{ }")
        let right = request("POST", "/", [("Content-Type", "application/vnd.x+json; charset=utf-8")], body: "{}")
        #expect(key(left) == key(right))
        let text = request("POST", "/", [("Content-Type", "text/plain")], body: "{ }")
        #expect(key(text) != key(request("POST", "/", [("Content-Type", "text/plain")], body: "{}")))
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"])
    func bodiesCountDecoded(_ coding: String) throws {
        let plain = jsonRequest(#"{"a":1}"#)
        var coded = plain
        let spaced: Bytes = try #require(testCodecs.encode(coding, octets(#"{ "a": 1.0 }"#)))
        coded.body = spaced
        coded.fields.append("Content-Encoding", coding)
        #expect(key(plain) == key(coded))
    }

    @Test func rulesTakePartsOut() {
        #expect(
            key(request("GET", "/a?t=1&x=1"), MatchRules(ignoreQuery: ["t"]))
                == key(request("GET", "/a?x=1"), MatchRules(ignoreQuery: ["t"])))
        let body = MatchRules(ignoreBody: ["/a/*/id", "/t", "/n/1"])
        #expect(
            key(jsonRequest(#"{"t":1,"a":[{"id":1,"v":1},{"id":2}],"n":[1,2]}"#), body)
                == key(jsonRequest(#"{"a":[{"v":1},{"id":[3]}],"t":{"x":1},"n":[1,3]}"#), body))
        #expect(key(jsonRequest(#"{"a":[{"v":1}]}"#), body) != key(jsonRequest(#"{"a":[{"v":2}]}"#), body))
        #expect(key(formRequest("t=1&a=2"), body) == key(formRequest("a=2"), body))
        let ignore = MatchRules(body: .ignore)
        #expect(key(jsonRequest("1"), ignore) == key(jsonRequest("2"), ignore))
        let exact = MatchRules(body: .exact)
        #expect(key(jsonRequest("1"), exact) != key(jsonRequest("1.0"), exact))
        #expect(key(jsonRequest("12"), MatchRules(maxBody: 1)) != key(jsonRequest("12.0"), MatchRules(maxBody: 1)))
        let operation = MatchRules(graphQL: .operation)
        let left = #"{"operationName":"A","query":"{a}","variables":{}}"#
        #expect(key(jsonRequest(left), operation) == key(jsonRequest(left.replacing("{a}", with: "{b}")), operation))
    }

    @Test func rulesTakeFieldsIn() {
        let rules = MatchRules(headers: ["Accept-Language", "authorization"])
        func raw(_ language: String, _ token: String) -> RawRequest {
            request("GET", "/", [("accept-language", language), ("Authorization", "Bearer \(token)")])
        }
        #expect(key(raw("en", "one"), rules) == key(raw("en", "two"), rules))
        #expect(key(raw("en", "one"), rules) != key(raw("fr", "one"), rules))
        #expect(key(raw("en", "one"), rules) != key(request("GET", "/", [("Accept-Language", "en")]), rules))
    }

    /// A request keeps its key when it is sanitized and stored.
    @Test func aRecordedRequestHasTheKeyOfItsOriginal() throws {
        let ledger = SecretLedger()
        let sanitizer = Sanitizer(rules: SanitizerRules(literals: ["planted-literal"]), codecs: testCodecs)
        let matcher = Matcher(sanitizer: sanitizer, rules: MatchRules(headers: ["X-Api-Key", "X-Note"]))
        let raws = [
            jsonRequest(
                #"{"password":"x","pin":4711,"note":"a planted-literal b","b":"{\"token\":\"t\"}"}"#,
                "/a?sig=1&n=planted%2Dliteral"),
            request(
                "POST", "/x/planted-literalmore", [("X-Api-Key", "k"), ("X-Note", "cGxhbnRlZC1saXRlcmFs")],
                body: "password=x&y=1"),
            formRequest("client_secret=a&code=b&grant_type=authorization_code&u=https%3A%2F%2Fa%3Ab%40c.test"),
            request(
                "POST", "/", [], body: "xcGxhbnRlZC1saXRlcmFsx eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl-x"),
        ]
        for raw in raws {
            let clean = sanitizer.request(raw, ledger: ledger).message
            let content = clean.body.map { RecordedBody(.base64($0)) }
            let recorded = RecordedRequest(
                method: clean.method, scheme: clean.scheme, authority: clean.authority, target: clean.target,
                fields: clean.fields, body: content)
            #expect(
                try matcher.key(of: recorded) == matcher.key(of: raw),
                "\(text(clean.target)) \(content.debugDescription)")
            #expect(matcher.key(of: clean) == matcher.key(of: raw))
        }
    }

    @Test func aSecretPlaceCountsByItsRule() {
        let place = SecretPlace(
            method: "GET", path: "/u/*/{secret}", location: SecretLocation(side: .request, part: .path))
        let matcher = Matcher(sanitizer: Sanitizer(rules: SanitizerRules(secretPlaces: [place])))
        #expect(matcher.key(of: request("GET", "/u/1/abc")) == matcher.key(of: request("GET", "/u/1/REDACTED-x")))
        #expect(matcher.key(of: request("GET", "/u/1/abc")) != matcher.key(of: request("GET", "/u/2/abc")))
        #expect(matcher.key(of: request("POST", "/u/1/abc")) != matcher.key(of: request("POST", "/u/1/abd")))
    }

    @Test func nameDigitsIgnoreTheUsersRules() {
        let raw = request("GET", "/a?t=1")
        let loose = Matcher(sanitizer: Sanitizer(), rules: MatchRules(ignoreQuery: ["t"]))
        #expect(loose.nameDigits(of: raw) == Matcher(sanitizer: Sanitizer()).nameDigits(of: raw))
        #expect(loose.nameDigits(of: raw).count == 64)
        #expect(loose.nameDigits(of: raw) != loose.nameDigits(of: request("GET", "/a?t=2")))
    }
}
