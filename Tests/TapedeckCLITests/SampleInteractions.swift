import CassetteKit
import HTTPCore

/// Interactions of each kind for the tests of listings and views.
enum SampleInteractions {
    static let all = [list, second, image, gone, failed]

    private static func request(_ method: String, _ target: String, _ fields: [(String, String)] = [])
        -> RecordedRequest
    {
        RecordedRequest(
            method: method, scheme: "https", authority: Authority(host: "api.example.com", port: nil),
            target: Bytes(target.utf8), fields: Fields(fields))
    }

    static let list = Interaction(
        name: "get-items.5f0c1a.1.json",
        request: request("GET", "/items?limit=2", [("Accept", "application/json")]),
        outcome: .response(
            RecordedResponse(
                status: 200, reason: Bytes("OK".utf8),
                fields: Fields([("Content-Type", "application/json"), ("ETag", "\"1\"")]), framing: .chunked,
                body: RecordedBody(
                    .json(
                        .object([
                            JSONMember("items", .array([.integer(1), .integer(2)])), JSONMember("more", .bool(false)),
                        ]), .compact), coding: "gzip"))))

    static let second = Interaction(
        name: "get-items.5f0c1a.2.json", ordinal: 2,
        request: request("GET", "/items?limit=2"),
        outcome: .response(
            RecordedResponse(
                status: 503, reason: [], fields: Fields([("Content-Type", "text/plain")]),
                body: RecordedBody(.text(Bytes("busy\n\u{1B}[31mred\n".utf8))))), repeats: 3, optional: true,
        note: "seen at noon")

    static let image = Interaction(
        name: "get-logo.c41e77.1.json",
        request: request("GET", "/logo.png"),
        outcome: .response(
            RecordedResponse(
                status: 200, reason: Bytes("OK".utf8), fields: Fields([("Content-Type", "image/png")]),
                body: RecordedBody(.base64(Bytes(repeating: 7, count: 1500))))))

    static let gone = Interaction(
        name: "delete-items-1.000001.1.json",
        request: RecordedRequest(
            method: "DELETE", scheme: "https", authority: Authority(host: "api.example.com", port: nil),
            target: Bytes("/items/1".utf8),
            body: RecordedBody(.json(.object([JSONMember("why", .text("sold"))]), .compact))),
        outcome: .response(RecordedResponse(status: 204, reason: Bytes("No Content".utf8), framing: .none)))

    static let failed = Interaction(
        name: "get-slow.0a0a0a.1.json",
        request: request("GET", "/slow"),
        outcome: .error(RecordedError(status: 504, label: "timeout", message: "the upstream did not answer in 60 s")))
}
