import HTTPCore
import TestSupport
import Testing

@testable import CassetteKit

/// Secrets planted in messages are in nothing that comes out, and what comes out has the key of what went in.
@Suite struct SanitizerPlantedTests {
    private static let secret = "pl4nted+s3cret/value"
    private static let percent = "pl4nted%2Bs3cret%2fvalue"

    /// Whether the secret stands in the octets, in any spelling that they have.
    private func holdsSecret(_ octets: Bytes) -> Bool {
        octets.withUnsafeBufferPointer { source in
            [SanitizerView.Escapes.json, .percent, .html].contains { escapes in
                let plain = SanitizerView(source, 0..<source.count, undoing: escapes).octets
                return text(plain).contains("s3cret")
            }
        }
    }

    @Test(arguments: ["identity", "gzip", "deflate", "br", "zstd"])
    func secretsAreInNothingThatComesOut(_ coding: String) throws {
        let secret = Self.secret
        let bodies = [
            (#"{"password":"\#(secret)","later":"\#(secret)","esc":"pl4nted\u002bs3cret\/value"}"#, "application/json"),
            ("password=\(Self.percent)&later=\(Self.percent)", "application/x-www-form-urlencoded"),
            ("<password>\(secret)</password> and \(secret) and \(Self.percent)", "text/html"),
            (
                "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n--b\r\n\r\n\(secret)\r\n--b--\r\n",
                "multipart/form-data; boundary=b"
            ),
        ]
        for (body, type) in bodies {
            let sanitizer = Sanitizer(codecs: testCodecs)
            let ledger = SecretLedger()
            var raw = request(
                "POST", "/p/\(Self.percent)?secret=\(Self.percent)&q=\(Self.percent)",
                [
                    ("Authorization", "Bearer \(secret)"), ("Cookie", "a=\(secret)"), ("X-Copy", secret),
                    ("Content-Type", type),
                ])
            raw.body = octets(body)
            if coding != "identity" {
                let coded: Bytes = try #require(testCodecs.encode(coding, octets(body)))
                raw.body = coded
                raw.fields.append("Content-Encoding", coding)
            }
            // The second time the secret is known from the start.
            _ = sanitizer.request(raw, ledger: ledger)
            let clean = sanitizer.request(raw, ledger: ledger)
            #expect(!holdsSecret(clean.message.target))
            for index in 0..<clean.message.fields.count { #expect(!holdsSecret(clean.message.fields.line(at: index))) }
            #expect(!holdsSecret(clean.message.body ?? []), "\(text(clean.message.body ?? []))")
            #expect(!clean.hidden.contains { holdsSecret(octets($0.location.description)) })
            #expect(!clean.newPlaces.contains { holdsSecret(octets("\($0.path) \($0.location)")) })
        }
    }

    @Test func secretsAreNotInAMissReport() {
        let raw = request(
            "POST", "/a?api_key=\(Self.percent)",
            [("Authorization", "Bearer \(Self.secret)"), ("Content-Type", "application/json")],
            body: #"{"password":"\#(Self.secret)","u":"https://a:\#(Self.secret)@b.test"}"#)
        let recorded = RecordedRequest(
            method: "POST", scheme: "https", authority: Authority(host: "api.example.test"), target: octets("/a"),
            fields: raw.fields, body: RecordedBody(.text(octets("{}"))))
        let interaction = Interaction(
            name: "a.json", request: recorded, outcome: .response(RecordedResponse(status: 200, reason: [])))
        let matcher = Matcher(sanitizer: Sanitizer(codecs: testCodecs), rules: MatchRules(headers: ["Authorization"]))
        let report = MissReport(raw, interactions: [interaction], matcher: matcher, cassette: "c")
        for shown in [octets(report.text), report.problem, octets(report.logLine), octets(report.detail)] {
            #expect(!holdsSecret(shown), "\(text(shown))")
        }
    }

    private static let pieces = [
        "{", "}", "[", "]", "\"", ":", ",", "\\", "\\\"", "\\u00", "41", "password", "token", "code", "state", "&", "=",
        "?", "%",
        "%7B", "%22", "x", "1", "-", "0", "e9", ".", " ", "\n", "\r\n", "--b",
        " eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln,", "://",
        "@", "/", "<", ">", " REDACTED-token.post-a.000000.1 ", "\"ghp_0123456789abcdefghijABCDEFGHIJ\"",
        "(-----BEGIN PRIVATE KEY-----\\nx\\n-----END PRIVATE KEY-----)", "#", "+",
        "&amp;",
        " planted-literal ", "null", "\u{e9}", "eyJ", "\"query\":\"{a}\"",
    ]

    /// Anything at all can stand in a message.
    @Test(arguments: UInt64(0)..<UInt64(120))
    func whateverComesKeepsItsKey(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let sanitizer = Sanitizer(rules: SanitizerRules(literals: ["planted-literal"]), codecs: testCodecs)
        let matcher = Matcher(sanitizer: sanitizer)
        let types = [
            "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "text/plain",
        ]
        for _ in 0..<25 {
            func noise(_ count: Int) -> String {
                (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
            }
            let target = "/" + noise(6).replacing("\n", with: "").replacing("\r\n", with: "").replacing(" ", with: "")
            let raw = request(
                "POST", target,
                [
                    ("Content-Type", types.randomElement(using: &generator) ?? ""), ("Cookie", noise(4)),
                    ("Authorization", noise(4)),
                ],
                body: noise(30))
            // Fields are no part of the key; whatever stands in them must do no harm.
            var other = raw
            other.fields.append("Cookie", noise(6))
            other.fields.append("Authorization", noise(6))
            _ = sanitizer.request(other, ledger: SecretLedger())
            let clean = sanitizer.request(raw, ledger: SecretLedger()).message
            #expect(!text(clean.body ?? []).contains("planted-literal"))
            let isSame = matcher.key(of: clean) == matcher.key(of: raw)
            #expect(
                isSame,
                "\(text(raw.target)) \(text(raw.body ?? [])) became \(text(clean.target)) \(text(clean.body ?? []))")
        }
    }
}
