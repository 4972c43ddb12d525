import Codecs
import HTTPCore

@testable import CassetteKit

/// The real content codings, with small limits.
let testCodecs = ContentCodecs(
    decode: { coding, octets in
        guard let coding = ContentCoding(token: coding) else { return nil }
        return try? decodeContent(octets, coding, limits: DecodeLimits(size: 32 << 20, ratio: 10_000))
    },
    encode: { coding, octets in
        guard let coding = ContentCoding(token: coding) else { return nil }
        return try? encodeContent(octets, coding)
    },
    salvage: { coding, octets in
        guard let coding = ContentCoding(token: coding) else { return nil }
        return salvageContent(octets, coding).map { ($0.octets, $0.isWhole) }
    })

func octets(_ text: String) -> Bytes { Bytes(text.utf8) }

func text(_ octets: some Sequence<UInt8>) -> String { String(decoding: Array(octets), as: UTF8.self) }

/// A request to `https://api.example.test`.
func request(
    _ method: String = "GET", _ target: String = "/", _ fields: [(String, String)] = [], body: String? = nil
) -> RawRequest {
    RawRequest(
        method: method, scheme: "https", authority: Authority(host: "api.example.test"), target: octets(target),
        fields: Fields(fields), body: body.map(octets))
}

func jsonRequest(_ body: String, _ target: String = "/") -> RawRequest {
    request("POST", target, [("Content-Type", "application/json")], body: body)
}

func formRequest(_ body: String) -> RawRequest {
    request("POST", "/", [("Content-Type", "application/x-www-form-urlencoded")], body: body)
}

func response(_ body: String = "", _ fields: [(String, String)] = [], status: Int = 200) -> RawResponse {
    RawResponse(
        status: status, reason: octets("OK"), fields: Fields(fields), framing: .length(body.utf8.count),
        body: octets(body))
}

extension Sanitizer {
    /// A request's sanitized form as one text: target, fields, body.
    func shown(_ raw: RawRequest, _ ledger: SecretLedger = SecretLedger()) -> String {
        let result = request(raw, ledger: ledger).message
        return shown(result.target, result.fields, result.body ?? [])
    }

    func shown(
        _ raw: RawResponse, to asked: RawRequest = CassetteKitTests.request(), stem: String = "get-x.000000",
        _ ledger: SecretLedger = SecretLedger()
    ) -> String {
        let result = response(raw, to: asked, stem: stem, ordinal: 1, ledger: ledger).message
        return shown([], result.fields, result.body)
    }

    private func shown(_ target: Bytes, _ fields: Fields, _ body: Bytes) -> String {
        let lines = (0..<fields.count).map { text(fields.line(at: $0)) }
        return ([text(target)] + lines + [text(body)]).joined(separator: "\n")
    }
}
