import HTTPCore
import Testing

@testable import CassetteKit

@Suite struct ManifestFormatTests {
    @Test func readsWhatItWrites() throws {
        let manifest = CassetteManifest(
            form: .forward, upstreams: ["https://a.example.com", "http://b:81"], sanitizers: ["cookies", "tokens"],
            secretPlaces: [
                SecretPlace(
                    method: "GET", path: "/items/*",
                    location: SecretLocation(side: .request, part: .query, name: "a b")),
                SecretPlace(
                    method: "*", path: "/u/{secret}", location: SecretLocation(side: .request, part: .path)),
            ],
            checked: "2026-11-30", unknown: [JSONMember("team", .text("shop"))])
        let octets = ManifestFormat.write(manifest)
        #expect(try ManifestFormat.read(octets, path: "c") == manifest)
        #expect(ManifestFormat.write(try ManifestFormat.read(octets, path: "c")) == octets)
    }

    @Test(arguments: [
        ("{}", "$"), (#"{"version": "1"}"#, "$.version"), (#"{"version": 0}"#, "$.version"),
        (#"{"version": 1, "form": "x"}"#, "$.form"), (#"{"version": 1, "upstreams": [1]}"#, "$.upstreams[0]"),
        (#"{"version": 1, "secretPlaces": [{"method": "GET", "path": "/", "place": "x"}]}"#, "$.secretPlaces[0].place"),
        (#"{"version": 1, "version": 1}"#, "$.version"),
    ])
    func saysWhereADefectIs(_ text: String, _ path: String) {
        let error = #expect(throws: FormatError.self) { try ManifestFormat.read(Bytes(text.utf8), path: "c") }
        #expect(error?.path == path)
        #expect(error?.file == "c")
    }

    @Test func timesReadBack() throws {
        let timings = [
            "b.1.json": Timings(firstByte: 5), "a.1.json": Timings(firstByte: 1, pieces: [.init(offset: 2, size: 3)]),
        ]
        #expect(try TimingsFormat.read(TimingsFormat.write(timings), path: "t") == timings)
    }
}
