import Codecs
import HTTPCore
import Testing

@testable import CassetteKit

/// Coded bodies that are not one well-formed stream hide no secret.
@Suite struct SanitizerCodedTests {
    private static let secret = "planted-secret-4711"
    private static let plain = #"{"password":"planted-secret-4711","x":1}"#
    private let sanitizer = Sanitizer(codecs: testCodecs)

    private static func gzip(_ text: String) -> Bytes { (try? encodeContent(octets(text), .gzip)) ?? [] }

    /// One final stored block (RFC 1951 §3.2.4).
    private static func rawDeflate(_ text: String) -> Bytes {
        let count = UInt16(text.utf8.count)
        let (low, high) = (UInt8(count & 0xFF), UInt8(count >> 8))
        return [1, low, high, ~low, ~high] + octets(text)
    }

    private func stored(_ body: Bytes, _ coding: String?) -> (body: Bytes, coding: String?) {
        var raw = response("", coding.map { [("Content-Encoding", $0)] } ?? [])
        raw.body = body
        let result = sanitizer.response(raw, to: request(), stem: "s", ordinal: 1, ledger: SecretLedger())
        return (result.message.body, result.coding)
    }

    @Test func codesTwoMembersAgainWithoutTheirSecrets() {
        let result = stored(Self.gzip("password=") + Self.gzip("\(Self.secret) and more"), "gzip")
        #expect(result.coding == "gzip")
        #expect(text(result.body) == "password=REDACTED-password.s.1 and more")
    }

    @Test func readsDeflateWithoutItsFrame() {
        let result = stored(Self.rawDeflate(Self.plain), "deflate")
        #expect(result.coding == "deflate")
        #expect(text(result.body) == #"{"password":"REDACTED-password.s.1","x":1}"#)
    }

    @Test func replacesABodyWholeThatHoldsASecretAndCannotBeCodedAgain() {
        let coded = Self.gzip(Self.plain)
        for (body, coding) in [
            (Array(coded.dropLast(6)), "gzip"), (coded + octets("trailing"), "gzip"),
            (Self.gzip("x") + octets("password=\(Self.secret)"), "gzip"), (coded, "compress, gzip"),
            (Array(coded.dropLast(6)), nil), (coded, "gzip, gzip"),
        ] as [(Bytes, String?)] {
            let result = stored(body, coding)
            #expect(result.coding == nil)
            #expect(text(result.body) == "REDACTED-body", "\(coding ?? "no coding")")
        }
    }

    @Test func replacesWhatIsTooLargeToBeRead() throws {
        let bomb = try encodeContent(Bytes(repeating: 0x61, count: 33 << 20), .gzip)
        let tight = ContentCodecs(
            decode: testCodecs.decode, encode: testCodecs.encode,
            salvage: { _, octets in
                salvageContent(octets, .gzip, limits: DecodeLimits(size: 1 << 20)).map { ($0.octets, $0.isWhole) }
            })
        var raw = response("", [("Content-Encoding", "gzip"), ("Content-Length", "9")])
        raw.body = bomb
        let result = Sanitizer(codecs: tight).response(
            raw, to: request(), stem: "s", ordinal: 1, ledger: SecretLedger())
        #expect(text(result.message.body) == "REDACTED-body")
        #expect(result.message.fields.text("Content-Length") == "13")
    }

    @Test func looksIntoGzipFiles() throws {
        let result = stored(Self.gzip(Self.plain), nil)
        #expect(result.coding == nil)
        #expect(text(try decodeContent(result.body, .gzip)) == #"{"password":"REDACTED-password.s.1","x":1}"#)
    }

    @Test func keepsTheOctetsOfABodyWithoutSecrets() {
        let coded = Self.gzip("nothing to hide")
        for (body, coding) in [
            (coded + coded, "gzip"), (Array(coded.dropLast(6)), "gzip"), (coded + [0], "gzip"), (coded, nil),
            (Self.rawDeflate("nothing"), "deflate"), (octets("no stream"), "gzip"), ([1, 2, 3], "unknown"),
        ] as [(Bytes, String?)] {
            let result = stored(body, coding)
            #expect(result.body == body)
            #expect(result.coding == nil)
        }
    }

    /// Octets that are no text are searched for known secrets and literals.
    @Test func findsKnownSecretsAmongBinaryOctets() {
        let literal = Sanitizer(rules: SanitizerRules(literals: ["literal-0815"]), codecs: testCodecs)
        let ledger = SecretLedger()
        _ = literal.shown(response(#"{"token":"planted-token-1"}"#), ledger)
        var raw = response("")
        raw.body = [0, 0xFF, 1] + octets("planted-token-1") + [0, 0xC0] + octets("literal-0815") + [0, 7]
        let body = literal.response(raw, to: request(), stem: "s", ordinal: 1, ledger: ledger).message.body
        #expect(
            body == [0, 0xFF, 1] + octets("REDACTED-token.get-x.000000.1") + [0, 0xC0] + octets("REDACTED-literal")
                + [0, 7])
    }

    @Test(arguments: ["gzip", "deflate", "br", nil])
    func theKeyIsThatOfWhatIsStored(_ coding: String?) throws {
        let matcher = Matcher(sanitizer: sanitizer)
        var raw = request("POST", "/", coding.map { [("Content-Encoding", $0)] } ?? [])
        let coded: Bytes = try #require(testCodecs.encode(coding ?? "gzip", octets(Self.plain)))
        for body in [coded, Array(coded.dropLast(4)), coded + coded, coded + octets("token=abcdefgh")] {
            raw.body = body
            let clean = sanitizer.request(raw, ledger: SecretLedger())
            let recorded = RecordedRequest(
                method: raw.method, scheme: raw.scheme, authority: raw.authority, target: raw.target,
                fields: clean.message.fields,
                body: RecordedBody(.base64(clean.message.body ?? []), coding: clean.coding))
            #expect(try matcher.key(of: recorded) == matcher.key(of: raw))
        }
    }
}
