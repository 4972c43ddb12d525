import HTTPCore
import TestSupport
import Testing

@testable import Transport

/// What an exchange gave, up to its end or its error.
struct UpstreamAnswer: Sendable {
    var informational: [ResponseHead] = []
    var head: ResponseHead?
    var framing: BodyFraming?
    var body = Bytes()
    var trailers: Fields?
    var error: UpstreamError?

    var bodyText: String { String(decoding: body, as: UTF8.self) }
    /// The end was told, and no error.
    var isWhole: Bool { trailers != nil && error == nil }
}

extension UpstreamExchange {
    /// Takes all events that are left.
    func answer() async -> UpstreamAnswer {
        var answer = UpstreamAnswer()
        do throws(UpstreamError) {
            while answer.trailers == nil {
                switch try await next() {
                case .informational(let head): answer.informational.append(head)
                case .head(let head, let framing):
                    answer.head = head
                    answer.framing = framing
                case .body(let octets): answer.body += octets
                case .end(let trailers): answer.trailers = trailers
                }
            }
        } catch {
            answer.error = error
        }
        return answer
    }
}

extension UpstreamRequest {
    /// A request to a port of 127.0.0.1 with nothing but Host and the given fields.
    static func local(
        _ port: Int, _ method: String = "GET", _ target: String = "/", _ fields: [(String, String)] = [],
        body: BodyFraming = .none
    ) -> UpstreamRequest {
        UpstreamRequest(
            scheme: "http", authority: Authority(host: "127.0.0.1", port: port), method: method,
            target: Bytes(target.utf8), fields: Fields([("Host", "example.com")] + fields), body: body)
    }
}

extension UpstreamInbound {
    /// Takes a line as libcurl would hand it over.
    mutating func takeLine(_ text: String) throws {
        let octets = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        defer { octets.deallocate() }
        octets.copyBytes(from: text.utf8)
        try takeLine(UnsafeRawBufferPointer(octets))
    }
}

/// Runs a body with a client on a loop of its own, and ends both.
func withUpstreamClient<Result: Sendable>(
    _ options: UpstreamOptions = UpstreamOptions(), clock: LoopClock = .system, poller: PollerKind = .epoll,
    _ body: @escaping @Sendable (UpstreamClient) async throws -> Result
) async throws -> Result {
    let group = try EventLoopGroup(count: 1, poller: poller, clock: clock)
    let loop = group.loops[0]
    let outcome: Swift.Result<Result, any Error> = await withCheckedContinuation { continuation in
        loop.spawn {
            let client = UpstreamClient(loop: loop, options: options)
            defer { client.shutdown() }
            do {
                continuation.resume(returning: .success(try await body(client)))
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }
    group.shutdown()
    return try outcome.get()
}

/// Sends a request without a body to a scripted upstream and takes its answer.
func exchange(
    _ upstream: ScriptedUpstream, _ method: String = "GET", options: UpstreamOptions = UpstreamOptions()
) async throws -> UpstreamAnswer {
    let request = UpstreamRequest.local(upstream.port, method)
    return try await withUpstreamClient(options) { try await $0.start(request).answer() }
}
