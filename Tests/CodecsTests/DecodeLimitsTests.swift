import Codecs
import Testing

@Suite struct DecodeLimitsTests {
    @Test(arguments: ContentCoding.allCases)
    func takesABodyOfExactlyTheLimit(coding: ContentCoding) throws {
        let body = Samples.text(count: 100_000)
        let coded = try encodeContent(body, coding)
        #expect(try decodeContent(coded, coding, limits: DecodeLimits(size: 100_000)) == body)
    }

    @Test(arguments: ContentCoding.allCases)
    func refusesABodyOfOneOctetMore(coding: ContentCoding) throws {
        let coded = try encodeContent(Samples.text(count: 100_001), coding)
        #expect(throws: CodecError.tooLarge(limit: 100_000)) {
            try decodeContent(coded, coding, limits: DecodeLimits(size: 100_000))
        }
    }

    @Test(arguments: ContentCoding.allCases)
    func refusesABombByItsRatio(coding: ContentCoding) throws {
        let bomb = try encodeContent([UInt8](repeating: 0, count: 8 << 20), coding)
        #expect(throws: CodecError.ratio(limit: 100)) {
            try decodeContent(bomb, coding, limits: DecodeLimits(ratio: 100))
        }
    }

    @Test(arguments: [ContentCoding.br, .zstd])
    func refusesTheBombsThatDeflateCannotMakeByDefault(coding: ContentCoding) throws {
        let bomb = try encodeContent([UInt8](repeating: 0, count: 32 << 20), coding)
        #expect(throws: CodecError.ratio(limit: 1_000)) { try decodeContent(bomb, coding) }
    }

    @Test(arguments: ContentCoding.allCases)
    func looksAtNoRatioUpToOneMebibyte(coding: ContentCoding) throws {
        let body = [UInt8](repeating: 0x20, count: 1 << 20)
        let coded = try encodeContent(body, coding)
        #expect(try decodeContent(coded, coding, limits: DecodeLimits(ratio: 2)) == body)
    }

    @Test func takesAnyRatioThatAnIntHolds() throws {
        let coded = try encodeContent(Samples.json, .gzip)
        #expect(try decodeContent(coded, .gzip, limits: DecodeLimits(ratio: .max)) == Samples.json)
    }
}
