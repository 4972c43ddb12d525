import HTTPCore
import SystemIO
import Testing

@testable import CassetteKit

/// A cassette of each format version there ever was must load for ever.
@Suite struct CassetteGoldenTests {
    private func folder(_ name: String) -> String {
        "\(Files.parent(of: #filePath) ?? ".")/Golden/\(name)"
    }

    @Test func versionOneLoads() throws {
        let cassette = try Cassette.load(folder: folder("cassette-v1"))
        #expect(cassette.manifest.version == 1)
        #expect(
            cassette.interactions.map(\.name) == [
                "by-hand.json", "get-images-logo.c41e77.1.json", "post-api-v1-orders.77ab01.1.json",
                "post-api-v1-orders.77ab01.4.json",
            ])
        #expect(cassette.interactions.map(\.repeats) == [1, 1, 3, 1])
        #expect(cassette.orphans.isEmpty)
        let logo = try #require(cassette.interactions[1].response)
        #expect(try logo.body?.octets().starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
        let order = try #require(cassette.interactions[2].response)
        #expect(order.body?.coding == "gzip")
        #expect(try order.body?.octets() == Bytes(#"{"id":17,"total":12.50}"#.utf8))
    }

    @Test func whatTheProgramWroteIsWrittenAgainAlike() throws {
        let path = folder("cassette-v1")
        let cassette = try Cassette.load(folder: path)
        #expect(ManifestFormat.write(cassette.manifest) == (try Files.read("\(path)/cassette.json")))
        for interaction in cassette.interactions where interaction.name != "by-hand.json" {
            let stored = try Files.read("\(path)/interactions/\(interaction.name)")
            #expect(
                String(decoding: InteractionFormat.write(interaction), as: UTF8.self)
                    == String(decoding: stored, as: UTF8.self))
        }
    }
}
