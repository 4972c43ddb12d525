import HTTPCore
import Testing

@testable import CassetteKit

/// Every default rule with something that it hides, and something near that it leaves.
@Suite struct SanitizerRuleTests {
    private let sanitizer = Sanitizer(codecs: testCodecs)
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"
    /// The token that stands for it: `{"exp":4102444800,"jti":"REDACTED-jwt"}`, not signed.
    private static let openJWT =
        "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJleHAiOjQxMDI0NDQ4MDAsImp0aSI6IlJFREFDVEVELWp3dCJ9."

    @Test(arguments: [
        ("Authorization", "Bearer abc.def", "Bearer REDACTED-authorization"),
        ("authorization", "basic  c3ZjLXVzZXI6cEBzczp3MHJkIQ==", "basic  REDACTED-authorization"),
        ("Authorization", "hunter2 and more", "REDACTED-authorization"),
        ("Proxy-Authorization", "Token token=abc", "Token token=REDACTED-proxy-authorization"),
        (
            "Authorization", #"Digest username="ann", realm="r, s", nonce="n1", uri="/a", response="6629", nc=1"#,
            #"Digest username="ann", realm="r, s", nonce="REDACTED-authorization", uri="/a", response="REDACTED-authorization", nc=1"#
        ),
        (
            "Authorization",
            "AWS4-HMAC-SHA256 Credential=AK1/20130524/us/s3/aws4_request, SignedHeaders=host;range, Signature=fe5f80",
            "AWS4-HMAC-SHA256 Credential=REDACTED-authorization, SignedHeaders=host;range, Signature=REDACTED-authorization"
        ),
        ("Cookie", "sid=abc; theme=\"dark\"; empty=", "sid=REDACTED-sid; theme=\"REDACTED-theme\"; empty="),
        ("X-Api-Key", "k", "REDACTED-x-api-key"),
        ("X-Auth-Token", "k", "REDACTED-x-auth-token"),
        ("X-CSRF-Token", "k", "REDACTED-x-csrf-token"),
        ("X-XSRF-Token", "k", "REDACTED-x-xsrf-token"),
        ("Api-Key", "k", "REDACTED-api-key"),
        ("Apikey", "k", "REDACTED-apikey"),
        ("X-Amz-Security-Token", "k", "REDACTED-x-amz-security-token"),
        ("X-Goog-Api-Key", "k", "REDACTED-x-goog-api-key"),
        ("X-Access-Token", "k", "REDACTED-x-access-token"),
        ("X-Session-Token", "k", "REDACTED-x-session-token"),
        ("X-Refresh-Token", "k", "REDACTED-x-refresh-token"),
        ("Private-Token", "k", "REDACTED-private-token"),
        ("Authentication", "Bearer k", "Bearer REDACTED-authentication"),
        ("Ocp-Apim-Subscription-Key", "k", "REDACTED-ocp-apim-subscription-key"),
        (
            "Referer", "https://a.test/?access_token=abc&x=1#id_token=d",
            "https://a.test/?access_token=REDACTED-access_token&x=1#id_token=REDACTED-id_token"
        ),
        ("Referer", "https://ann:pw@a.test/", "https://REDACTED-userinfo@a.test/"),
        ("Link", "<https://a.test/?sig=abc>; rel=next", "<https://a.test/?sig=REDACTED-sig>; rel=next"),
        ("X-Note", "see \(jwt) there", "see \(openJWT) there"),
    ])
    func hidesInFields(_ name: String, _ value: String, _ expected: String) {
        let fields = sanitizer.request(request("GET", "/", [(name, value)]), ledger: SecretLedger()).message.fields
        #expect(text(fields.value(at: 0)) == expected)
    }

    @Test(arguments: [
        ("Accept", "application/json"), ("User-Agent", "curl/8 (token)"), ("X-Request-Id", "0a1b2c3d4e5f60718293a4b5"),
        ("WWW-Authenticate", "Bearer realm=\"x\""), ("Referer", "https://a.test/?q=token&page_token=abc"),
        ("X-Api-Version", "2"), ("X-Token-Type", "jwt"), ("Content-Type", "application/json; charset=utf-8"),
        ("If-None-Match", "\"abc\""), ("Referer", "https://a.test/a@b"),
    ])
    func leavesFields(_ name: String, _ value: String) {
        let fields = sanitizer.request(request("GET", "/", [(name, value)]), ledger: SecretLedger()).message.fields
        #expect(text(fields.value(at: 0)) == value)
    }

    @Test(arguments: [
        "access_token", "refresh_token", "id_token", "token", "api_key", "apikey", "API-Key", "client_secret", "secret",
        "password", "passwd", "pwd", "newPassword", "user[password]", "assertion", "session", "session_id", "sid",
        "csrf",
        "otp", "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "sig", "signature", "access%5Ftoken",
        "authToken", "user%5Bpassword%5D", "auth.password", "code_verifier", "jwt", "private_key",
    ])
    func hidesItemsByName(_ name: String) {
        let inQuery = sanitizer.shown(request("GET", "/a?x=1&\(name)=s3cr%65t&y=2"))
        #expect(inQuery.hasPrefix("/a?x=1&\(name)=REDACTED-") && inQuery.contains("&y=2"), "\(inQuery)")
        let inForm = sanitizer.shown(formRequest("x=1&\(name)=s3cr%65t&y=2"))
        #expect(inForm.contains("x=1&\(name)=REDACTED-") && inForm.contains("&y=2"), "\(inForm)")
    }

    @Test(arguments: [
        "nextPageToken", "page_token", "continuation", "token_type", "passwordHint", "keyboard", "key", "code",
        "signed",
        "sessions_count", "pin_color", "secretary", "grant_type", "signature_algorithm", "pinned", "api_key_name",
    ])
    func leavesItemsByName(_ name: String) {
        #expect(sanitizer.shown(request("GET", "/a?\(name)=short")).hasPrefix("/a?\(name)=short"))
        #expect(sanitizer.shown(formRequest("\(name)=short")).contains("\(name)=short"))
        #expect(sanitizer.shown(jsonRequest(#"{"\#(name)":"short"}"#)).contains(#"{"\#(name)":"short"}"#))
    }

    @Test(arguments: [
        ("/cb?code=abc&state=x", "/cb?code=REDACTED-code&state=x"),
        ("/cb?code=abc", "/cb?code=abc"),
        ("/m?key=AIzaabc0123456789xyz", "/m?key=REDACTED-key"),
        ("/m?key=name-of-a-long-thing", "/m?key=name-of-a-long-thing"),
        ("/m?pin=1234", "/m?pin=REDACTED-pin"),
        ("/m?pin=red", "/m?pin=red"),
        ("/m;jsessionid=0A1B2C?x", "/m;jsessionid=REDACTED-jsessionid?x"),
        ("/t/\(jwt)/x", "/t/\(openJWT)/x"),
        (
            "/r?to=https%3A%2F%2Fa.test%2F%3Faccess_token%3Dabc%26b%3D1",
            "/r?to=https%3A%2F%2Fa.test%2F%3Faccess_token%3DREDACTED-access_token%26b%3D1"
        ),
        ("/r?v=%7B%22password%22%3A%22x%22%7D", "/r?v=%7B%22password%22%3A%22REDACTED-password%22%7D"),
        ("/a?token&b=", "/a?token&b="),
        ("/a?token=", "/a?token="),
    ])
    func hidesInTargets(_ target: String, _ expected: String) {
        #expect(text(sanitizer.request(request("GET", target), ledger: SecretLedger()).message.target) == expected)
    }

    @Test(arguments: [
        (#"{"password":"x"}"#, #"{"password":"REDACTED-password"}"#),
        (#"{ "a" : [ { "accessToken" : "x" } ] }"#, #"{ "a" : [ { "accessToken" : "REDACTED-accessToken" } ] }"#),
        (#"{"pin":1234,"otp":99,"n":5}"#, #"{"pin":990132420414640,"otp":999466013405012,"n":5}"#),
        (#"{"token":null,"secret":true,"password":""}"#, #"{"token":null,"secret":true,"password":""}"#),
        (#"{"tokens":["a","b"],"x":["a"]}"#, #"{"tokens":["REDACTED-tokens","REDACTED-tokens"],"x":["a"]}"#),
        (#"{"token":{"type":"t","value":"v"}}"#, #"{"token":{"type":"REDACTED-type","value":"REDACTED-value"}}"#),
        (#"{"session":{"user":"ann"}}"#, #"{"session":{"user":"ann"}}"#),
        (#"{"session":"abc"}"#, #"{"session":"REDACTED-session"}"#),
        (#"{"code":"abc"}"#, #"{"code":"abc"}"#),
        (
            #"{"code":"abc","grant_type":"authorization_code"}"#,
            #"{"code":"REDACTED-code","grant_type":"authorization_code"}"#
        ),
        (#"{"authorization":"Bearer abc"}"#, #"{"authorization":"Bearer REDACTED-authorization"}"#),
        (#"{"pass\u0077ord":"x"}"#, #"{"pass\u0077ord":"REDACTED-passu0077ord"}"#),
        (#"{"b":"{\"password\":\"x\",\"n\":[1]}"}"#, #"{"b":"{\"password\":\"REDACTED-password\",\"n\":[1]}"}"#),
        (
            #"{"query":"mutation { login(password: \"x\") }"}"#,
            #"{"query":"mutation { login(password: \"REDACTED-password\") }"}"#
        ),
        (#"{"variables":{"input":{"pwd":"x"}}}"#, #"{"variables":{"input":{"pwd":"REDACTED-pwd"}}}"#),
        (#"["\#(jwt)"]"#, #"["\#(openJWT)"]"#),
        (#"{"u":"https:\/\/a:b@c.test\/"}"#, #"{"u":"https:\/\/REDACTED-userinfo@c.test\/"}"#),
    ])
    func hidesInJSON(_ body: String, _ expected: String) {
        let result = sanitizer.request(jsonRequest(body), ledger: SecretLedger()).message.body
        #expect(result.map(text) == expected)
    }

    @Test(arguments: [
        ("password: hunter2\nuser: ann", "password: REDACTED-password\nuser: ann"),
        (
            "<login><password>x</password><user>a</user></login>",
            "<login><password>REDACTED-password</password><user>a</user></login>"
        ),
        ("<s:token>x</s:token>", "<s:token>REDACTED-token</s:token>"),
        (#"data: {"access_token":"x","n":1}"#, #"data: {"access_token":"REDACTED-access_token","n":1}"#),
        (#"{"password": "x", broken"#, #"{"password": "REDACTED-password", broken"#),
        (#"{"pin":1,"password": 1234"#, #"{"pin":1,"password": 996348524939287"#),
        ("a=1&client_secret=x&b=2", "a=1&client_secret=REDACTED-client_secret&b=2"),
        ("var password = 'x';", "var password = 'REDACTED-password';"),
        ("-----BEGIN RSA PRIVATE KEY-----\nAA\n-----END RSA PRIVATE KEY-----\nrest", "REDACTED-private-keys\nrest"),
        ("-----BEGIN PRIVATE KEY-----\nAA", "REDACTED-private-keys"),
        (
            "-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----"
        ),
        ("The password is required: please type it", "The password is required: please type it"),
        ("your token has expired", "your token has expired"),
    ])
    func hidesInText(_ body: String, _ expected: String) {
        let raw = request("POST", "/", [("Content-Type", "text/plain")], body: body)
        #expect(sanitizer.request(raw, ledger: SecretLedger()).message.body.map(text) == expected)
    }

    @Test(arguments: [
        ("ghp_0123456789abcdefghijABCDEFGHIJ012345", "github-tokens"), ("glpat-0123456789abcdefghij", "gitlab-tokens"),
        ("xoxb-0123456789-abcdef", "slack-tokens"), ("sk_live_5f4e3d2c1b0a", "stripe-keys"),
        ("AKIAIOSFODNN7EXAMPLE", "aws-keys"), ("AIzaSyA-0123456789abcdefghijklmnopqrstu", "google-keys"),
        ("sk-0123456789abcdefghijklmnopqrstuv", "openai-keys"), ("sk-ant-REDACT-0123456789abcdefghij", "openai-keys"),
        ("npm_0123456789abcdefghijABCDEFGHIJ01234567", "provider-tokens"), (jwt, "jwt"),
    ])
    func hidesShapesWhereverTheyStand(_ secret: String, _ rule: String) {
        for frame in ["\(secret)", "x \(secret) y", "(\(secret))", "a=\(secret)&b", "\"\(secret)\"", "z-\(secret)"] {
            let raw = request("POST", "/", [], body: frame)
            let result = sanitizer.request(raw, ledger: SecretLedger())
            let shown = result.message.body.map(text) ?? ""
            guard frame.hasPrefix("z-"), rule == "jwt" else {
                #expect(shown == frame.replacing(secret, with: rule == "jwt" ? Self.openJWT : "REDACTED-\(rule)"))
                #expect(result.hidden.map(\.rule) == [rule])
                continue
            }
        }
    }

    @Test(arguments: [
        "ghp_short", "AKIAIOSFODNN7EXAMPL", "AKIAIOSFODNN7EXAMPLEX", "sk-learn", "eyJhbGciOiJIUzI1NiJ9", "a.b.c",
        "eyJhb.c", "task-force-of-many-people-and-more-words", "-----BEGIN", "npm_install", "xoxb-1",
    ])
    func leavesWhatOnlyResemblesAShape(_ value: String) {
        let raw = request("POST", "/", [], body: "x \(value) y")
        #expect(sanitizer.request(raw, ledger: SecretLedger()).message.body.map(text) == "x \(value) y")
    }

    @Test func hidesCookiesThatAreSet() {
        let shown = sanitizer.shown(
            response("", [("Set-Cookie", "sid=abc123; Expires=Wed, 09 Jun 2032 10:18:14 GMT; Path=/; HttpOnly")]),
            stem: "post-orders.1c20fe")
        let expected =
            "Set-Cookie: sid=REDACTED-sid.post-orders.1c20fe.1; Expires=Wed, 09 Jun 2032 10:18:14 GMT; Path=/; HttpOnly"
        #expect(shown.contains(expected))
    }

    @Test func aRuleThatIsOffHidesNothing() {
        let off = Sanitizer(rules: SanitizerRules(off: ["passwords"]))
        #expect(
            off.shown(jsonRequest(#"{"password":"x","secret":"y"}"#)).contains(
                #"{"password":"x","secret":"REDACTED-secret"}"#))
    }

    @Test func idsAreUnique() {
        let ids = SanitizerRules().ids
        #expect(Set(ids).count == ids.count)
    }
}
