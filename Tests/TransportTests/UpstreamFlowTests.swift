import HTTPCore
import TestSupport
import Testing

@testable import Transport

@Suite struct UpstreamFlowTests {
    private static let size = 16 << 20
    /// Blocks that tell their place: the first four octets of each 4,096 are its number.
    private static let big: Bytes = {
        var octets = Bytes()
        octets.reserveCapacity(size)
        let filler = Bytes((0..<4_092).map { UInt8(truncatingIfNeeded: $0) })
        for block in 0..<(size / 4_096) {
            octets += (0..<4).map { UInt8(truncatingIfNeeded: block >> (8 * $0)) } + filler
        }
        return octets
    }()

    /// One chunk of 1,000 octets after the other.
    private static let bigChunks: Bytes = {
        var octets = Bytes()
        octets.reserveCapacity(size + size / 100)
        for start in stride(from: 0, to: size, by: 1_000) {
            let end = min(start + 1_000, size)
            octets += Bytes(String(end - start, radix: 16).utf8) + [13, 10] + big[start..<end] + [13, 10]
        }
        return octets + Bytes("0\r\n\r\n".utf8)
    }()

    @Test(arguments: [true, false])
    func keepsLittleOfABigAnswerThatNobodyTakes(_ chunked: Bool) async throws {
        let framing = chunked ? "Transfer-Encoding: chunked" : "Content-Length: \(Self.size)"
        let head = Bytes("HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n".utf8)
        let upstream = try ScriptedUpstream([
            [.readRequest, .send(head + (chunked ? Self.bigChunks : Self.big))], [.readRequest, .send(head)],
        ])
        let (largest, body) = try await withUpstreamClient { client in
            let exchange = try client.start(.local(upstream.port))
            _ = try await exchange.next()
            // Far more than a pause lets in would have come by the time another connection is up and answered.
            let other = try client.start(.local(upstream.port))
            _ = try await other.next()
            other.cancel()
            var largest = 0
            var body = Bytes()
            while case .body(let octets) = try await exchange.next() {
                largest = max(largest, octets.count)
                body += octets
            }
            return (largest, body)
        }
        #expect(largest <= UpstreamExchange.bufferLimit + 16_384)
        #expect(body == Self.big)
    }

    @Test(arguments: [BodyFraming.length(size), .chunked])
    func waitsForAnUpstreamThatDoesNotRead(_ framing: BodyFraming) async throws {
        let gate = ScriptGate()
        let upstream = try ScriptedUpstream([
            [.readHead, .wait(gate), .readRest(framing), .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")]
        ])
        let (early, answer) = try await withUpstreamClient { client in
            let loop = try #require(EventLoop.current)
            let exchange = try client.start(.local(upstream.port, "PUT", "/", body: framing))
            let box = LoopBound(exchange, on: loop)
            let sent = LoopBound(Count(), on: loop)
            let upload = loop.spawn {
                do {
                    for start in stride(from: 0, to: Self.size, by: 65_536) {
                        try await box.value.send(Bytes(Self.big[start..<(start + 65_536)]))
                        sent.value.octets += 65_536
                    }
                    box.value.finishSending()
                } catch {
                    Issue.record(error)
                }
            }
            await upstream.wait { $0.requests.count == 1 }
            // The upload has stalled when a while of the loop's time goes by without a step.
            var before = -1
            while before != sent.value.octets {
                before = sent.value.octets
                try await loop.sleep(for: .milliseconds(50))
            }
            gate.open()
            let answer = await exchange.answer()
            await upload.value
            return (before, answer)
        }
        // What the two sockets' buffers and the limit hold.
        #expect(early < Self.size)
        #expect(answer.isWhole)
        let received = try #require(upstream.log.requests.first)
        if case .length = framing { #expect(received.suffix(Self.size) == Self.big[...]) }
    }

    /// What was sent so far.
    private final class Count {
        var octets = 0
    }

    @Test(arguments: [200, 413])
    func givesAnAnswerThatComesBeforeTheUploadEnds(_ status: Int) async throws {
        let gate = ScriptGate()
        let upstream = try ScriptedUpstream([
            [
                .readHead, .send("HTTP/1.1 \(status) Early\r\nContent-Length: 5\r\n\r\nearly"), .read(10), .wait(gate),
                .close,
            ]
        ])
        let (answer, tookBody) = try await withUpstreamClient { client in
            let exchange = try client.start(.local(upstream.port, "PUT", "/", body: .length(10)))
            try await exchange.send(Bytes("hello".utf8))
            let answer = await exchange.answer()
            let tookBody = exchange.takesBody
            try await exchange.send(Bytes("world".utf8))
            await upstream.wait { $0.text(0).hasSuffix("helloworld") }
            gate.open()
            return (answer, tookBody)
        }
        #expect(answer.isWhole)
        #expect(answer.head?.status == status)
        #expect(answer.bodyText == "early")
        #expect(tookBody)
    }

    @Test func dropsTheRestOfAnUploadThatWasAnsweredAndRefused() async throws {
        let upstream = try ScriptedUpstream([
            [.readHead, .send("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno"), .hold]
        ])
        let answer = try await withUpstreamClient { client in
            let exchange = try client.start(.local(upstream.port, "PUT", "/", body: .chunked))
            let answer = await exchange.answer()
            exchange.cancel()
            try await exchange.send(Bytes("more".utf8))
            exchange.finishSending()
            return answer
        }
        #expect(answer.isWhole)
        await upstream.wait { $0.ended == 1 }
    }

    @Test func endsTheConnectionWhenCancelled() async throws {
        let upstream = try ScriptedUpstream([
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), .hold]
        ])
        let error = try await withUpstreamClient { client in
            let exchange = try client.start(.local(upstream.port))
            _ = try await exchange.next()
            exchange.cancel()
            await upstream.wait { $0.ended == 1 }
            return await exchange.answer().error
        }
        #expect(error == .cancelled)
    }

    @Test func endsTheExchangeWhenItsTaskIsCancelled() async throws {
        let upstream = try ScriptedUpstream([[.readRequest, .hold]])
        let error = try await withUpstreamClient { client in
            let loop = try #require(EventLoop.current)
            let exchange = LoopBound(try client.start(.local(upstream.port)), on: loop)
            let task = Task(executorPreference: loop) { await exchange.value.answer().error }
            await upstream.wait { $0.requests.first?.isEmpty == false }
            task.cancel()
            let error = await task.value
            await upstream.wait { $0.ended == 1 }
            return error
        }
        #expect(error == .cancelled)
    }

    @Test func endsItsExchangesWhenShutDown() async throws {
        let upstream = try ScriptedUpstream([[.readRequest, .hold]])
        let errors = try await withUpstreamClient { client in
            let exchange = try client.start(.local(upstream.port))
            await upstream.wait { $0.requests.count == 1 }
            client.shutdown()
            let later = #expect(throws: UpstreamError.self) { _ = try client.start(.local(upstream.port)) }
            return [await exchange.answer().error, later]
        }
        #expect(errors == [.stopped, .stopped])
    }

    @Test func refusesToGoOnAfterTheEnd() async throws {
        let upstream = try ScriptedUpstream(answering: "HTTP/1.1 204 No Content\r\n\r\n")
        let error = try await withUpstreamClient { client in
            let exchange = try client.start(.local(upstream.port))
            _ = await exchange.answer()
            return await exchange.answer().error
        }
        #expect(error == .afterEnd)
    }
}

extension ScriptStep {
    /// Reads the rest of a request whose head was read; chunks by their coded size.
    fileprivate static func readRest(_ framing: BodyFraming) -> ScriptStep {
        if case .length(let length) = framing { return .read(length) }
        return .readUntil(Bytes("\r\n0\r\n\r\n".utf8))
    }
}
