import CassetteKit
import DeckEngine
import HTTPCore
import SystemIO
import TapedeckClient
import TestSupport
import Testing
import Transport

/// Large bodies that lie beside their interactions.
@Suite struct BesideBodyTests {
    /// Text that a coding makes smaller, of a few megabytes.
    private static let large = (0..<60_000).flatMap {
        Array("line \($0) of a body that lies beside, \($0 &* 2_654_435_761)\n".utf8)
    }

    private func cassette(_ folder: TemporaryDirectory, _ octets: Bytes = large, framing: String, coding: String?)
        throws
    {
        let coded = coding.map { #", "coding": "\#($0)""# } ?? ""
        let field = coding.map { #", "Content-Encoding: \#($0)""# } ?? ""
        let file = """
            {"request": {"method": "GET", "url": "http://api.test/big", "headers": ["Accept-Encoding: gzip, br, zstd, deflate"]},
             "response": {"status": 200, "headers": ["Content-Type: text/plain"\(field)], "framing": "\(framing)",
               "body": {"file": "big.txt"\(coded)}}}
            """
        try Interactions.write([file], to: folder.path + "/c")
        try Files.writeAtomically(octets, to: folder.path + "/c/interactions/big.txt")
    }

    @Test(arguments: ["length", "chunked", "close"], [nil, "gzip", "deflate", "br", "zstd"])
    func areSentWholeFromTheirFile(_ framing: String, _ coding: String?) async throws {
        let folder = try TemporaryDirectory()
        try cassette(folder, framing: framing, coding: coding)
        let deck = try await RunningDeck.start(.replay, cassette: folder.path + "/c")
        for _ in 0..<2 {
            let answer = try await deck.ask("GET", "/big", [("Accept-Encoding", "gzip, br, zstd, deflate")])
            #expect(answer.head.fields.text("Content-Encoding") == coding)
            if framing == "length" { #expect(answer.head.fields.text("Content-Length") == "\(answer.body.count)") }
            let plain = coding.map { CassetteCodecs.make { _ in }.decode($0, answer.body) } ?? answer.body
            #expect(plain == Self.large)
        }
        let plain = try await deck.ask("GET", "/big", [("Accept-Encoding", "identity")])
        #expect(plain.head.fields.text("Content-Encoding") == nil)
        #expect(plain.body == Self.large)
        #expect(try await deck.ask("HEAD", "/big").status == 599, "HEAD was not recorded")
        _ = await deck.deck.stop()
    }

    @Test func aBodyThatIsGoneIsSaidSo() async throws {
        let folder = try TemporaryDirectory()
        try cassette(folder, framing: "length", coding: nil)
        let deck = try await RunningDeck.start(.replay, cassette: folder.path + "/c")
        try Files.remove(folder.path + "/c/interactions/big.txt")
        let answer = try await deck.ask("GET", "/big")
        #expect(answer.status == 500)
        #expect(answer.text.contains("big.txt"))
        _ = await deck.deck.stop()
    }

    @Test func aCodingThatNobodyKnowsStopsTheStart() async throws {
        let folder = try TemporaryDirectory()
        try cassette(folder, Array("small".utf8), framing: "length", coding: "snappy")
        do {
            _ = try await RunningDeck.start(.replay, cassette: folder.path + "/c")
            Issue.record("it started")
        } catch let error as DeckError {
            #expect(error.message.contains("a.000000.1.json:3:"), "\(error.message)")
            #expect(error.message.contains("snappy"))
            #expect(error.message.contains("gzip, deflate, br or zstd"))
        }
    }
}
