import CassetteKit
import DeckEngine
import HTTPCore
import SystemIO
import TestSupport
import Testing
import Transport

/// Plays every fixture against a recording deck and then, without the upstream, against a replaying one.
@Suite struct WireFixtureTests {
    @Test func thereAreFixtures() {
        #expect(WireFixture.all.count >= 90)
    }

    @Test(arguments: WireFixture.all)
    func holds(_ fixture: WireFixture) async throws {
        let folder = try TemporaryDirectory()
        let cassette = folder.path + "/c"
        let upstream = try ScriptedUpstream(scripts(of: fixture))
        let recording = try await start(.record, fixture, cassette, upstream.port)
        let recorded = try play(fixture.exchanges.filter { !$0.isReplayOnly }, at: recording.port)
        _ = await recording.deck.stop()
        upstream.stop()
        check(fixture, recorded, upstream.log)
        checkFiles(fixture, cassette, recording.log.text)

        let replaying = try await start(.replay, fixture, cassette, upstream.port)
        let replayed = try play(fixture.exchanges, at: replaying.port)
        let report = await replaying.deck.stop()
        #expect(report.upstreamConnections == 0 && report.nameLookups == 0)
        for (outcome, exchange) in zip(replayed, fixture.exchanges) {
            for claim in exchange.replayClaims {
                if let objection = outcome.objection(to: claim, exchange) {
                    Issue.record("replay: \(claim): \(objection)")
                }
            }
        }
        for word in fixture.hidden {
            #expect(!replaying.log.text.contains(word), "the log of the replay names \(word)")
        }
    }

    private func scripts(of fixture: WireFixture) -> [[ScriptStep]] {
        let scripts = fixture.exchanges.filter { !$0.isReplayOnly }.map { exchange -> [ScriptStep] in
            let ending: [ScriptStep] =
                switch exchange.ending {
                case .open: []
                case .close: [.close]
                case .reset: [.reset]
                }
            return [.readRequest, .send(exchange.answer)] + ending
        }
        return scripts
    }

    private func start(
        _ mode: DeckOptions.Mode, _ fixture: WireFixture, _ cassette: String, _ port: Int
    ) async throws -> RunningDeck {
        let configuration = (mode == .replay ? fixture.replayConfiguration : nil) ?? fixture.configuration
        return try await RunningDeck.start(mode, cassette: cassette, configuration: configuration) {
            guard mode == .record else { return }
            $0.upstreams = fixture.isForward ? [] : [NamedUpstream(url: "http://service.test")]
            $0.upstreamOptions.connectTo = ("127.0.0.1", port)
        }
    }

    private func play(_ exchanges: [WireFixture.Exchange], at port: Int) throws -> [WireOutcome] {
        var client = try RawClient(port: port, patience: 8_000)
        var isFresh = true
        return try exchanges.map { exchange in
            if !isFresh && !exchange.isOnSameConnection { client = try RawClient(port: port, patience: 8_000) }
            isFresh = false
            return play(exchange, on: client)
        }
    }

    private func play(_ exchange: WireFixture.Exchange, on client: RawClient) -> WireOutcome {
        var outcome = WireOutcome()
        let began = ContinuousClock.now
        let isHead = exchange.isHead
        do {
            for act in exchange.acts {
                switch act {
                case .send(let octets): try client.send(octets)
                case .awaitContinue: outcome.interim.append(try client.readResponse().status)
                case .finish: client.finish()
                }
            }
        } catch {}  // The deck may refuse before it has read all; its answer tells.
        do {
            var answer = try client.readResponse(isHead: isHead)
            while answer.status < 200, answer.status != 101 {
                outcome.interim.append(answer.status)
                answer = try client.readResponse(isHead: isHead)
            }
            outcome.answer = answer
        } catch {
            outcome.answer = nil
        }
        outcome.milliseconds = Int((ContinuousClock.now - began) / .milliseconds(1))
        if exchange.replayClaims.contains(where: { if case .closed = $0 { true } else { false } }) {
            outcome.isClosed = client.readToEnd().ending != .none
        }
        return outcome
    }

    private func check(_ fixture: WireFixture, _ outcomes: [WireOutcome], _ log: ScriptedUpstream.Log) {
        let exchanges = fixture.exchanges.filter { !$0.isReplayOnly }
        for (index, exchange) in exchanges.enumerated() {
            var outcome = outcomes[index]
            outcome.sent = index < log.requests.count ? log.requests[index] : []
            for claim in exchange.recordClaims {
                if let objection = outcome.objection(to: claim, exchange) {
                    Issue.record("record: \(claim): \(objection)")
                }
            }
        }
        if let asked = fixture.asked { #expect(log.requests.count == asked, "requests upstream") }
        for word in fixture.never {
            #expect(!log.requests.contains { String(decoding: $0, as: UTF8.self).contains(word) }, "sent \(word)")
        }
    }

    private func checkFiles(_ fixture: WireFixture, _ cassette: String, _ log: String) {
        let folder = cassette + "/interactions"
        let names = (try? Files.list(folder)) ?? []
        let texts = names.map { String(decoding: (try? Files.read("\(folder)/\($0)")) ?? [], as: UTF8.self) }
        if let stored = fixture.stored {
            #expect(names.filter { $0.hasSuffix(".json") }.count == stored, "interactions: \(names), log: \(log)")
        }
        for word in fixture.hidden + fixture.never {
            #expect(!texts.contains { $0.contains(word) }, "a file holds \(word)")
            #expect(!names.contains { $0.contains(word) }, "a name holds \(word)")
            #expect(!log.contains(word), "the log names \(word)")
        }
        for word in fixture.kept { #expect(texts.contains { $0.contains(word) }, "no file holds \(word)") }
    }
}

extension WireFixture.Exchange {
    fileprivate var isHead: Bool {
        acts.contains { if case .send(let octets) = $0 { octets.starts(with: Bytes("HEAD ".utf8)) } else { false } }
    }
}
