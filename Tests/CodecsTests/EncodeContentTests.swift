import Codecs
import Testing

@Suite struct EncodeContentTests {
    @Test(arguments: ContentCoding.allCases, Samples.all)
    func givesBackWhatWasEncoded(coding: ContentCoding, body: Sample) throws {
        let coded = try encodeContent(body.octets, coding)
        #expect(try decodeContent(coded, coding) == body.octets)
    }

    @Test(arguments: ContentCoding.allCases)
    func encodesTheSameEachTime(coding: ContentCoding) throws {
        let body = Samples.text(count: 100_000)
        let first = try encodeContent(body, coding)
        for _ in 0..<3 { #expect(try encodeContent(body, coding) == first) }
    }

    @Test(arguments: ContentCoding.allCases)
    func makesProseSmaller(coding: ContentCoding) throws {
        let body = Samples.text(count: 100_000)
        #expect(try encodeContent(body, coding).count < body.count / 2)
    }

    /// RFC 1952 §2.3.1: no flags, no time, system unknown.
    @Test func writesNoTimeAndNoSystemIntoGzip() throws {
        let head = try encodeContent(Samples.json, .gzip).prefix(10)
        #expect(Array(head) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
    }

    /// RFC 1950 §2.2: method 8, a window of 32 KiB, and a check that 31 divides.
    @Test func writesDeflateInTheZlibFormat() throws {
        let coded = try encodeContent(Samples.json, .deflate)
        #expect(coded[0] == 0x78)
        #expect((Int(coded[0]) * 256 + Int(coded[1])) % 31 == 0)
    }
}
