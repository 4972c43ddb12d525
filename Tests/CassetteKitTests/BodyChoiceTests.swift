import HTTPCore
import Testing

@testable import CassetteKit

@Suite struct BodyChoiceTests {
    private func choose(_ octets: Bytes, type: String = "text/plain") -> ChosenBody? {
        BodyChoice.choose(
            octets, coding: nil, fields: Fields([("Content-Type", type)]), interaction: "get-x.5f0c1a.1.json",
            folder: "/c")
    }

    @Test func emptyOnTheWireIsNoBody() {
        #expect(choose([]) == nil)
        let coded = BodyChoice.choose([], coding: "gzip", fields: Fields(), interaction: "a.json", folder: "/c")
        #expect(coded?.body == RecordedBody(.text([]), coding: "gzip"))
    }

    @Test func theTypeDecidesNothing() throws {
        #expect(
            choose(Bytes(#"{"a": 1}"#.utf8), type: "image/png")?.body.content
                == .json(
                    .object([JSONMember("a", .number("1"))]), JSONLayout(.spaced)))
        #expect(choose([0, 1], type: "application/json")?.body.content == .base64([0, 1]))
    }

    @Test(arguments: ["{ \"a\":1}", "{\"a\": ", "plain\r\ntext\t", "[1]\r\n", "\u{FEFF}{}", "é"])
    func textThatNoLayoutGivesBackStaysText(_ text: String) {
        #expect(choose(Bytes(text.utf8))?.body.content == .text(Bytes(text.utf8)))
    }

    @Test(arguments: [[0x00], [0x61, 0x1B], [0x7F], [0xC3], [0x08]] as [Bytes])
    func oddOctetsAreBinary(_ octets: Bytes) {
        #expect(choose(octets)?.body.content == .base64(octets))
    }

    @Test func largeOrBinaryLiesBeside() throws {
        let png: Bytes = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Bytes(repeating: 0, count: 2_000)
        let chosen = try #require(choose(png, type: "application/x-unknown"))
        #expect(chosen.beside == png)
        let digits = Names.hex(SHA256.digest(png).prefix(4))
        #expect(chosen.body.content == .file(BodyFile(name: "get-x.5f0c1a.1.\(digits).png", folder: "/c")))
        #expect(choose(Bytes(repeating: 0, count: 1_024))?.beside == nil)
        #expect(choose(Bytes(repeating: 0x61, count: 256 << 10))?.beside == nil)
        #expect(choose(Bytes(repeating: 0x61, count: 256 << 10 + 1))?.beside != nil)
    }

    /// A file that ends in `.json` would be taken for an interaction.
    @Test func jsonBesideDoesNotEndInJSON() throws {
        let text = Bytes("\"".utf8) + Bytes(repeating: 0x61, count: 300 << 10) + Bytes("\"".utf8)
        guard case .file(let file)? = choose(text, type: "application/json")?.body.content else {
            Issue.record("no file")
            return
        }
        #expect(file.name.hasSuffix(".jsn"))
        #expect(Names.isBodyName(file.name))
    }
}
