import HTTPCore
import TestSupport
import Testing

@testable import Transport

@Suite struct UpstreamConnectionTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// Sends requests one after the other and gives their answers.
    private func exchanges(_ upstream: ScriptedUpstream, _ methods: [String], target: String = "/") async throws
        -> [UpstreamAnswer]
    {
        try await withUpstreamClient { client in
            var answers: [UpstreamAnswer] = []
            for method in methods {
                let exchange = try client.start(.local(upstream.port, method, target))
                answers.append(await exchange.answer())
            }
            return answers
        }
    }

    @Test(arguments: [
        (["GET", "GET", "OPTIONS", "GET"], 1), (["GET", "DELETE", "GET"], 2), (["POST", "POST"], 2),
        (["DELETE", "GET"], 1),
    ])
    func usesAConnectionAgainForSafeMethodsAlone(_ methods: [String], connections: Int) async throws {
        let upstream = try ScriptedUpstream(answering: Self.answer)
        let answers = try await exchanges(upstream, methods)
        #expect(answers.allSatisfy { $0.isWhole })
        #expect(upstream.log.connections == connections)
        #expect(upstream.log.requests.count == methods.count)
    }

    @Test func usesAConnectionAgainAfterChunksAndBodilessAnswers() async throws {
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX: y\r\n\r\n"
        let upstream = try ScriptedUpstream([
            [.readRequest, .send(chunked)],
            [.readRequest, .send("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n")],
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")],
            [.readRequest, .send(Self.answer)],
        ])
        let answers = try await exchanges(upstream, ["GET", "GET", "GET", "GET"])
        #expect(answers.map(\.isWhole) == [true, true, true, true])
        #expect(answers.map(\.bodyText) == ["ok", "", "", "ok"])
        #expect(upstream.log.connections == 1)
    }

    @Test func doesNotSendADeleteAgain() async throws {
        let upstream = try ScriptedUpstream([
            [.readRequest, .send(Self.answer)], [.readRequest, .reset], [.readRequest, .send(Self.answer)],
        ])
        let answers = try await exchanges(upstream, ["GET", "DELETE"])
        #expect(answers[0].isWhole)
        #expect(answers[1].error?.status == 502)
        #expect(upstream.log.requests.count == 2)
    }

    @Test func sendsAGetAgainOnAStaleConnection() async throws {
        let upstream = try ScriptedUpstream([
            [.readRequest, .send(Self.answer)], [.readRequest, .reset], [.readRequest, .send(Self.answer)],
        ])
        let answers = try await exchanges(upstream, ["GET", "GET"])
        #expect(answers.allSatisfy { $0.isWhole })
        #expect(upstream.log.connections == 2)
    }

    static let excess: [(method: String, text: String, body: String)] = [
        ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok"),
        ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""),
        ("GET", "HTTP/1.1 204 No Content\r\n\r\n", ""),
        ("GET", "HTTP/1.1 304 Not Modified\r\n\r\n", ""),
        ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", ""),
        ("GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", "ok"),
        ("GET", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ]

    @Test(arguments: excess.indices, ["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil", "x"])
    func neverUsesAConnectionWithOctetsBehindTheAnswer(_ index: Int, more: String) async throws {
        let (method, text, body) = Self.excess[index]
        let upstream = try ScriptedUpstream([
            [.readRequest, .send(text + more)], [.readRequest, .send(method == "HEAD" ? text : Self.answer)],
        ])
        let answers = try await exchanges(upstream, [method, method])
        #expect(answers.map(\.isWhole) == [true, true])
        #expect(answers.map(\.bodyText) == [body, method == "HEAD" ? "" : "ok"])
        #expect(upstream.log.connections == 2)
    }

    @Test func neverUsesAConnectionOnWhichOctetsCameLater() async throws {
        let gate = ScriptGate()
        let upstream = try ScriptedUpstream([
            [.readRequest, .send(Self.answer), .wait(gate), .send("HTTP/1.1 408 Late\r\nContent-Length: 0\r\n\r\n")],
            [.readRequest, .send(Self.answer)],
        ])
        let answers = try await withUpstreamClient { client in
            let first = await (try client.start(.local(upstream.port))).answer()
            gate.open()
            await upstream.wait { $0.finished == 1 }
            return [first, await (try client.start(.local(upstream.port))).answer()]
        }
        #expect(answers.map { $0.head?.status } == [200, 200])
        #expect(upstream.log.connections == 2)
    }

    @Test func runsExchangesSideBySide() async throws {
        let gate = ScriptGate()
        let upstream = try ScriptedUpstream([
            [.readRequest, .wait(gate), .send(Self.answer)], [.readRequest, .send(Self.answer)],
        ])
        let wasWhole = try await withUpstreamClient { client in
            let slow = try client.start(.local(upstream.port))
            await upstream.wait { $0.requests.count == 1 }
            let quick = await (try client.start(.local(upstream.port))).answer()
            gate.open()
            let late = await slow.answer()
            return [quick.isWhole, late.isWhole]
        }
        #expect(wasWhole == [true, true])
    }

    @Test func countsTheConnectionsItOpens() async throws {
        let upstream = try ScriptedUpstream(answering: Self.answer)
        let before = UpstreamClient.connectionsOpened
        _ = try await exchanges(upstream, ["GET", "POST"])
        #expect(UpstreamClient.connectionsOpened >= before + 2)
    }

    @Test(arguments: PollerKind.allCases)
    func worksWithEachPoller(_ poller: PollerKind) async throws {
        let upstream = try ScriptedUpstream(answering: Self.answer)
        let answer = try await withUpstreamClient(poller: poller) { client in
            await (try client.start(.local(upstream.port))).answer()
        }
        #expect(answer.isWhole)
    }

    /// The number of a socket that was closed while it connected is used again at once.
    @Test func anExchangeCancelledWhileItConnectsHarmsNoOther() async throws {
        let upstream = try ScriptedUpstream(answering: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let statuses = try await withUpstreamClient { client in
            var statuses: [Int?] = []
            for _ in 0..<20 {
                try client.start(.local(upstream.port, "POST")).cancel()
                statuses.append(try await client.start(.local(upstream.port, "POST")).answer().head?.status)
            }
            return statuses
        }
        #expect(statuses == Array(repeating: 200, count: 20))
    }
}
