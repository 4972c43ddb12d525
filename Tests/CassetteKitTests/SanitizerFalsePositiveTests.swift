import HTTPCore
import TestSupport
import Testing

@testable import CassetteKit

/// Ordinary bodies come out as they went in: ids, hashes, dates, images, scripts, and names that only sound like secrets.
@Suite struct SanitizerFalsePositiveTests {
    private struct Maker {
        var generator: SeededGenerator

        mutating func text(_ count: Int, _ alphabet: String) -> String {
            let letters = Array(alphabet)
            return String((0..<count).map { _ in letters.randomElement(using: &generator) ?? "a" })
        }

        mutating func hex(_ count: Int) -> String { text(count, "0123456789abcdef") }
        mutating func number(_ count: Int) -> String { text(1, "123456789") + text(count - 1, "0123456789") }
        mutating func base64(_ count: Int) -> String {
            let octets = (0..<count).map { _ in UInt8.random(in: 128...255, using: &generator) }
            return CassetteKitTests.text(Base64.encode(octets, isURL: false))
        }

        mutating func uuid() -> String { "\(hex(8))-\(hex(4))-4\(hex(3))-a\(hex(3))-\(hex(12))" }
        mutating func word() -> String {
            ["alpha", "bravo", "delta", "kilo", "lima", "november", "quebec", "romeo", "tango", "zulu"]
                .randomElement(using: &generator) ?? "alpha"
        }
    }

    private static let kinds: [@Sendable (inout Maker) -> String] = [
        { #"{"id":"\#($0.uuid())","parent":"\#($0.uuid())","name":"\#($0.word())"}"# },
        { #"{"sha":"\#($0.hex(40))","tree":{"sha":"\#($0.hex(40))"},"sha256":"\#($0.hex(64))"}"# },
        { #"{"_id":"\#($0.hex(24))","etag":"W/\"\#($0.hex(32))\"","checksum":"\#($0.hex(32))"}"# },
        { #"{"id":\#($0.number(18)),"id_str":"\#($0.number(18))","ts":\#("1" + $0.number(12))}"# },
        { #"{"created_at":"2026-11-\#($0.text(1, "12"))\#($0.text(1, "0123456789"))T10:00:00.000Z","ttl":3600}"# },
        { #"{"image":"data:image/png;base64,iVBORw0KGgo\#($0.base64(90))","width":640}"# },
        { #"{"nextPageToken":"\#($0.base64(24))","page_token":"\#($0.hex(20))","cursor":"\#($0.base64(18))"}"# },
        {
            #"!function(e,t){var n=t.\#($0.word());e.exports={key:"\#($0.word())",token:n,password:e.x}}(this,1);var a\#($0.hex(6))=1"#
        },
        {
            "<!doctype html><title>\($0.word())</title><input name=\"q\" value=\"\($0.word())\"><script src=\"/a.\($0.hex(20)).js\"></script>"
        },
        { ".\($0.word())_\($0.hex(8)){background:url(/i/\($0.hex(32)).png);color:#\($0.hex(6))}" },
        {
            #"{"token_type":"bearer","expires_in":3600,"scope":"read","secretary":"\#($0.word())","passwordHint":"\#($0.word())"}"#
        },
        { #"{"lat":\#($0.number(2)).\#($0.number(14)),"lon":-0.\#($0.number(16)),"price":12.50}"# },
        {
            #"{"traceId":"\#($0.hex(32))","spanId":"\#($0.hex(16))","request_id":"req_\#($0.text(24, "abcdefgh0123456789"))"}"#
        },
        { "id,name,amount\n\($0.number(6)),\($0.word()),\($0.number(3)).00\n\($0.number(6)),\($0.word()),1\n" },
        {
            "<feed><id>urn:uuid:\($0.uuid())</id><title>\($0.word())</title><updated>2026-11-30T00:00:00Z</updated></feed>"
        },
        {
            #"{"url":"https://cdn.example.com/\#($0.hex(2))/\#($0.hex(38)).jpg?w=200&v=\#($0.number(10))","icon":"logo@2x.png"}"#
        },
        { #"{"version":"1.\#($0.number(2)).0","integrity":"sha512-\#($0.base64(64))","name":"@scope/\#($0.word())"}"# },
        { #"{"errors":[{"code":"\#($0.word())","message":"the token is missing","path":["user","password"]}]}"# },
        {
            #"{"data":{"items":[{"sku":"\#($0.text(3, "ABC"))-\#($0.number(8))","count":3},{"sku":"X","barcode":"\#($0.number(13))"}]}}"#
        },
        {
            "data: {\"delta\":\"\($0.word()) \($0.word())\",\"usage\":{\"tokens_total\":\($0.number(3)),\"max_tokens\":512}}\n\n"
        },
    ]

    private static let more: [@Sendable (inout Maker) -> String] = [
        {
            #"{"query":"query Items($first: Int!) { items(first: $first, after: \"\#($0.base64(12))\") { id name } }","variables":{"first":20},"operationName":"Items"}"#
        },
        { #"{"keys":[{"kty":"RSA","kid":"\#($0.hex(16))","use":"sig","n":"\#($0.base64(96))","e":"AQAB"}]}"# },
        {
            "<svg viewBox=\"0 0 24 24\"><path id=\"\($0.word())\" d=\"M\($0.number(2)).\($0.number(3)) 0l-\($0.number(1)).5 \($0.number(1))z\"/></svg>"
        },
        { "a=\($0.word())&page=\($0.number(2))&ids=\($0.number(6))%2C\($0.number(6))&q=\($0.word())+\($0.word())" },
        {
            #"{"name":"\#($0.word())","digest":"sha256:\#($0.hex(64))","revision":"\#($0.hex(7))","ref":"refs/heads/\#($0.word())"}"#
        },
        {
            "version: 2\njobs:\n  \($0.word()):\n    image: host.example/\($0.word())@sha256:\($0.hex(64))\n    env: {CI: true, LEVEL: \($0.number(1))}\n"
        },
        {
            #"[{"op":"replace","path":"/\#($0.word())/0","value":"\#($0.uuid())"},{"op":"test","path":"/rev","value":\#($0.number(3))}]"#
        },
        { #"{"phone":"+\#($0.number(2)) \#($0.number(3)) \#($0.number(4))","zip":"\#($0.number(5))","iban":null}"# },
    ]

    /// Of a body with a secret among all else, the secret is what is changed, and the report lists it alone.
    @Test func changesTheRulesTargetsAlone() {
        var maker = Maker(generator: SeededGenerator(seed: 99))
        for kind in Self.kinds + Self.more {
            let ordinary = kind(&maker)
            let secret = "ghp_" + maker.text(36, "abcdefghijklmnopqrstuvwxyz0123456789")
            let body = ordinary + "\n# " + secret + " #"
            let clean = Sanitizer(codecs: testCodecs).request(
                request("POST", "/", [], body: body), ledger: SecretLedger())
            #expect(clean.message.body.map(text) == ordinary + "\n# REDACTED-github-tokens #")
            #expect(clean.hidden.map { "\($0.rule) \($0.count)" } == ["github-tokens 1"], "\(clean.hidden)")
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func leavesOrdinaryBodies(_ seed: UInt64) {
        let sanitizer = Sanitizer(codecs: testCodecs)
        var maker = Maker(generator: SeededGenerator(seed: seed))
        for kind in Self.kinds + Self.more {
            let body = kind(&maker)
            let ledger = SecretLedger()
            let raw = request("POST", "/v1/items/\(maker.uuid())?page=2&sort=\(maker.word())", [], body: body)
            let clean = sanitizer.request(raw, ledger: ledger)
            #expect(clean.message.body.map(text) == body)
            #expect(clean.hidden.isEmpty, "\(body): \(clean.hidden)")
            #expect(sanitizer.response(response(body), to: raw, stem: "s", ordinal: 1, ledger: ledger).hidden.isEmpty)
        }
    }
}
