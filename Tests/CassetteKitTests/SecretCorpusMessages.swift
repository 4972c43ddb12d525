import HTTPCore
import TestSupport

@testable import CassetteKit

extension SecretCorpus.Plant {
    var request: RawRequest {
        RawRequest(
            method: method, scheme: "https", authority: Authority(host: "api.example.test"), target: target,
            fields: fields, body: body)
    }

    var response: RawResponse {
        RawResponse(
            status: 200, reason: reason, fields: answered, framing: trailers.isEmpty ? .length(answer.count) : .chunked,
            body: answer, trailers: trailers,
            informational: early.isEmpty
                ? [] : [ResponseHead(version: .http11, status: 103, reason: Bytes("Early Hints".utf8), fields: early)])
    }
}
