import Codecs
import Testing

/// What is read of octets that are not one well-formed stream.
@Suite struct SalvageContentTests {
    private static let body = Samples.text(count: 1_500)

    @Test(arguments: [ContentCoding.gzip, .zstd])
    func readsMemberByMember(coding: ContentCoding) throws {
        let coded = try encodeContent(Self.body, coding)
        #expect(
            salvageContent(coded + coded, coding) == SalvagedContent(octets: Self.body + Self.body, isWhole: true))
    }

    @Test func readsRawDeflate() throws {
        // A stored block (RFC 1951 §3.2.4): final, five octets.
        let raw: [UInt8] = [1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8)
        #expect(salvageContent(raw, .deflate) == SalvagedContent(octets: Array("hello".utf8), isWhole: true))
    }

    @Test(arguments: [ContentCoding.gzip, .deflate, .br])
    func readsTheBeginningOfACutStream(coding: ContentCoding) throws {
        let coded = try encodeContent(Self.body, coding)
        let salvaged = try #require(salvageContent(Array(coded.dropLast(9)), coding))
        #expect(!salvaged.isWhole)
        #expect(!salvaged.octets.isEmpty)
        #expect(Self.body.starts(with: salvaged.octets))
    }

    @Test(arguments: [ContentCoding.gzip, .deflate])
    func readsAllBeforeAWrongChecksum(coding: ContentCoding) throws {
        var coded = try encodeContent(Self.body, coding)
        coded[coded.count - (coding == .gzip ? 5 : 1)] ^= 1
        #expect(salvageContent(coded, coding) == SalvagedContent(octets: Self.body, isWhole: false))
    }

    @Test func keepsWhatFollowsAStream() throws {
        let coded = try encodeContent(Self.body, .gzip)
        let rest = Array("token=abc".utf8)
        #expect(salvageContent(coded + rest, .gzip) == SalvagedContent(octets: Self.body + rest, isWhole: false))
    }

    @Test(arguments: ContentCoding.allCases)
    func tellsWhatIsNoStreamFromWhatIsTooLarge(coding: ContentCoding) throws {
        #expect(salvageContent([0xFF, 0xFF, 0xFF, 0xFF, 0xFF], coding) == nil)
        let coded = try encodeContent(Self.body, coding)
        let tooLarge = salvageContent(coded, coding, limits: DecodeLimits(size: 1_000))
        #expect(tooLarge == SalvagedContent(octets: [], isWhole: false))
    }
}
