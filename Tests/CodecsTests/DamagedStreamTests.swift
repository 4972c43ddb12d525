import Codecs
import Testing

/// Streams that were cut or changed on the way, in all the ways that are few enough to try.
@Suite struct DamagedStreamTests {
    private static let bodies = [
        Sample("JSON", Samples.json), Sample("noise", Samples.noise(count: 300, seed: 7)),
        Sample("text", Samples.text(count: 1_500)),
    ]

    @Test(arguments: ContentCoding.allCases, bodies)
    func refusesAStreamCutAnywhere(coding: ContentCoding, body: Sample) throws {
        let coded = try encodeContent(body.octets, coding)
        for end in 0..<coded.count {
            #expect(Samples.decoded(Array(coded[..<end]), coding) == .failure(.truncated), "cut at \(end)")
        }
    }

    /// A bit that says nothing about the body, like one of gzip's time, may change; the body may not. Brotli has no checksum to tell.
    @Test(arguments: [ContentCoding.gzip, .deflate, .zstd], bodies)
    func neverTakesAChangedBitForAnotherBody(coding: ContentCoding, body: Sample) throws {
        var coded = try encodeContent(body.octets, coding)
        for bit in 0..<coded.count * 8 {
            coded[bit / 8] ^= 1 << (bit % 8)
            defer { coded[bit / 8] ^= 1 << (bit % 8) }
            if case .success(let other) = Samples.decoded(coded, coding) { #expect(other == body.octets, "bit \(bit)") }
        }
    }

    @Test(arguments: bodies)
    func holdsTheLimitWhateverBitOfBrotliChanges(body: Sample) throws {
        let limits = DecodeLimits(size: body.octets.count)
        var coded = try encodeContent(body.octets, .br)
        for bit in 0..<coded.count * 8 {
            coded[bit / 8] ^= 1 << (bit % 8)
            defer { coded[bit / 8] ^= 1 << (bit % 8) }
            if let other = try? decodeContent(coded, .br, limits: limits) { #expect(other.count <= body.octets.count) }
        }
    }

    /// Each noise also behind a good beginning, so that it gets past the first check.
    @Test(arguments: [ContentCoding.gzip, .deflate, .zstd])
    func takesNoNoiseForAStream(coding: ContentCoding) throws {
        let start = try encodeContent(Samples.text(count: 400), coding)
        for seed in 0..<500 as Range<UInt64> {
            let noise = Samples.noise(count: Int(seed % 97) + 1, seed: seed)
            for input in [noise, start.prefix(Int(seed) % start.count) + noise] {
                if case .success(let body) = Samples.decoded(Array(input), coding) {
                    Issue.record("seed \(seed) gives \(body.count) octets")
                }
            }
        }
    }

    @Test func holdsTheLimitOnNoiseAsBrotli() throws {
        let start = try encodeContent(Samples.text(count: 400), .br)
        let limits = DecodeLimits(size: 4_096)
        for seed in 0..<1_000 as Range<UInt64> {
            let noise = Samples.noise(count: Int(seed % 97) + 1, seed: seed)
            for input in [noise, start.prefix(Int(seed) % start.count) + noise] {
                if let body = try? decodeContent(Array(input), .br, limits: limits) { #expect(body.count <= 4_096) }
            }
        }
    }
}
