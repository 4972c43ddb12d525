import HTTPCore
import Testing

@testable import CassetteKit

/// Digests follow a body that was changed, and stay where it was not.
@Suite struct SanitizerDigestTests {
    private let sanitizer = Sanitizer(codecs: testCodecs)

    private static let fields = [
        ("Content-Digest", "sha-512=:AA==:, sha-256=:BB==:"), ("Repr-Digest", "sha-512=:AA==:"),
        ("Digest", "SHA-256=BB==,MD5=CC=="), ("Content-MD5", "CC=="), ("X-Goog-Hash", "crc32c=AA==,md5=CC=="),
        ("X-Amz-Checksum-Sha256", "BB=="), ("ETag", "W/\"0123456789abcdef0123456789abcdef\""), ("ETag", "\"v1\""),
    ]

    private func lines(_ fields: Fields) -> [String] { (0..<fields.count).map { text(fields.line(at: $0)) } }

    @Test(arguments: [nil, "gzip"])
    func followABodyThatWasChanged(_ coding: String?) throws {
        var raw = response(#"{"pin":"1234"}"#, Self.fields + (coding.map { [("Content-Encoding", $0)] } ?? []))
        raw.trailers = Fields([("Content-MD5", "CC==")])
        if let coding { raw.body = try #require(testCodecs.encode(coding, raw.body)) }
        let clean = sanitizer.response(raw, to: request(), stem: "get-x.0a1b2c", ordinal: 1, ledger: SecretLedger())
        let sent = coding.flatMap { testCodecs.encode($0, clean.message.body) } ?? clean.message.body
        let hash = text(Base64.encode(SHA256.digest(sent), isURL: false))
        #expect(
            lines(clean.message.fields).filter { !$0.hasPrefix("Content-Encoding") } == [
                "Content-Digest: sha-256=:\(hash):", "Digest: SHA-256=\(hash)", "X-Amz-Checksum-Sha256: \(hash)",
                "ETag: W/\"REDACTED-etag.get-x.0a1b2c.1\"", "ETag: \"v1\"",
            ])
        #expect(clean.message.trailers.isEmpty)
    }

    @Test func stayWithABodyThatWasNot() {
        let raw = response(#"{"pen":"1234"}"#, Self.fields)
        let clean = sanitizer.response(raw, to: request(), stem: "s", ordinal: 1, ledger: SecretLedger())
        #expect(clean.message.fields == raw.fields)
    }

    @Test func anETagIsKnownWhereItComesBack() {
        let ledger = SecretLedger()
        _ = sanitizer.shown(response(#"{"pin":"1234"}"#, Self.fields), ledger)
        let later = sanitizer.shown(
            request("GET", "/", [("If-None-Match", "\"0123456789abcdef0123456789abcdef\"")]), ledger)
        #expect(later.contains("If-None-Match: \"REDACTED-etag.get-x.000000.1\""), "\(later)")
    }
}
