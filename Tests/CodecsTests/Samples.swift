import Codecs
import Testing

/// A body with a name, so that a report does not spell out its octets.
struct Sample: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var octets: [UInt8]

    init(_ name: String, _ octets: [UInt8]) {
        testDescription = name
        self.octets = octets
    }
}

/// Bodies of the kinds that are coded, from nothing to more than several buffers of the libraries.
enum Samples {
    static let json = Array(#"{"items":[{"id":1,"name":"Apfel"},{"id":2,"name":"Birne"}],"total":2}"#.utf8)
    static let all = [
        Sample("nothing", []), Sample("a zero", [0]), Sample("a letter", Array("a".utf8)), Sample("JSON", json),
        Sample("70,000 spaces", [UInt8](repeating: 0x20, count: 70_000)),
        Sample("some noise", noise(count: 1_000, seed: 1)), Sample("much noise", noise(count: 200_000, seed: 2)),
        Sample("much text", text(count: 300_000)),
    ]

    /// Octets without a pattern, the same ones for the same seed.
    static func noise(count: Int, seed: UInt64) -> [UInt8] {
        var state = seed &* 2 &+ 1
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    /// Octets that compress as prose does.
    static func text(count: Int) -> [UInt8] {
        let words = ["cassette ", "records ", "what ", "the ", "server ", "said, ", "and ", "plays ", "it.\n"]
        var text: [UInt8] = []
        for octet in noise(count: count / 4, seed: 3) where text.count < count {
            text += Array(words[Int(octet) % words.count].utf8)
        }
        return Array(text.prefix(count))
    }

    static func decoded(_ bytes: [UInt8], _ coding: ContentCoding) -> Result<[UInt8], CodecError> {
        do throws(CodecError) {
            return .success(try decodeContent(bytes, coding))
        } catch {
            return .failure(error)
        }
    }
}
