import HTTPCore
import Testing

@testable import CassetteKit

/// Placeholders in the shape of what they stand for, and values that show what they are.
@Suite struct SanitizerShapeTests {
    private let sanitizer = Sanitizer(codecs: testCodecs)
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEiLCJlbWFpbCI6ImFkYSJ9.c2lnbmF0dXJl"

    private func body(_ text: String, _ sanitizer: Sanitizer? = nil) -> String {
        let shown = (sanitizer ?? self.sanitizer).shown(request("POST", "/", [], body: text))
        return String(shown.drop { $0 != "\n" }.dropFirst())
    }

    private static func base64(_ text: String, isURL: Bool = false) -> String {
        CassetteKitTests.text(Base64.encode(octets(text), isURL: isURL))
    }

    private func decoded(_ text: some StringProtocol) throws -> String {
        let octets = try #require(octets(String(text)).withUnsafeBufferPointer { Base64.decode($0, 0..<$0.count) })
        return CassetteKitTests.text(octets)
    }

    @Test func aTokenOfClaimsBecomesOneThatIsNotSigned() throws {
        let shown = body(#"{"access_token":"\#(Self.jwt)"}"#)
        let token = try #require(shown.split(separator: "\"").map(String.init).last { $0.contains(".") })
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        #expect(parts.count == 3 && parts[2].isEmpty)
        #expect(try decoded(parts[0]) == #"{"alg":"none","typ":"JWT"}"#)
        #expect(try decoded(parts[1]) == #"{"exp":4102444800,"jti":"REDACTED-access_token"}"#)
    }

    @Test func aUUIDStaysOneAndKeepsItsLink() throws {
        let ledger = SecretLedger()
        let login = sanitizer.shown(response(#"{"session_id":"6F9619FF-8B86-4011-B42D-00C04FC964FF"}"#), ledger)
        let id = try #require(login.split(separator: "\"").map(String.init).last { $0.count == 36 })
        #expect(id.hasPrefix("edac7ed0-0000-4000-8000-"))
        let later = sanitizer.shown(request("GET", "/s/6F9619FF-8B86-4011-B42D-00C04FC964FF"), ledger)
        #expect(later.hasPrefix("/s/\(id)"))
    }

    @Test(arguments: [
        ("write to ada.l+x@mail.corp.io, please", "write to REDACTED-email-addresses@example.invalid, please"),
        (#"{"m":"ada@corp.io"}"#, #"{"m":"REDACTED-email-addresses@example.invalid"}"#),
        ("card 4111 1111 1111 1111!", "card REDACTED-card-numbers!"),
        (#"{"n":"5500-0000-0000-0004","d":378282246310005}"#, #"{"n":"REDACTED-card-numbers","d":996402171212200}"#),
        (
            "<input type=hidden name=\"csrf_token\" value=\"abc\">",
            "<input type=hidden name=\"csrf_token\" value=\"REDACTED-csrf_token\">"
        ),
        ("<input value='abc' name='csrf_token'/>", "<input value='REDACTED-csrf_token' name='csrf_token'/>"),
        ("<meta name=\"csrf-token\" content=\"abc\">", "<meta name=\"csrf-token\" content=\"REDACTED-csrf-token\">"),
        ("Server=db;User Id=app;Password=s3;Timeout=3", "Server=db;User Id=app;Password=REDACTED-Password;Timeout=3"),
        ("postgres://app:s3cret@db:5432/x", "postgres://REDACTED-userinfo@db:5432/x"),
    ])
    func hides(_ given: String, _ expected: String) {
        #expect(body(given) == expected)
    }

    @Test(arguments: [
        "logo@2x.png", "git@github.com:a/b.git", "ada@example.com", "ada@test", "a @ b.io", "react@18.2.0",
        "ada@host.invalid", "@scope/pkg.name", "4111 1111 1111 1112", "1411111111111111111", "0.4111111111111111",
        #"{"id":1411111111111111,"t":1700000000000}"#, "4111-1111-1111-1111-1", "+49 30 1234567",
        "DE89370400440532013000",
        "<input name=\"q\" value=\"abc\">", "<input name=\"csrf_token\">", "6f9619ff-8b86-4011-b42d-00c04fc964ff",
        "aGVsbG8gd29ybGQsIG5vdGhpbmcgaGVyZQ==", "eyJhIjoxLCJiIjoyfQ==",
    ])
    func leaves(_ given: String) {
        #expect(body(given) == given)
    }

    @Test func hidesTelephoneAndAccountNumbersWhereSwitchedOn() {
        let wide = Sanitizer(rules: SanitizerRules(on: ["phone-numbers", "ibans"]), codecs: testCodecs)
        #expect(body("call +49 30 1234567 now", wide) == "call REDACTED-phone-numbers now")
        #expect(body("to DE89 3704 0044 0532 0130 00.", wide) == "to REDACTED-ibans.")
        #expect(body("to DE88370400440532013000, 1+22 = 3", wide) == "to DE88370400440532013000, 1+22 = 3")
    }

    @Test(arguments: [false, true])
    func looksIntoBase64Text(_ isURL: Bool) throws {
        for plain in ["user=ada&password=hunter2-planted", #"{"a":[{"token":"hunter2-planted"}],"ÿ":"?>?>"}"#] {
            let shown = body("data: \(Self.base64(plain, isURL: isURL)) end")
            let inner = try decoded(try #require(shown.split(separator: " ").map(String.init).dropFirst().first))
            #expect(!inner.contains("hunter2"), "\(inner)")
            #expect(inner.contains("REDACTED-"), "\(inner)")
        }
        let nested = body(#"{"a":"{\"b\":\"\#(Self.base64(#"{"c":"{\"token\":\"planted\"}"}"#, isURL: isURL))\"}"}"#)
        let text = try #require(nested.split(separator: "\"").map(String.init).first { $0.hasPrefix("eyJ") })
        #expect(try decoded(text.drop { $0 == "\\" }.prefix { $0 != "\\" }).contains("REDACTED-token"))
    }

    /// A known secret at each of the three alignments, among octets that are no text.
    @Test(arguments: 0..<3)
    func findsKnownSecretsInBase64(_ shift: Int) throws {
        let ledger = SecretLedger()
        _ = sanitizer.shown(response(#"{"token":"planted-token-4711"}"#), ledger)
        let noise = Bytes(repeating: 0xF0, count: shift)
        let encoded = text(Base64.encode(noise + octets("planted-token-4711") + [0xF7], isURL: false))
        let shown = sanitizer.shown(request("POST", "/", [], body: "x \(encoded) y"), ledger)
        let word = try #require(
            shown.split(separator: "\n").map(String.init).last?.split(separator: " ").map(String.init).dropFirst().first
        )
        let decoded = octets(String(word)).withUnsafeBufferPointer { Base64.decode($0, 0..<$0.count) }
        #expect(!text(decoded ?? []).contains("ted-token"), "\(shown)")
    }

    @Test(arguments: [(false, true), (true, true), (false, false), (true, false)])
    func looksIntoUTF16(_ isBig: Bool, _ hasMark: Bool) throws {
        func wide(_ text: String) -> Bytes {
            let units: [UInt16] = (hasMark ? [0xFEFF] : []) + Array(text.utf16)
            return units.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
        }
        var raw = request("POST")
        raw.body = wide(#"{"password":"planted","ü":"€𝄞"}"#)
        let clean = sanitizer.request(raw, ledger: SecretLedger()).message
        #expect(clean.body == wide(#"{"password":"REDACTED-password","ü":"€𝄞"}"#))
        let matcher = Matcher(sanitizer: sanitizer)
        #expect(matcher.key(of: clean) == matcher.key(of: raw))
        raw.body = wide("nothing here")
        #expect(sanitizer.request(raw, ledger: SecretLedger()).message.body == raw.body)
    }

    @Test func looksIntoFragmentsOfLocations() {
        let shown = sanitizer.shown(
            response(
                "",
                [("Location", "https://app.test/cb#access_token=abc&state=x"), ("Location", "/cb?code=xyz&state=y")]))
        #expect(shown.contains("#access_token=REDACTED-access_token."))
        #expect(shown.contains("code=REDACTED-code."))
    }

    /// What each shape's placeholder is, is one in a key too.
    @Test(arguments: [
        #"{"m":"ada@corp.io","access_token":"\#(jwt)","session_id":"6f9619ff-8b86-4011-b42d-00c04fc964ff"}"#,
        "mail ada@corp.io_x ada@corp.io. \(jwt) 4111111111111111-x",
        "<input value=\"ghp_0123456789abcdefghijABCDEFGHIJ\" name=csrf>",
        "<input value=\"v\" name=\"csrf_token\"> dXNlcj1hZGEmcGFzc3dvcmQ9aHVudGVyMi1wbGFudGVk",
    ])
    func keepsTheKey(_ text: String) {
        let matcher = Matcher(sanitizer: sanitizer)
        for type in ["application/json", "text/plain"] {
            let raw = request("POST", "/", [("Content-Type", type)], body: text)
            let clean = sanitizer.request(raw, ledger: SecretLedger()).message
            #expect(clean.body != raw.body)
            #expect(matcher.key(of: clean) == matcher.key(of: raw))
            let twice = sanitizer.request(clean, ledger: SecretLedger())
            #expect(twice.message.body == clean.body)
        }
    }
}
