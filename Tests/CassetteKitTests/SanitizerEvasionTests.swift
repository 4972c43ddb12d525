import Codecs
import HTTPCore
import Testing

@testable import CassetteKit

/// Secrets that stand where a careless reader would not look.
@Suite struct SanitizerEvasionTests {
    private static let secret = "planted-secret-4711"
    private let sanitizer = Sanitizer(codecs: testCodecs)

    private func stored(_ raw: RawRequest) -> RawRequest {
        sanitizer.request(raw, ledger: SecretLedger()).message
    }

    @Test(arguments: [
        // Without its closing delimiter, and with another boundary than the field says.
        "--XX\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nplanted-secret-4711",
        "--XX\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nplanted-secret-4711\r\n--X",
        "--YY\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nplanted-secret-4711\r\n--YY--\r\n",
    ])
    func aBrokenMultipartBodyHidesNothing(body: String) {
        var raw = request()
        raw.fields = Fields([("Content-Type", "multipart/form-data; boundary=XX")])
        raw.body = Array(body.utf8)
        let result = String(decoding: stored(raw).body ?? [], as: UTF8.self)
        #expect(!result.contains(Self.secret))
        #expect(result.contains("REDACTED-password"))
    }

    @Test(arguments: ["deflate", "x-unknown", "br"])
    func aWrongLabelOverGzipHidesNothing(label: String) throws {
        var raw = request()
        raw.fields = Fields([("Content-Type", "application/json"), ("Content-Encoding", label)])
        raw.body = try encodeContent(Array(#"{"password":"planted-secret-4711"}"#.utf8), .gzip)
        let body = stored(raw).body ?? []
        let shown = (try? decodeContent(body, .gzip)) ?? body
        #expect(!String(decoding: shown, as: UTF8.self).contains(Self.secret))
    }

    @Test(arguments: ["%3D", "%253D", "%25253D"])
    func aURLWithinAURLHidesNothing(equals: String) {
        var raw = request()
        raw.target = Array("/n?next=access_token\(equals)planted-secret-4711".utf8)
        let target = String(decoding: stored(raw).target, as: UTF8.self)
        #expect(!target.contains(Self.secret), "\(target)")
    }

    @Test(arguments: ["X-Forwarded-Authorization", "X-Original-Authorization"])
    func credentialsThatAProxyMovedAreHidden(field: String) {
        var raw = request()
        raw.fields = Fields([(field, "Bearer planted-secret-4711")])
        let value = stored(raw).fields.value(at: 0)
        #expect(String(decoding: value, as: UTF8.self) == "Bearer REDACTED-\(field.lowercased())")
    }
}
